// What sites give to the grid frequency, worked out by hand: 50 Hz, dead bands 0.01 Hz and droops 5 % unless said otherwise.
import { describe, test } from "vitest";
import { Series } from "../../src/engine/series/model/series.ts";
import { at, consumer, evenSeries, flat, losslessBattery, pumped, site, T0, thermal } from "./smallWorld.ts";
import { checkWorldCase, type WorldCase } from "./worldCases.ts";

const FCR_CAPABLE = { fcrCapable: true } as const;
const battery = (given: Parameters<typeof losslessBattery>[0] = {}) =>
  site("a", losslessBattery({ importMaxKw: 1000, exportMaxKw: 1000, ratedCapKwh: 4000, ...FCR_CAPABLE, ...given }));
const hz = (frequencyHz: Series | number) => ({ world: { frequencyHz } });
/** 1 Hz beyond the dead band asks 40 % of the rating, 2.5 Hz all of it. */
const UP_40 = 51.01;
const DOWN_40 = 48.99;
const steps = (minutes: number, ...values: readonly number[]) => evenSeries("f", minutes, values);
const HOUR = "00:00-01:00";

const FCR_ALONE: readonly WorldCase[] = [
  {
    title: "a frequency above the dead band has it import, for as long as the award runs",
    sites: [battery()],
    ...hz(UP_40),
    awards: [`${HOUR} ~500 fcr`],
    powerKw: { a: ["00:00 400", "01:00 0"] },
    expectedAwards: {
      A1: { fcr: { activatedUpKwh: 400, activatedDownKwh: 0, meanResponseKw: 400, minutesAtBound: 0 } },
    },
    expectedSites: { a: { importKwh: 400, exportKwh: 0, socFinalPct: 60 } },
  },
  {
    title: "the FCR capacity limits the response",
    sites: [battery()],
    ...hz(DOWN_40),
    awards: [`${HOUR} ~100 fcr`],
    powerKw: { a: ["00:00 -100", "01:00 0"] },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 0, activatedDownKwh: 100, meanResponseKw: 100 } } },
  },
  {
    // The end of every step is exact: 20 minutes each of 400, 0 and -400 kW.
    title: "a frequency that steps",
    sites: [battery()],
    ...hz(steps(20, UP_40, 50.01, DOWN_40, 50, 50, 50)),
    awards: [`${HOUR} ~500 fcr`],
    powerKw: { a: ["00:00 400", "00:20 0", "00:40 -400", "01:00 0"] },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 133.333, activatedDownKwh: 133.333, meanResponseKw: 266.667 } } },
    expectedSites: { a: { importKwh: 133.333, exportKwh: 133.333, socFinalPct: 50 } },
  },
  {
    // From 49 to 51 Hz in an hour: 0.9 Hz of response at the ends is 360 kW, dead for 6 minutes in the middle.
    // Cut at 200 kW, which 0.5 Hz beyond the dead band ask: flat for 12 minutes, then down to 0 in 15. 40 + 25 kWh.
    title: "a linear frequency, with corners at the FCR capacity and the dead band",
    sites: [{ ...battery(), fcr: { ...battery().fcr, upDeadbandHz: 0.1, lowDeadbandHz: 0.1 } }],
    ...hz(evenSeries("f", 60, [49, 51, 51], "linear")),
    awards: [`${HOUR} ~200 fcr`],
    powerKw: { a: movedEnergy((minutes) => Math.sign(minutes) * Math.max(0, Math.abs(minutes) - 3)) },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 65, activatedDownKwh: 65, meanResponseKw: 130 } } },
    expectedSites: { a: { importKwh: 65, exportKwh: 65, socFinalPct: 50 } },
  },
  {
    // As before, with the whole deviation from 0.1 Hz on: 40 kW at the edges, after 27 and 33 minutes. 200 kW at 0.5 Hz,
    // for 15 minutes; then down to 40 kW in 12. 50 + 24 kWh.
    title: "a linear frequency with a full dead band steps at its edges",
    sites: [{ ...battery(), fcr: { ...battery().fcr, upDeadbandHz: 0.1, lowDeadbandHz: 0.1, deadbandForm: "full" } }],
    ...hz(evenSeries("f", 60, [49, 51, 51], "linear")),
    awards: [`${HOUR} ~200 fcr`],
    powerKw: { a: movedEnergy((minutes) => (minutes < -3 || 3 <= minutes ? minutes : 0)) },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 74, activatedDownKwh: 74, meanResponseKw: 148 } } },
    expectedSites: { a: { importKwh: 74, exportKwh: 74, socFinalPct: 50 } },
  },
  {
    // 20 minutes each of 400, 0 and -400 kW, all a minute later; the award ends before the last minute.
    title: "a delayed response follows the frequency of a minute ago, and ends with the award",
    sites: [{ ...battery(), fcr: { ...battery().fcr, responseDelayMs: 60_000 } }],
    ...hz(steps(20, UP_40, 50.01, DOWN_40, 50, 50, 50)),
    awards: [`${HOUR} ~500 fcr`],
    powerKw: { a: ["00:00 400", "00:21 0", "00:41 -400", "01:00 0"] },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 140, activatedDownKwh: 126.667, meanResponseKw: 266.667 } } },
  },
  {
    // 400 kWh of room at 400 kW: full after an hour but for the losses. 1600 kWh at 50 % of 4000: 0.5 * 400 kW fill 100 in 30 min.
    title: "a full battery responds no further upward, and its time at the bound is reported",
    sites: [battery({ socOpMaxPct: 52.5, chargeEfficiency: 0.5 })],
    ...hz(UP_40),
    awards: [`${HOUR} ~500 fcr`],
    powerKw: { a: ["00:00 400", "00:30 0"] },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 200, meanResponseKw: 200, minutesAtBound: 30 } } },
    expectedEvents: ["soc_bound a: full"],
  },
  {
    title: "a fault stops the response at once and for its time only",
    sites: [battery()],
    ...hz(UP_40),
    awards: [`${HOUR} ~500 fcr`],
    events: ["fcr_fault 0 00:15:30-00:30:30"],
    powerKw: { a: ["00:00 400", "00:16 0", "00:31 400", "01:00 0"] },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 300 } } },
  },
  {
    title: "the response sits on the instructed baseline",
    sites: [{ ...battery(), baseline: { method: "constant", kw: -300 } }],
    ...hz(UP_40),
    awards: [`${HOUR} ~500 fcr`],
    powerKw: { a: ["00:00 100", "01:00 -300"] },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 400 } } },
  },
  {
    // Ten seconds to 400 kW: 2000 kWs are missing at the start. The tail after the end is nobody's response.
    title: "a ramp bears on the response",
    sites: [battery({ rampKwPerS: 40 })],
    ...hz(UP_40),
    awards: ["00:00-00:30 ~500 fcr"],
    expectedAwards: { A1: { fcr: { activatedUpKwh: 199.444 } } },
    expectedSites: { a: { importKwh: 200 } },
  },
  {
    title: "a delay bears on the order, not on the answer to the frequency",
    sites: [battery({ responseDelayMs: 90_000 })],
    ...hz(steps(10, UP_40, DOWN_40, UP_40, 50, 50, 50, 50, 50, 50, 50, 50, 50)),
    awards: ["00:00-00:15 ~500 fcr"],
    powerKw: { a: ["00:00 0", "00:02 400", "00:10 -400", "00:17 0"] },
    // 8.5 minutes up, 5 minutes down.
    expectedAwards: { A1: { fcr: { activatedUpKwh: 56.667, activatedDownKwh: 33.333 } } },
  },
  {
    // It runs at 500 kW of 1000: droop counts by 1000. Ramp 100 kW a minute.
    title: "a thermal plant gives less and more, ramp and all",
    sites: [
      site("a", thermal({ minOutputKw: 200, rampKwPerMin: 100, ...FCR_CAPABLE }), {
        baseline: { method: "constant", kw: -500 },
      }),
    ],
    ...hz(steps(20, 50.51, 49.49, 50, 50, 50, 50)),
    awards: [`${HOUR} ~300 fcr`],
    powerKw: {
      a: [
        "00:00 -500",
        "00:01 -400",
        "00:02 -300",
        "00:20 -300",
        "00:21 -400",
        "00:22 -500",
        "00:23 -600",
        "00:24 -700",
        "00:40 -700",
        "00:41 -600",
        "00:42 -500",
      ].filter((line) => !["00:20 -300", "00:40 -700"].includes(line)),
    },
    // Up 200 kW for 20 minutes less 200 kW·min on the way; down the same, less the two minutes down to the baseline.
    expectedAwards: { A1: { fcr: { activatedUpKwh: 63.333, activatedDownKwh: 56.667 } } },
  },
  {
    // It pumps at 600 of 1000 kW: 400 up. 100 kWh are free: full after 6 minutes, with 1000 kW wanted.
    title: "a pumped storage plant stands when its reservoir is full",
    sites: [site("a", pumped({ initialFillPct: 90 }, FCR_CAPABLE), { baseline: { method: "constant", kw: 600 } })],
    ...hz(UP_40),
    awards: [],
    instructions: [],
    powerKw: { a: ["00:00 600", "00:10 0"] },
  },
  {
    // P is the contract, 1000 kW. 60 kW of load leave 60 down; up there is room to 1000.
    title: "a consumer draws more or less, within load and contract",
    sites: [
      site("a", consumer(steps(30, 60, 60, 60, 60), { contractKw: 1000, maxDrReductionKw: 60, ...FCR_CAPABLE }), {
        baseline: { method: "constant", kw: 60 },
      }),
    ],
    ...hz(steps(15, UP_40, DOWN_40, 50, 50, 50, 50, 50, 50)),
    awards: [`${HOUR} ~60 fcr`],
    powerKw: { a: ["00:00 120", "00:15 0", "00:30 60"] },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 15, activatedDownKwh: 15, meanResponseKw: 30 } } },
  },
  {
    // The load falls to 20 kW after the award has begun; 990 of 1000 kW leave 10 up.
    title: "a load that is too small, or too near its contract, gives what it can",
    sites: [
      site(
        "a",
        consumer(steps(15, 60, 20, 990, 60, 60, 60, 60, 60), {
          contractKw: 1000,
          maxDrReductionKw: 60,
          ...FCR_CAPABLE,
        }),
        {
          baseline: { method: "constant", kw: 60 },
        },
      ),
    ],
    ...hz(steps(15, DOWN_40, DOWN_40, UP_40, 50, 50, 50, 50, 50)),
    awards: [`${HOUR} ~50 fcr`],
    powerKw: { a: ["00:00 10", "00:15 0", "00:30 1000", "00:45 60"] },
    // 12.5 + 5 down, 2.5 up
    expectedAwards: { A1: { fcr: { activatedUpKwh: 2.5, activatedDownKwh: 17.5 } } },
  },
];

/** Powers of an hour from 49 to 51 Hz, cut at 200 kW. @param counted  what counts of the minutes from 50 Hz, 40/3 kW each */
function movedEnergy(counted: (minutes: number) => number): string[] {
  const lines: string[] = [];
  for (let minute = 0; minute < 60; minute++) {
    const kw = Math.max(-200, Math.min(200, Math.round((counted(minute - 30) * 200000) / 15) / 1000));
    lines.push(`00:${String(minute).padStart(2, "0")} ${kw || 0}`);
  }
  return [...lines.filter((line, k) => k === 0 || line.slice(6) !== lines[k - 1].slice(6)), "01:00 0"];
}

describe("frequency response alone", () => test.each(FCR_ALONE)("$title", checkWorldCase));

const FCR_WITH_DELTA: readonly WorldCase[] = [
  {
    // The delta is delivered to the last kWh although the power moves: target -300 ± 200.
    title: "a delta beside a response is credited whole",
    sites: [battery()],
    ...hz(steps(20, UP_40, 50, DOWN_40, 50, 50, 50)),
    awards: [`${HOUR} -300 frr`, `${HOUR} ~200 fcr`],
    powerKw: { a: ["00:00 -100", "00:20 -300", "00:40 -500", "01:00 0"] },
    expectedAwards: {
      A1: { deliveredKwh: -300, shortfallKwh: 0, excessKwh: 0 },
      A2: { fcr: { activatedUpKwh: 66.667, activatedDownKwh: 66.667 } },
    },
  },
  {
    // An output control at 40 % leaves 400 kW of the 500 that are wanted: the response keeps its 200.
    title: "if a limit cuts the sum, the delta is reduced first (docs/model/frequency-response.md#reduced-deltas)",
    sites: [battery()],
    ...hz(DOWN_40),
    awards: [`${HOUR} -300 frr`, `${HOUR} ~200 fcr`],
    events: ["output_control 0 00:00:30-02:00 40 manual"],
    powerKw: { a: ["00:00 -500", "00:01 -400", "01:00 0"] },
    // 200 kW for all but half a minute: the shortfall is 100 kW for 59.5 minutes.
    expectedAwards: {
      A1: { shortfallKwh: 99.167, shortfallByCauseKwh: { output_control: 99.167 } },
      A2: { fcr: { activatedDownKwh: 200 } },
    },
  },
  {
    // 10 % of 1000 kW: less than the response alone.
    title: "once the delta is 0 the response is reduced too",
    sites: [battery()],
    ...hz(DOWN_40),
    awards: [`${HOUR} -300 frr`, `${HOUR} ~200 fcr`],
    events: ["output_control 0 00:00:30-02:00 10 manual"],
    // 200 kW for half a minute, 100 kW for 59.5.
    expectedAwards: { A2: { fcr: { activatedDownKwh: 100.833 } } },
  },
  {
    // -300 + 200 up; never beyond -300 (docs/model/frequency-response.md#compound).
    title: "a compound responds within its delta",
    sites: [battery()],
    ...hz(steps(20, UP_40, 50, DOWN_40, 50, 50, 50)),
    awards: [`${HOUR} -300~200 compound`],
    powerKw: { a: ["00:00 -100", "00:20 -300", "01:00 0"] },
    expectedAwards: {
      A1: { deliveredKwh: -300, shortfallKwh: 0, fcr: { activatedUpKwh: 66.667, activatedDownKwh: 0 } },
    },
  },
  {
    // 100 of plain FCR capacity, and -300 + 200 of the compound.
    title: "FCR beside a compound is not limited by its delta",
    sites: [battery()],
    ...hz(steps(30, UP_40, DOWN_40, 50, 50)),
    awards: [`${HOUR} -300~200 compound`, `${HOUR} ~100 fcr`],
    powerKw: { a: ["00:00 0", "00:30 -400", "01:00 0"] },
    expectedAwards: {
      A1: { deliveredKwh: -300, shortfallKwh: 0, fcr: { activatedUpKwh: 100, activatedDownKwh: 0 } },
      A2: { fcr: { activatedUpKwh: 50, activatedDownKwh: 50 } },
    },
  },
  {
    // A reduction of 100 of 400 kW and a response around it.
    title: "a consumer reduces and responds at a time",
    sites: [
      site("a", consumer(flat(400), { contractKw: 1000, maxDrReductionKw: 200, ...FCR_CAPABLE }), {
        baseline: { method: "constant", kw: 400 },
      }),
    ],
    ...hz(steps(30, UP_40, DOWN_40, 50, 50)),
    awards: [`${HOUR} -100 frr`, `${HOUR} ~50 fcr`],
    powerKw: { a: ["00:00 350", "00:30 250", "01:00 400"] },
    expectedAwards: {
      A1: { deliveredKwh: -100, shortfallKwh: 0 },
      A2: { fcr: { activatedUpKwh: 25, activatedDownKwh: 25 } },
    },
  },
];

describe("frequency response beside deltas", () => test.each(FCR_WITH_DELTA)("$title", checkWorldCase));

test("a frequency of whole seconds is followed second by second", () => {
  // One second in ten asks 400 kW up.
  const values = Float64Array.from({ length: 7200 }, (_, k) => (k % 10 === 3 ? UP_40 : 50));
  const times = values.map((_, k) => T0 + 1000 * k);
  const frequencyHz = new Series("f", times, values, "step", at("02:00"));
  checkWorldCase({
    title: "",
    sites: [battery()],
    world: { frequencyHz },
    awards: [`${HOUR} ~500 fcr`],
    expectedAwards: { A1: { fcr: { activatedUpKwh: 40, meanResponseKw: 40 } } },
    expectedSites: { a: { importKwh: 40, socFinalPct: 51 } },
  });
});
