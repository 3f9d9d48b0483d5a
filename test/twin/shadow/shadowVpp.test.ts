import { expect, test } from "vitest";
import { MS_PER_MINUTE } from "../../../src/base/time.ts";
import type { Patch } from "../../../src/inputs/scenario/patch/patchValue.ts";
import { ScenarioSource } from "../../../src/inputs/scenario/scenarioSource.ts";
import { readServedScenario } from "../../../src/live/session/servedScenario.ts";
import type { Session } from "../../../src/live/session/session.ts";
import { diskFiles } from "../../../src/platform/node/diskFiles.ts";
import { type DriftLine, shadowVpp } from "../../../src/twin/shadow/shadowVpp.ts";
import { calmServedScenario } from "../../session/tinyScenario.ts";
import { Relay } from "../relay.ts";
import { ServedPlant } from "../servedPlant.ts";

interface Shadowed {
  readonly lines: readonly DriftLine[];
  /** Such as `battery-1 outage begins`. */
  readonly changes: readonly string[];
  readonly warnings: readonly string[];
  readonly result: Awaited<ReturnType<typeof shadowVpp>>;
}

interface Course {
  readonly readsMax: number;
  readonly patch?: Patch;
  /** What happens at the plant after a read, from 0. */
  readonly at?: (read: number, session: Session) => Promise<unknown> | undefined;
  readonly baseUrl?: string;
  /** Of the plant's clock, from read to read; left out: one. */
  readonly minutes?: number;
}

/** Runs a twin beside a served plant, whose clock moves a minute from read to read. */
async function shadow(
  plant: ServedPlant,
  file: string,
  { at, readsMax, patch = {}, minutes = 1, ...changes }: Course,
): Promise<Shadowed> {
  const { session } = plant.live;
  const lines: DriftLine[] = [];
  const shown: string[] = [];
  const warnings: string[] = [];
  let read = 0;
  const result = await shadowVpp({
    ...plant.options(changes),
    source: new ScenarioSource(file, diskFiles),
    patch,
    checkedKwMae: new Map(),
    everySeconds: 60,
    readsMax,
    sleep: async (seconds) => {
      // Waits for another attempt do not move the plant's clock.
      if (seconds < 60) return;
      await at?.(read++, session);
      await session.advance((nowMs) => nowMs + minutes * MS_PER_MINUTE);
    },
    onLines: (each) => lines.push(...each),
    onAlarm: ({ site }, { alarm, state }) => shown.push(`${site} ${alarm} ${state}`),
    warn: (message) => warnings.push(message),
  });
  return { lines, changes: shown, warnings, result };
}

const QUICKSTART = "scenarios/quickstart/scenario.yaml";

test("the true scenario has the power and the state of charge of the plant at each read, through awards and a lost line", async () => {
  const plant = await ServedPlant.open(readServedScenario(QUICKSTART), "2026-05-20T06:10:00Z");
  const { lines, changes, result } = await shadow(plant, QUICKSTART, { readsMax: 470 });
  await plant.close();
  expect(result).toEqual({ reads: 470, sites: 6, alarms: 1 });
  expect(changes).toEqual(["cold-store no_telemetry begins", "cold-store no_telemetry ends"]);
  const inOrders = lines.filter(({ site, current_kw }) => site === "battery-large" && Math.abs(current_kw ?? 0) > 100);
  expect(inOrders.length).toBeGreaterThan(200);
  for (const line of lines) {
    expect(Math.abs(line.difference_kw ?? 0), JSON.stringify(line)).toBeLessThan(0.11);
    expect(Math.abs((line.soc ?? 0) - (line.twin_soc ?? 0)), JSON.stringify(line)).toBeLessThan(0.11);
  }
}, 60_000);

test("an award that runs at the first read, and one that starts between two reads far apart, are orders of the twin too", async () => {
  const plant = await ServedPlant.open(readServedScenario(QUICKSTART), "2026-05-20T11:45:00Z");
  const { lines } = await shadow(plant, QUICKSTART, { readsMax: 8, minutes: 17 });
  await plant.close();
  const large = lines.filter(({ site }) => site === "battery-large");
  expect(large.map(({ current_kw }) => Math.sign(current_kw ?? 0))).toEqual([-1, -1, -1, 0, 0, 1, 1, 1]);
  expect(large.slice(1).every(({ difference_kw }) => Math.abs(difference_kw ?? 1) < 0.11)).toBe(true);
}, 60_000);

/** A plant of two batteries and a load, and its imported twin, which has half an hour of series. */
async function importedPlant(): Promise<{ plant: ServedPlant; file: string; names: readonly string[] }> {
  const plant = await ServedPlant.open(calmServedScenario(), "2026-04-01T00:30:00Z");
  const { scenarioFile, document } = await plant.import();
  return { plant, file: scenarioFile, names: document.sites.map(({ name }) => name) };
}

const MINUTES = 240;
const fault = (kind: "outage" | "link_down", site: string) => (read: number, session: Session) =>
  read === 100 ? session.beginFault({ kind, site, durationMs: 40 * MS_PER_MINUTE }) : undefined;

test("beyond its series the twin has the values read last: none of them is drift", async () => {
  const { plant, file } = await importedPlant();
  const { lines, changes } = await shadow(plant, file, { readsMax: MINUTES });
  await plant.close();
  expect(changes).toEqual([]);
  const load = lines.filter(({ soc }) => soc === null);
  expect(new Set(load.map(({ current_kw }) => current_kw)).size).toBeGreaterThan(8);
  for (const line of load) expect(Math.abs(line.difference_kw ?? 0), JSON.stringify(line)).toBeLessThan(0.11);
}, 60_000);

test.each(["outage", "link_down"] as const)(
  "one %s raises one alarm, which ends with it",
  async (kind) => {
    const { plant, file, names } = await importedPlant();
    const { changes, lines } = await shadow(plant, file, { readsMax: MINUTES, at: fault(kind, "battery-1") });
    await plant.close();
    const alarm = kind === "outage" ? "outage" : "no_telemetry";
    expect(changes).toEqual([`${names[0]} ${alarm} begins`, `${names[0]} ${alarm} ends`]);
    const during = lines.filter((line) => line.alarm !== null);
    expect(during.every(({ site }) => site === names[0])).toBe(true);
    expect(during.length).toBe(kind === "outage" ? 39 : 37);
  },
  60_000,
);

test("a battery that is smaller than its twin raises one alarm of its state of charge", async () => {
  const { plant, file, names } = await importedPlant();
  const patch = { [`sites.${names[1]}.components.bat.rated_cap`]: 800 };
  const { changes } = await shadow(plant, file, { readsMax: MINUTES, patch });
  await plant.close();
  expect(changes).toEqual([`${names[1]} soc_drift begins`]);
}, 60_000);

test("a battery that gives less than its share raises one alarm of its power, until the award ends", async () => {
  const { plant, file, names } = await importedPlant();
  const derate = { kind: "derate", site: "battery-2", limitPct: 20, durationMs: null } as const;
  const at = (read: number, session: Session) => (read === 40 ? session.beginFault(derate) : undefined);
  const { changes } = await shadow(plant, file, { readsMax: 145, at });
  await plant.close();
  expect(changes).toEqual([`${names[1]} power_drift begins`, `${names[1]} power_drift ends`]);
}, 60_000);

test("an answer that does not come is a warning, and the shadow goes on; another VPP's scenario is refused", async () => {
  const { plant, file } = await importedPlant();
  let isDown = false;
  const relay = await Relay.open(plant.live.baseUrl, () => (isDown ? { kind: "reset" } : null));
  const at = async (read: number) => {
    isDown = 4 <= read && read < 8;
  };
  const { result, warnings } = await shadow(plant, file, { readsMax: 12, at, baseUrl: relay.url });
  expect(result).toEqual({ reads: 8, sites: 3, alarms: 0 });
  expect(warnings).toHaveLength(4);
  await expect(shadow(plant, QUICKSTART, { readsMax: 1 })).rejects.toThrow("no site of the 3 members");
  await relay.close();
  await plant.close();
}, 60_000);
