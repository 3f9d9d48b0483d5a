// Sites of several components that hold a width of frequency response, beside deltas: what a fifth of a second at a time
// gives, by component and path, and what the response has moved.
import { expect, test } from "vitest";
import { roundKw } from "../../../src/base/rounding.ts";
import { planValueAt, siteBaseline } from "../../../src/site/siteBaseline.ts";
import type { SiteSpec } from "../../../src/site/siteSpec.ts";
import { RowKeeper } from "../../record/tableRows.ts";
import { at, awardsOf, eastOf, eventsOf, run, T0, world } from "../../world/tinyWorld.ts";
import { evenSeries } from "../stepper/build.ts";
import { drawingOf, randomAwards, randomSite } from "./randomSite.ts";
import { SteppedSite } from "./steppedSite.ts";

const HOURS = 6;
const END = T0 + HOURS * 3_600_000;
const STEP_MS = 200;
const HOLDS_FROM = "00:30";
const HOLDS_UNTIL = "05:00";
const PATHS = ["fromGenerator", "fromGrid", "toLoad", "toBattery", "toGrid"] as const;
const COLUMN = {
  fromGenerator: "from_generator_kwh",
  fromGrid: "from_grid_kwh",
  toLoad: "to_load_kwh",
  toBattery: "to_battery_kwh",
  toGrid: "to_grid_kwh",
} as const;

/** Batteries that may, some of them; the connection point is only narrow for one battery and a load that stands still. */
function capableSite(seed: number): SiteSpec {
  const draw = drawingOf(seed + 3_000_000);
  const drawn = randomSite(seed);
  const batteries = drawn.components.filter(({ kind }) => kind === "battery").length;
  const isStepped = drawn.components.every(
    (part) =>
      (part.kind !== "generator" || part.generationKw.interpolation === "step") &&
      (part.kind !== "consumer" || part.loadKw.interpolation === "step"),
  );
  const components = drawn.components.map((part, k) =>
    part.kind === "battery" ? { ...part, fcrCapable: k === 0 || draw.chance(0.7) } : part,
  );
  const isWide = batteries !== 1 || !isStepped;
  return {
    ...drawn,
    components,
    capability: {
      ...drawn.capability,
      fcrCapable: true,
      reverseFlowAllowed: isWide || drawn.capability.reverseFlowAllowed,
    },
    constraints: isWide ? { ...drawn.constraints, siteExportMaxKw: 1e6, siteImportMaxKw: 1e6 } : drawn.constraints,
  };
}

/** Ten seconds a value, sometimes for long beyond the dead band. */
function frequency(seed: number) {
  const draw = drawingOf(seed + 4_000_000);
  let hz = 50;
  return evenSeries(
    "f",
    1 / 6,
    Array.from({ length: HOURS * 360 + 1 }, () => {
      if (draw.chance(0.02)) hz = 50 + draw.whole(-15, 15) / 10;
      return hz + draw.whole(-20, 20) / 1000;
    }),
  );
}

for (let seed = 1; seed <= 30; seed++)
  test(`site of seed ${seed}: paths and response of a site that holds a width are what small steps give`, () => {
    const site = capableSite(seed);
    const hz = frequency(seed);
    const withOutage = seed % 3 === 0;
    const awards = awardsOf(
      `${HOLDS_FROM}-${HOLDS_UNTIL} ~${20 + 7 * (seed % 9)} fcr`,
      ...randomAwards(seed).map((line) => `${line} rr`),
    );
    const spec = world([site], {
      endMs: END,
      vpps: [eastOf([site], [1])],
      awards,
      frequencyHz: hz,
      events: withOutage ? eventsOf("fcr_fault 0 02:10-02:40") : [],
    });
    const components = new RowKeeper();
    const ran = run(spec, { intervalMs: 1_800_000, components });
    const one = new SteppedSite(site);
    const { plan, slots } = siteBaseline(site, T0, END);
    const latest = (awardId: string, atMs: number) =>
      ran.dispatch.filter(({ award_id, at: when }) => award_id === awardId && Number(when) <= atMs).at(-1);
    const differences: string[] = [];
    let before = one.parts.map(({ paths }) => ({ ...paths }));
    for (let atMs = T0; atMs < END; atMs += STEP_MS) {
      const running = awards.filter(
        ({ startMs, endMs, awardId }) =>
          startMs <= atMs && atMs < endMs && latest(awardId, atMs)?.dispatch_status === "dispatched",
      );
      const rows = running.map(({ awardId }) => latest(awardId, atMs));
      const faulty = withOutage && at("02:10") <= atMs && atMs < at("02:40");
      const kw = rows.reduce((sum, row) => sum + Number(row?.fcr_response_kw ?? 0), 0);
      one.step(atMs, STEP_MS, {
        told:
          running.length === 0
            ? null
            : {
                deltaKw: rows.reduce((sum, row) => sum + Number(row?.delta_kw ?? 0), 0),
                baselineKw: roundKw(planValueAt(slots, running[0].startMs)),
              },
        inService: true,
        outputLimit: 1,
        planKw: planValueAt(plan, atMs + STEP_MS / 2),
        // A device at fault answers like one that measures the reference.
        width: { kw, hz: faulty ? 50 : hz.valueAt(atMs + STEP_MS / 2) },
      });
      const sinceMs = atMs + STEP_MS - T0;
      if (sinceMs % 1_800_000 !== 0) continue;
      const record = sinceMs / 1_800_000 - 1;
      one.parts.forEach(({ spec: { componentId }, paths }, k) => {
        const row = components.rows.find(
          (found) => found.component === componentId && Number(found.start) === T0 + record * 1_800_000,
        );
        for (const path of PATHS) {
          const kwh = paths[path] - before[k][path];
          const found = Number(row?.[COLUMN[path]] ?? 0);
          if (Math.abs(found - kwh) > 0.05)
            differences.push(`${record} ${componentId} ${path}: ${found}, stepped ${kwh}`);
        }
      });
      before = one.parts.map(({ paths }) => ({ ...paths }));
    }
    expect(differences).toEqual([]);
    const row = ran.record.awards.find(({ awardId }) => awardId === "A1");
    // A twentieth of a kWh a record, as everywhere.
    expect(Math.abs((row?.fcr?.activatedUpKwh ?? 0) - one.upKwh)).toBeLessThan(0.05 * 2 * HOURS);
    expect(Math.abs((row?.fcr?.activatedDownKwh ?? 0) - one.downKwh)).toBeLessThan(0.05 * 2 * HOURS);
    if (Number(latest("A1", END)?.fcr_response_kw ?? 0) > 5) expect(one.upKwh + one.downKwh).toBeGreaterThan(0.5);
  });
