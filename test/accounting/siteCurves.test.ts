import { describe, expect, test } from "vitest";
import { AREAS_MAX, missingAreas } from "../../src/accounting/recorders/missingAreas.ts";
import type { Polyline } from "../../src/accounting/recorders/polyline.ts";
import { CAUSE_INDEX } from "../../src/accounting/settlement/causes.ts";
import { MS_PER_DAY, MS_PER_HOUR } from "../../src/base/time.ts";
import {
  at,
  batterySites,
  eastVpp,
  findAwardRow,
  findSiteRow,
  formatClock,
  losslessBattery,
  parseAwards,
  parseEvents,
  round3,
  runSites,
  site,
} from "../simulation/smallWorld.ts";

const linesOf = ({ atMs, values }: Polyline): string[] =>
  Array.from(atMs, (instant, k) => `${formatClock(instant)} ${round3(values[k])}`);

/** Area under a polyline in kWh; `only` limits it to one sign. */
function areaKwh({ atMs, values }: Polyline): number {
  let area = 0;
  for (let k = 1; k < atMs.length; k++) area += 0.5 * (values[k - 1] + values[k]) * (atMs[k] - atMs[k - 1]);
  return area / MS_PER_HOUR;
}

describe("a battery with a ramp of 1 kW/s and an outage", () => {
  const sites = [site("a", losslessBattery({ rampKwPerS: 1 })), ...batterySites(200).map((b) => ({ ...b, name: "b" }))];
  const ran = runSites(sites, {
    endMs: at("02:00"),
    vpps: [eastVpp(sites, [100, 100])],
    awards: parseAwards("00:30-01:00 -240 frr"),
    events: parseEvents("outage 0 00:45-01:15"),
  });
  const [a] = ran.record.siteCurves;
  const [east] = ran.record.timelines;

  test("the power has the instants of the ramp and of the outage", () => {
    // 120 kW at 1 kW/s: two minutes.
    expect(linesOf(a.powerKw)).toEqual(["00:00 0", "00:30 0", "00:32 -120", "00:45 -120", "00:45 0", "02:00 0"]);
    expect(linesOf(a.setpointKw)).toEqual(["00:00 0", "00:30 0", "00:30 -120", "00:45 -120", "00:45 0", "02:00 0"]);
    expect(linesOf(a.baselineKw)).toEqual(["00:00 0", "02:00 0"]);
  });

  test("the state of charge is read along the ramp", () => {
    // 2 min of ramp: 2 kWh; 13 min of 120 kW: 26 kWh of 1,000 kWh.
    expect(linesOf(a.socPct)).toEqual([
      "00:00 50",
      "00:30 50",
      "00:31 49.95",
      "00:32 49.8",
      "00:45 47.2",
      "02:00 47.2",
    ]);
  });

  test("the areas are the energy of the tables", () => {
    expect(areaKwh(a.powerKw)).toBeCloseTo(-findSiteRow(ran, "a").exportKwh, 3);
    const { requestedKwh, deliveredKwh } = findAwardRow(ran, "A1");
    expect(areaKwh(east.requestedKw)).toBeCloseTo(requestedKwh ?? Number.NaN, 6);
    expect(areaKwh(east.deliveredKw)).toBeCloseTo(deliveredKwh ?? Number.NaN, 6);
  });

  test("what is missing has its causes: power that was allocated, and power that was not", () => {
    // a ramps to 120 kW; from the outage on b has 200 of the 240 kW.
    expect(east.missing).toEqual([
      {
        cause: "out_of_service",
        startMs: at("00:45"),
        endMs: at("01:00"),
        fromKw: [-240, -240],
        toKw: [-200, -200],
      },
      { cause: "ramp", startMs: at("00:30"), endMs: at("00:32"), fromKw: [-240, -240], toKw: [-120, -240] },
    ]);
  });
});

test("output control has its period and limit", () => {
  const sites = batterySites(100);
  const ran = runSites(sites, {
    endMs: at("02:00"),
    vpps: [eastVpp(sites, [100])],
    events: parseEvents("output_control 0 00:30-01:00 40 fit_curtailment"),
  });
  expect(ran.record.outputControls).toEqual([{ site: "a", startMs: at("00:30"), endMs: at("01:00"), limitPct: 40 }]);
});

test("bins have the lowest, mean and highest state of charge within them", () => {
  const sites = [site("a", losslessBattery({ importMaxKw: 200, exportMaxKw: 200 }))];
  // Ten days have bins of a quarter of an hour. 60 kW for 10 minutes charge 1 % of 1,000 kWh.
  const ran = runSites(sites, {
    endMs: at("00:00") + 10 * MS_PER_DAY,
    vpps: [eastVpp(sites, [100])],
    awards: parseAwards("00:05-00:15 60", "00:20-00:25 -120"),
  });
  const [{ socPct, envelope, hours }] = ran.record.soc.batteries;
  expect(envelope.bins).toEqual({ startMs: at("00:00"), binMs: 0.25 * MS_PER_HOUR, count: 960 });
  const binOf = (k: number) => [envelope.min[k], envelope.mean[k], envelope.max[k]].map(round3);
  // 50 for 5 minutes, then up to 51 in 10; 5 minutes at 51, down to 50 in 5, then 50.
  expect(binOf(0)).toEqual([50, round3((5 * 50 + 10 * 50.5) / 15), 51]);
  expect(binOf(1)).toEqual([50, round3((5 * 51 + 5 * 50.5 + 5 * 50) / 15), 51]);
  expect(binOf(2)).toEqual([50, 50, 50]);
  expect(round3(hours?.mean[0] ?? 0)).toBe(round3((10 * 50.5 + 5 * 51 + 5 * 50.5 + 40 * 50) / 60));
  expect(linesOf(socPct)).toEqual(["00:00 50", "00:05 50", "00:15 51", "00:20 51", "00:25 50", "00:00 50"]);
});

test("missing power is one cause beside the other, from the request towards 0; the largest areas are kept", () => {
  const curve = (...points: [number, number][]) => ({
    atMs: Float64Array.from(points, ([atMs]) => atMs),
    values: Float64Array.from(points, ([, value]) => value),
    thinnedMs: 0,
  });
  // A request of 100 kW that becomes 60 kW at 2000 ms.
  const requestedKw = curve([0, -100], [2000, -100], [2000, -60], [4000, -60]);
  const missing = new Map([
    [CAUSE_INDEX.ramp, curve([0, -40], [1000, 0], [4000, 0])],
    [CAUSE_INDEX.energy_limit, curve([0, -20], [2000, -20], [2000, -10], [4000, -10])],
  ]);
  expect(missingAreas(requestedKw, missing)).toEqual([
    { cause: "energy_limit", startMs: 0, endMs: 2000, fromKw: [-100, -100], toKw: [-80, -80] },
    { cause: "energy_limit", startMs: 2000, endMs: 4000, fromKw: [-60, -60], toKw: [-50, -50] },
    { cause: "ramp", startMs: 0, endMs: 1000, fromKw: [-80, -80], toKw: [-40, -80] },
  ]);
  // A thousand pulses of 1 to 1000 kW.
  const pulses = Array.from({ length: 1000 }, (_, k): [number, number][] => [
    [10 * k, 0],
    [10 * k, k + 1],
    [10 * k + 5, k + 1],
    [10 * k + 5, 0],
  ]);
  const areas = missingAreas(
    curve([0, 2000], [10_000, 2000]),
    new Map([[CAUSE_INDEX.weather, curve(...pulses.flat())]]),
  );
  expect(areas).toHaveLength(AREAS_MAX);
  expect(Math.min(...areas.map(({ fromKw, toKw }) => fromKw[0] - toKw[0]))).toBe(601);
});
