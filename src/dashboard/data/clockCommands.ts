import type { ClockRecord, Speed } from "../../api/client/sandboxTypes.ts";
import { isoOf } from "../format/times.ts";
import { CLOCK_KEY, type Station } from "./station.ts";

/** Speeds that the page offers, simulated seconds per real second. */
export const SPEEDS: readonly Speed[] = [1, 10, 60, 300, 1000, "max"];

const command = (station: Station, path: string, body: object): Promise<ClockRecord> =>
  station.calls.post<ClockRecord>(`/sandbox/clock/${path}`, body);

export const freeze = (station: Station): Promise<ClockRecord> => command(station, "pause", {});

export const run = (station: Station, speed: Speed): Promise<ClockRecord> => command(station, "resume", { speed });

/**
 * Advances to an instant at full speed. A running clock runs on from there at its speed.
 *
 * @param toMs  later than now
 */
export async function advanceTo(station: Station, toMs: number): Promise<void> {
  const clock = station.reads.resource<ClockRecord>(CLOCK_KEY).value ?? (await station.readClock());
  if (clock.mode === "running") await freeze(station);
  await command(station, "advance", { to: isoOf(toMs) });
  if (clock.mode === "running" && toMs < Date.parse(clock.scenario_end)) await run(station, clock.speed);
}
