// An ageing battery second by second: stored energy, sums of the day and the laws of fade written down once more.
import fc from "fast-check";
import { expect, test } from "vitest";
import { MS_PER_DAY } from "../../src/base/time.ts";
import { runs } from "../depth.ts";
import { runWorld } from "../runWorld.ts";
import { losslessBattery, parseAwards, site, T0, world } from "../simulation/smallWorld.ts";

const DAYS = 3;
const CONDITIONS = { temperatureC: 30, cRate: 0.8 };
const CHARGE_EFFICIENCY = 0.95;
const DISCHARGE_EFFICIENCY = 0.94;
const RATED_KWH = 1000;
/** Operating window, as a share of the present capacity. */
const EMPTY = 0.1;
const FULL = 0.9;
const STEP_S = 1;
/** Awards of two hours. */
const AWARD_H = 2;

interface Given {
  readonly initialCalendarLoss: number;
  readonly initialCycleLoss: number;
  /** One award after the other, in kW, import positive. */
  readonly deltasKw: readonly number[];
}

/** Cells of battery_ageing.csv after `at`, day by day. */
function steppedRows({ initialCalendarLoss, initialCycleLoss, deltasKw }: Given): number[][] {
  // d(loss²)/dt = rate²
  let calendarSquare = initialCalendarLoss ** 2;
  let cycleSquare = initialCycleLoss ** 2;
  let capacityKwh = RATED_KWH * (1 - initialCalendarLoss - initialCycleLoss);
  let storedKwh = 0.5 * capacityKwh;
  const rows: number[][] = [];
  for (let day = 0; day < DAYS; day++) {
    let throughCellsKwh = 0;
    let socSeconds = 0;
    let low = storedKwh;
    let high = storedKwh;
    for (let second = 0; second < 86_400; second += STEP_S) {
      const requestedKw = deltasKw[Math.floor((day * 24 + second / 3600) / AWARD_H)];
      const changeKwh =
        requestedKw > 0
          ? Math.min((requestedKw * CHARGE_EFFICIENCY * STEP_S) / 3600, Math.max(0, FULL * capacityKwh - storedKwh))
          : -Math.min(
              (-requestedKw * STEP_S) / DISCHARGE_EFFICIENCY / 3600,
              Math.max(0, storedKwh - EMPTY * capacityKwh),
            );
      socSeconds += ((storedKwh + changeKwh / 2) / capacityKwh) * STEP_S;
      storedKwh += changeKwh;
      throughCellsKwh += Math.abs(changeKwh);
      low = Math.min(low, storedKwh);
      high = Math.max(high, storedKwh);
    }
    const soc = socSeconds / 86_400;
    const depth = (high - low) / capacityKwh;
    const cycles = throughCellsKwh / 2 / RATED_KWH;
    const kelvin = CONDITIONS.temperatureC + 273.15;
    const arrhenius = Math.exp((-17_126 / 8.3144598) * (1 / kelvin - 1 / 298.15));
    calendarSquare += (1.2571e-5 * arrhenius * (2.8575 * (soc - 0.5) ** 3 + 0.60225)) ** 2 * 86_400;
    cycleSquare += (((0.063 * CONDITIONS.cRate + 0.0971) * (4.0253 * (depth - 0.6) ** 3 + 1.0923)) / 100) ** 2 * cycles;
    capacityKwh = RATED_KWH * (1 - Math.sqrt(calendarSquare) - Math.sqrt(cycleSquare));
    const lossesPct = [100 * Math.sqrt(calendarSquare), 100 * Math.sqrt(cycleSquare)];
    const healthPct = 100 - lossesPct[0] - lossesPct[1];
    rows.push([cycles, 100 * soc, 100 * depth, ...lossesPct, healthPct, capacityKwh, RATED_KWH - capacityKwh]);
  }
  return rows;
}

function simulatedRows({ initialCalendarLoss, initialCycleLoss, deltasKw }: Given): number[][] {
  const endMs = T0 + DAYS * MS_PER_DAY;
  const battery = losslessBattery({
    ratedCapKwh: RATED_KWH,
    chargeEfficiency: CHARGE_EFFICIENCY,
    dischargeEfficiency: DISCHARGE_EFFICIENCY,
    socOpMinPct: 100 * EMPTY,
    socOpMaxPct: 100 * FULL,
    initialSocPct: 50,
    importMaxKw: 1000,
    exportMaxKw: 1000,
    ageing: {
      ...CONDITIONS,
      initialCalendarLoss,
      initialCycleLoss,
      startMs: T0,
      endMs,
      updatesMs: [T0 + MS_PER_DAY, T0 + 2 * MS_PER_DAY],
    },
  });
  const hour = (k: number) => `${String(k * AWARD_H).padStart(2, "0")}:00`;
  const awards = deltasKw.map((kw, k) => `${hour(k)}-${hour(k + 1)} ${kw}`);
  const spec = world([site("a", battery)], { endMs, awards: parseAwards(...awards) });
  const { componentTables } = runWorld(spec, { intervalMs: 1_800_000 });
  return componentTables.flatMap(({ rows }) => rows.map(({ cells }) => cells.slice(2).map(Number)));
}

const given = fc.record({
  initialCalendarLoss: fc.double({ min: 0, max: 0.1, noNaN: true }),
  initialCycleLoss: fc.double({ min: 0, max: 0.1, noNaN: true }),
  deltasKw: fc.array(fc.integer({ min: -700, max: 700 }), {
    minLength: (DAYS * 24) / AWARD_H,
    maxLength: (DAYS * 24) / AWARD_H,
  }),
});

test("fades as a battery that is stepped through each second", () => {
  fc.assert(
    fc.property(given, (drawn) => {
      const simulated = simulatedRows(drawn);
      const stepped = steppedRows(drawn);
      expect(simulated.length).toBe(DAYS);
      for (let day = 0; day < DAYS; day++)
        for (let k = 0; k < stepped[day].length; k++)
          // Within the second in which a bound is reached, the mean of a step differs.
          expect(Math.abs(simulated[day][k] - stepped[day][k]), `day ${day}, cell ${k}`).toBeLessThan(1e-4);
    }),
    { numRuns: runs(40, 4), seed: 20260401 },
  );
});
