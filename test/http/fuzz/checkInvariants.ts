// Invariants of a served world after any sequence of requests.
import { expect } from "vitest";
import type { ApiName } from "../../../src/api/endpoints/route.ts";
import type { Sku } from "../../../src/base/sku.ts";
import { isoUtc, MS_PER_HOUR } from "../../../src/base/time.ts";
import { areMutuallyExclusive } from "../../../src/engine/site/orders/siteOrder.ts";
import type { Session } from "../../../src/live/session/session.ts";
import { FUZZ_START_MS } from "./fuzzScenario.ts";

interface MemberShare {
  readonly delta_kw: number | null;
  readonly fcr_response_kw: number | null;
  readonly dispatch_status: string;
}

export interface ScheduleEntry {
  readonly schedule_id: string;
  readonly sku: Sku | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly delta_kw: number | null;
  readonly fcr_response_kw: number | null;
  readonly uncovered_kw: number;
  readonly members: readonly MemberShare[];
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** In the answer to an accepted control, the members' shares and the uncovered power sum to the request. */
export function checkShares({ sku, delta_kw, fcr_response_kw, uncovered_kw, members }: ScheduleEntry): void {
  const [requested, given] =
    sku === "fcr"
      ? [fcr_response_kw, members.map((member) => member.fcr_response_kw)]
      : [delta_kw, members.map((member) => member.delta_kw)];
  expect(sum(given) + uncovered_kw, "shares and the uncovered rest sum to the request").toBeCloseTo(
    requested ?? Number.NaN,
    6,
  );
}

type EnergyFigures = Readonly<Record<string, number>>;

export async function checkWorld(session: Session): Promise<void> {
  const read = async <T>(api: ApiName, id: string, method: string, path: string, body?: unknown): Promise<T> => {
    const { status, body: whole, stream } = await session.answer({ api, id, method, path, query: {}, body });
    const text = stream === undefined ? JSON.stringify(whole) : [...stream].join("");
    expect([path, status, text]).toEqual([path, 200, text]);
    return JSON.parse(text) as T;
  };
  const { vpps, sites } = session.scenario.world;
  const owners: string[] = [];
  for (const { vppId } of vpps) {
    const { members } = await read<{ members: { ems_id: string }[] }>("vpp-v1", vppId, "GET", "/members");
    owners.push(...members.map(({ ems_id }) => ems_id));
    checkSchedules(
      (await read<{ schedules: ScheduleEntry[] }>("vpp-v1", vppId, "GET", "/control/active_power/schedules")).schedules,
    );
    await checkEnergy(session.nowMs, (body) => read("vpp-v1", vppId, "POST", "/measurements/energy", body));
  }
  expect(new Set(owners).size, "a site belongs to one VPP").toBe(owners.length);
  for (const { emsId } of sites) {
    const details = await read<{ resource_state: { soc?: number | null } }>("site-v2", emsId, "GET", "/status/details");
    const soc = details.resource_state.soc ?? 50;
    expect(0 <= soc && soc <= 100, `a state of charge of ${soc} % is one`).toBe(true);
    await checkEnergy(session.nowMs, (body) => read("site-v2", emsId, "POST", "/measurements/energy", body));
  }
}

/** Conflicting schedules of one VPP are never active at the same time. */
function checkSchedules(schedules: readonly ScheduleEntry[]): void {
  schedules.forEach((a, k) => {
    if (a.members.length > 0 && a.members.every(({ dispatch_status }) => dispatch_status === "pending")) checkShares(a);
    for (const b of schedules.slice(k + 1)) {
      const together = a.start_time < b.end_time && b.start_time < a.end_time && areMutuallyExclusive(a.sku, b.sku);
      expect(together, `${JSON.stringify(a)} and ${JSON.stringify(b)} run together`).toBe(false);
    }
  });
}

/** The energy of a whole period equals that of its intervals, at the one decimal printed. */
async function checkEnergy(nowMs: number, read: (body: unknown) => Promise<{ data: EnergyFigures[] }>): Promise<void> {
  const fromMs = Math.max(FUZZ_START_MS, Math.floor(nowMs / 1_000) * 1_000 - 7 * MS_PER_HOUR);
  const toMs = Math.floor(nowMs / 1_000) * 1_000;
  if (toMs < fromMs + 60_000) return;
  const period = { start_time: isoUtc(fromMs), end_time: isoUtc(toMs) };
  const [whole] = (await read(period)).data;
  const parts = (await read({ ...period, interval_seconds: 1800 })).data;
  for (const field of Object.keys(whole).filter((name) => name.endsWith("_kwh")))
    expect(sum(parts.map((part) => part[field])), `the intervals' ${field}`).toBeCloseTo(whole[field], 6);
}
