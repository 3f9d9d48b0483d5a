// Connection limits that change with time (docs/model/connection-point.md#limits-by-time): small worlds, worked out by hand.
import { describe, expect, test } from "vitest";
import type { RunOptions } from "../../src/accounting/simulationRun.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import { runWorld } from "../runWorld.ts";
import {
  at,
  consumer,
  eastVpp,
  evenSeries,
  findAwardRow,
  findSiteRow,
  flat,
  losslessBattery,
  nonZeroCauses,
  parseAwards,
  powerLines,
  pumped,
  pv,
  type RunTables,
  runSites,
  site,
  thermal,
  world,
} from "./smallWorld.ts";

/** Kilowatts by half hour from 00:00. */
const halfHours = (...kw: readonly number[]) => evenSeries("limit", 30, kw);
const EXPORT = halfHours(400, 400, 150, 150, 400);
const IMPORT = halfHours(300, 300, 100, 100, 300);

const limited = (spec: SiteSpec, limits: Partial<SiteSpec["constraints"]>): SiteSpec => ({
  ...spec,
  constraints: { ...spec.constraints, ...limits },
});
const batterySite = (limits: Partial<SiteSpec["constraints"]>, given = {}) =>
  limited(site("a", losslessBattery(given)), limits);

/** One site under these awards for two hours. */
const run = (spec: SiteSpec, ...awards: readonly string[]): RunTables =>
  runSites([spec], { awards: parseAwards(...awards) });

const limitEvents = ({ events }: RunTables) =>
  events.filter(({ kind }) => kind === "connection_limit").map(({ subject, detail }) => `${subject}: ${detail}`);

describe("a battery", () => {
  test("is cut where the limit falls within an award, and the shortfall is a power limit", () => {
    const ran = run(batterySite({ siteExportMaxKw: EXPORT }), "00:30-01:30 -400");
    const row = findAwardRow(ran, "A1");
    expect(powerLines(ran, "a")).toEqual(["00:00 0", "00:30 -400", "01:00 -150", "01:30 0"]);
    expect(row.deliveredKwh).toBeCloseTo(-0.5 * 400 - 0.5 * 150, 9);
    expect(row.uncoveredKw).toBe(0);
    expect(nonZeroCauses(row.shortfallByCauseKwh)).toEqual({ power_limit: 125 });
  });

  test("is dispatched within the limit that begins at the instant of the dispatch", () => {
    const row = findAwardRow(run(batterySite({ siteExportMaxKw: EXPORT }), "01:00-01:30 -400"), "A1");
    expect(row.uncoveredKw).toBe(-250);
    expect(row.deliveredKwh).toBeCloseTo(-75, 9);
  });

  test("holds its set-point where the limit rises within an award", () => {
    const ran = run(batterySite({ siteImportMaxKw: halfHours(100, 300, 300, 300, 300) }), "00:00-01:00 250");
    expect(powerLines(ran, "a")).toEqual(["00:00 100", "01:00 0"]);
    expect(nonZeroCauses(findAwardRow(ran, "A1").shortfallByCauseKwh)).toEqual({ power_limit: 150 });
  });

  test("has its auxiliaries within both limits", () => {
    const ran = run(
      batterySite({ siteImportMaxKw: IMPORT, siteExportMaxKw: EXPORT }, { auxiliaryKw: 4 }),
      "00:30-01:30 300",
    );
    expect(powerLines(ran, "a")).toEqual(["00:00 4", "00:30 300", "01:00 100", "01:30 4"]);
  });

  test("resumes with the limit of the instant at which an outage ends", () => {
    const ran = runSites([batterySite({ siteExportMaxKw: EXPORT })], {
      awards: parseAwards("00:30-01:30 -400"),
      events: [{ kind: "outage", atMs: at("00:59:10"), untilMs: at("01:00:10"), site: 0, settled: false }],
    });
    expect(powerLines(ran, "a")).toEqual(["00:00 0", "00:30 -400", "01:00 null", "01:01 -150", "01:30 0"]);
  });
});

test("PV exports within sun and limit, and its baseline `perfect` is the same", () => {
  const falling = evenSeries("sun", 60, [600, 200, 200], "linear");
  for (const sun of [flat(300), falling]) {
    const spec = limited(site("a", pv(sun), { baseline: { method: "perfect" } }), { siteExportMaxKw: EXPORT });
    const ran = run(spec);
    const baseline = ran.energy.map(({ baseline_kwh }) => Number(baseline_kwh));
    const power = ran.energy.map(({ export_kwh }) => -Number(export_kwh));
    if (sun === falling) {
      // 400 kW until 00:30, then the line to 200 kW at 01:00, then 150 kW; steps of the limit within the plan take 1 ms.
      expect(power.map((kwh) => Math.round(1000 * kwh) / 1000)).toEqual([-200, -150, -75, -75]);
    } else expect(power).toEqual([-150, -150, -75, -75]);
    baseline.forEach((kwh, k) => expect(kwh).toBeCloseTo(power[k], 3));
  }
});

test("thermal plants, pumps, and a site of several components keep within the limits in force", () => {
  const plant = run(limited(site("a", thermal()), { siteExportMaxKw: EXPORT }), "00:30-01:30 -400");
  expect(powerLines(plant, "a")).toEqual(["00:00 0", "00:30 -400", "01:00 -150", "01:30 0"]);
  const pump = run(limited(site("a", pumped()), { siteImportMaxKw: IMPORT }), "00:30-01:30 300");
  expect(powerLines(pump, "a")).toEqual(["00:00 0", "00:30 300", "01:00 100", "01:30 0"]);
  const composite = limited(
    {
      ...site("a", losslessBattery()),
      components: [losslessBattery({ componentId: "bat" }), pv(flat(100)), consumer(flat(50), { componentId: "load" })],
    },
    { siteExportMaxKw: EXPORT },
  );
  // Load 50, PV −100, battery −300: from 01:00 the battery keeps the sum at the limit.
  expect(powerLines(run(composite, "00:30-01:30 -300"), "a")).toEqual([
    "00:00 -50",
    "00:30 -350",
    "01:00 -150",
    "01:30 -50",
  ]);
});

test("FCR capacity is within the limit at its start", () => {
  const spec = {
    ...batterySite({ siteExportMaxKw: EXPORT }, { fcrCapable: true }),
    capability: { ...site("a", losslessBattery({ fcrCapable: true })).capability },
  };
  const uncoveredKw = ["00:30-01:00", "01:00-01:30"].map(
    (period) => findAwardRow(run(spec, `${period} ~450 fcr`), "A1").fcr?.uncoveredKw,
  );
  expect(uncoveredKw).toEqual([50, 300]);
});

describe("events", () => {
  test("are one for each change of a value, with both limits", () => {
    const ran = run(batterySite({ siteExportMaxKw: EXPORT, siteImportMaxKw: IMPORT }));
    expect(limitEvents(ran)).toEqual(["a: import 100 kW, export 150 kW"]);
    const single = run(batterySite({ siteExportMaxKw: EXPORT }));
    expect(limitEvents(single)).toEqual(["a: import unlimited, export 150 kW"]);
  });

  test("do not come with stamps: a limit by minutes with one change costs one event more than a constant one", () => {
    const spec = (limit: SiteSpec["constraints"]["siteExportMaxKw"]) =>
      world([batterySite({ siteExportMaxKw: limit })], { awards: parseAwards("00:10-00:20 -100") });
    const options: RunOptions = { intervalMs: 1_800_000 };
    const byMinutes = evenSeries(
      "limit",
      1,
      Array.from({ length: 180 }, (_, k) => (k < 60 ? 400 : 150)),
    );
    const constant = runWorld(spec(400), options).eventCount;
    expect(runWorld(spec(byMinutes), options).eventCount).toBe(constant + 1);
  });
});

test("a run for key figures, which batches plain sites, gives the same figures", () => {
  const sites = [batterySite({ siteExportMaxKw: EXPORT }), { ...site("b", losslessBattery()), emsId: "b".repeat(32) }];
  const spec = world(sites, { vpps: [eastVpp(sites, [100, 100])], awards: parseAwards("00:30-01:30 -600") });
  const full = runWorld(spec, { intervalMs: 1_800_000 });
  const kpisOnly = runWorld(spec, { intervalMs: 0, timelines: false, causes: false, rows: false });
  expect(kpisOnly.kpis.get("shortfall_kwh")).toBe(full.kpis.get("shortfall_kwh"));
  expect(full.kpis.get("shortfall_kwh")).toBeCloseTo(75, 9);
  expect(kpisOnly.kpis.get("export_kwh")).toBe(full.kpis.get("export_kwh"));
  expect(findSiteRow(runSites(sites, { awards: spec.awards, vpps: spec.vpps }), "a").exportKwh).toBeCloseTo(225, 9);
});
