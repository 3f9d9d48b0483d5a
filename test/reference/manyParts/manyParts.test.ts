import { expect, test } from "vitest";
import { roundKw } from "../../../src/base/rounding.ts";
import { planValueAt, siteBaseline } from "../../../src/site/baseline/siteBaseline.ts";
import type { SiteSpec } from "../../../src/site/siteSpec.ts";
import { type Row, RowKeeper } from "../../accounting/tableRows.ts";
import { runs, seedsFrom } from "../../depth.ts";
import { at, awardsOf, eastOf, eventsOf, run, T0, world } from "../../simulation/tinyWorld.ts";
import { drawingOf, randomAwards, randomSite } from "./randomSite.ts";
import { type Outside, type Paths, SteppedSite } from "./steppedSite.ts";

const HALF_HOUR = 1_800_000;
const HOURS = 6;
const END = T0 + HOURS * 3_600_000;
const STEP_MS = 200;
const PATHS: readonly (keyof Paths)[] = ["fromGenerator", "fromGrid", "toLoad", "toBattery", "toGrid", "curtailed"];
const COLUMN: Record<keyof Paths, string> = {
  fromGenerator: "from_generator_kwh",
  fromGrid: "from_grid_kwh",
  toLoad: "to_load_kwh",
  toBattery: "to_battery_kwh",
  toGrid: "to_grid_kwh",
  curtailed: "curtailed_kwh",
};

/** A world of one such site for six hours, with an outage and an output control now and then. */
function randomWorld(seed: number) {
  const site = randomSite(seed);
  const draw = drawingOf(seed + 2_000_000);
  const events: string[] = [];
  if (draw.chance(0.3)) events.push("outage 0 02:10-02:40");
  if (draw.chance(0.5)) events.push("output_control 0 03:00-04:30 40 fit_curtailment");
  const spec = world([site], {
    endMs: END,
    vpps: [eastOf([site], [1])],
    awards: awardsOf(...randomAwards(seed)),
    events: eventsOf(...events),
  });
  return { site, spec, events };
}

function runWith(spec: ReturnType<typeof randomWorld>["spec"], intervalMs: number) {
  const components = new RowKeeper();
  const ran = run(spec, { intervalMs, components });
  return { ...ran, components: components.rows };
}

/** What the site was told from when on, as the dispatch table has it. */
function toldAt(dispatch: readonly Row[], awards: ReturnType<typeof awardsOf>, baselineAt: (ms: number) => number) {
  return (atMs: number): Outside["told"] => {
    const award = awards.find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
    if (award === undefined) return null;
    const row = dispatch.filter(({ award_id, at: when }) => award_id === award.awardId && Number(when) <= atMs).at(-1);
    if (row === undefined || row.dispatch_status !== "dispatched") return null;
    return { deltaKw: Number(row.delta_kw), baselineKw: roundKw(baselineAt(award.startMs)) };
  };
}

function stepped(
  site: SiteSpec,
  spec: ReturnType<typeof randomWorld>["spec"],
  dispatch: readonly Row[],
  events: readonly string[],
) {
  const one = new SteppedSite(site);
  const { plan, slots } = siteBaseline(site, T0, END);
  const told = toldAt(dispatch, [...spec.awards], (ms) => planValueAt(slots, ms));
  const isOut = events.some((event) => event.startsWith("outage"));
  const isControlled = events.some((event) => event.startsWith("output"));
  const records: Record<string, Paths>[] = [];
  let before = one.parts.map(({ paths }) => ({ ...paths }));
  for (let atMs = T0; atMs < END; atMs += STEP_MS) {
    one.step(atMs, STEP_MS, {
      told: told(atMs),
      inService: !(isOut && at("02:10") <= atMs && atMs < at("02:40")),
      outputLimit: isControlled && at("03:00") <= atMs && atMs < at("04:30") ? 0.4 : 1,
      planKw: planValueAt(plan, atMs + STEP_MS / 2),
    });
    if ((atMs + STEP_MS - T0) % HALF_HOUR !== 0) continue;
    const now = one.parts.map(({ paths }) => ({ ...paths }));
    records.push(
      Object.fromEntries(one.parts.map(({ spec: { componentId } }, k) => [componentId, less(now[k], before[k])])),
    );
    before = now;
  }
  return records;
}

function less(now: Paths, before: Paths): Paths {
  const difference = { ...now };
  for (const path of PATHS) difference[path] -= before[path];
  return difference;
}

for (const seed of seedsFrom(1, runs(40)))
  test(`site of seed ${seed}: every path of every half hour is what small steps give`, () => {
    const { site, spec, events } = randomWorld(seed);
    const ran = runWith(spec, HALF_HOUR);
    const records = stepped(site, spec, ran.dispatch, events);
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
  });
