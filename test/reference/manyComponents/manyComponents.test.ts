import { expect, test } from "vitest";
import { roundKw } from "../../../src/base/rounding.ts";
import { createSiteBaseline } from "../../../src/engine/site/baseline/createSiteBaseline.ts";
import { planKwAt } from "../../../src/engine/site/baseline/siteBaseline.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import { type Row, RowCollector } from "../../accounting/tableRows.ts";
import { runs, seedsFrom } from "../../depth.ts";
import { at, eastVpp, parseAwards, parseEvents, runSmallWorld, T0, world } from "../../simulation/smallWorld.ts";
import { createRandomDraw, randomAwards, randomSite, withLimitsByTime } from "./randomSite.ts";
import { type EnergyPaths, type SteppedInputs, SteppedSite } from "./steppedSite.ts";

const HALF_HOUR = 1_800_000;
const HOURS = 6;
const END = T0 + HOURS * 3_600_000;
const STEP_MS = 200;
const OUTAGE = [at("02:10"), at("02:40")] as const;
const CONTROL = [at("03:00"), at("04:30")] as const;
const PATHS: readonly (keyof EnergyPaths)[] = [
  "fromGenerator",
  "fromGrid",
  "toLoad",
  "toBattery",
  "toGrid",
  "curtailed",
];
const COLUMN: Record<keyof EnergyPaths, string> = {
  fromGenerator: "from_generator_kwh",
  fromGrid: "from_grid_kwh",
  toLoad: "to_load_kwh",
  toBattery: "to_battery_kwh",
  toGrid: "to_grid_kwh",
  curtailed: "curtailed_kwh",
};

/** A world of one such site for six hours, with an outage and an output control now and then. */
function randomWorld(seed: number, site = randomSite(seed)) {
  const draw = createRandomDraw(seed + 2_000_000);
  const events: string[] = [];
  if (draw.chance(0.3)) events.push("outage 0 02:10-02:40");
  if (draw.chance(0.5)) events.push("output_control 0 03:00-04:30 40 fit_curtailment");
  const spec = world([site], {
    endMs: END,
    vpps: [eastVpp([site], [1])],
    awards: parseAwards(...randomAwards(seed)),
    events: parseEvents(...events),
  });
  return { site, spec, events };
}

function runWith(spec: ReturnType<typeof randomWorld>["spec"], intervalMs: number) {
  const components = new RowCollector();
  const ran = runSmallWorld(spec, { intervalMs, components });
  return { ...ran, components: components.rows };
}

/** The set-point of the site at each instant, by the dispatch table. */
function setpointAt(
  dispatch: readonly Row[],
  awards: ReturnType<typeof parseAwards>,
  baselineAt: (ms: number) => number,
) {
  return (atMs: number): SteppedInputs["setpoint"] => {
    const award = awards.find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
    if (award === undefined) return null;
    const row = dispatch
      .filter(({ award_id, timestamp: when }) => award_id === award.awardId && Number(when) <= atMs)
      .at(-1);
    if (row === undefined || row.dispatch_status !== "dispatched") return null;
    return { deltaKw: Number(row.delta_kw), baselineKw: roundKw(baselineAt(award.startMs)) };
  };
}

function runStepper(
  site: SiteSpec,
  spec: ReturnType<typeof randomWorld>["spec"],
  dispatch: readonly Row[],
  events: readonly string[],
) {
  const one = new SteppedSite(site);
  const { planKw, slotsKw } = createSiteBaseline(site, spec);
  const siteSetpointAt = setpointAt(dispatch, [...spec.awards], (ms) => planKwAt(slotsKw, ms));
  const isOut = events.some((event) => event.startsWith("outage"));
  const isControlled = events.some((event) => event.startsWith("output"));
  const records: Record<string, EnergyPaths>[] = [];
  let before = one.components.map(({ paths }) => ({ ...paths }));
  let setpoint: SteppedInputs["setpoint"] = null;
  for (let atMs = T0; atMs < END; atMs += STEP_MS) {
    // Awards and dispatches are on whole seconds.
    if (atMs % 1_000 === 0) setpoint = siteSetpointAt(atMs);
    one.step(atMs, STEP_MS, {
      setpoint,
      isInService: !(isOut && OUTAGE[0] <= atMs && atMs < OUTAGE[1]),
      outputLimitShare: isControlled && CONTROL[0] <= atMs && atMs < CONTROL[1] ? 0.4 : 1,
      planKw: planKwAt(planKw, atMs + STEP_MS / 2),
    });
    if ((atMs + STEP_MS - T0) % HALF_HOUR !== 0) continue;
    const now = one.components.map(({ paths }) => ({ ...paths }));
    records.push(
      Object.fromEntries(
        one.components.map(({ spec: { componentId } }, k) => [componentId, subtractPaths(now[k], before[k])]),
      ),
    );
    before = now;
  }
  return records;
}

function subtractPaths(now: EnergyPaths, before: EnergyPaths): EnergyPaths {
  const difference = { ...now };
  for (const path of PATHS) difference[path] -= before[path];
  return difference;
}

for (const seed of seedsFrom(2, runs(40)))
  test(`site of seed ${seed}: every path of every half hour is what small steps give`, () => {
    comparePaths(randomWorld(seed));
  });

for (const seed of seedsFrom(3, runs(40, 1)))
  test(`site of seed ${seed}: every path of every half hour is what small steps give with limits by time`, () => {
    comparePaths(randomWorld(seed, withLimitsByTime(randomSite(seed), seed)));
  });

function comparePaths({ site, spec, events }: ReturnType<typeof randomWorld>): void {
  const ran = runWith(spec, HALF_HOUR);
  const records = runStepper(site, spec, ran.dispatch, events);
  const differences: string[] = [];
  for (const row of ran.components) {
    const found = records[(Number(row.start) - T0) / HALF_HOUR][String(row.component)];
    for (const path of PATHS) {
      const kwh = Number(row[COLUMN[path]] ?? 0);
      if (Math.abs(kwh - found[path]) > 0.05)
        differences.push(
          `${(Number(row.start) - T0) / HALF_HOUR} ${row.component} ${path}: ${kwh}, stepped ${found[path]}`,
        );
    }
  }
  expect(differences).toEqual([]);
  expect(ran.components).toHaveLength(site.components.length * 2 * HOURS);
  expect(records.some((record) => Object.values(record).some((paths) => PATHS.some((path) => paths[path] > 1)))).toBe(
    true,
  );
}
