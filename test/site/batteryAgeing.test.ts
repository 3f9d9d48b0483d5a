// Capacity of an ageing battery (docs/model/battery.md#ageing), worked out by hand.
import { describe, expect, test } from "vitest";
import { RunHistory } from "../../src/accounting/history/runHistory.ts";
import { MS_PER_DAY } from "../../src/base/time.ts";
import {
  type AgeingPeriod,
  calendarLossPerRootSecond,
  cycleLossPerRootCycle,
  lossesAfter,
} from "../../src/engine/device/battery/batteryAgeing.ts";
import type { BatteryAgeingSpec } from "../../src/engine/device/battery/batterySpec.ts";
import { World } from "../../src/engine/simulation/world.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { runWorld } from "../runWorld.ts";
import { consumer, evenSeries, losslessBattery, parseAwards, site, T0, world } from "../simulation/smallWorld.ts";

const CONDITIONS = { temperatureC: 25, cRate: 1 };
const NEW = { calendar: 0, cycle: 0 };

describe("the model", () => {
  test("a year at 25 °C and half full costs 4.25 %", () => {
    // 1.2571e-5 · 0.60225 · √31,536,000
    const year = { seconds: 365 * 86_400, meanSocFraction: 0.5, depth: 0, equivalentFullCycles: 0 };
    expect(lossesAfter(NEW, CONDITIONS, year).calendar).toBeCloseTo(0.0425157, 6);
  });

  test("full cells lose 1.6 times as much as half full ones, and 35 °C a quarter more than 25 °C", () => {
    // (2.8575 · 0.5³ + 0.60225) / 0.60225, and exp(17126 / 8.3144598 · (1 / 298.15 − 1 / 308.15))
    expect(calendarLossPerRootSecond(25, 1) / calendarLossPerRootSecond(25, 0.5)).toBeCloseTo(1.593088, 6);
    expect(calendarLossPerRootSecond(35, 0.5) / calendarLossPerRootSecond(25, 0.5)).toBeCloseTo(1.251314, 6);
  });

  test("a thousand cycles of 80 % at 1 C cost 5.7 %", () => {
    // (0.063 + 0.0971) · (4.0253 · 0.2³ + 1.0923) / 100 · √1000
    const cycles = { seconds: 0, meanSocFraction: 0.5, depth: 0.8, equivalentFullCycles: 1000 };
    expect(lossesAfter(NEW, CONDITIONS, cycles).cycle).toBeCloseTo(0.0569314, 7);
    expect(cycleLossPerRootCycle(0.6, 0)).toBeCloseTo(0.0971 * 0.010923, 12);
  });

  test("a period in parts costs the same as at once", () => {
    const half: AgeingPeriod = { seconds: 5e6, meanSocFraction: 0.7, depth: 0.9, equivalentFullCycles: 50 };
    const whole = { ...half, seconds: 1e7, equivalentFullCycles: 100 };
    const parts = lossesAfter(lossesAfter(NEW, CONDITIONS, half), CONDITIONS, half);
    expect(parts.calendar).toBeCloseTo(lossesAfter(NEW, CONDITIONS, whole).calendar, 14);
    expect(parts.cycle).toBeCloseTo(lossesAfter(NEW, CONDITIONS, whole).cycle, 14);
  });
});

const END = T0 + 2 * MS_PER_DAY;

/** Two days with one midnight between them. */
const ageing = (given: Partial<BatteryAgeingSpec> = {}): BatteryAgeingSpec => ({
  ...CONDITIONS,
  initialCalendarLoss: 0,
  initialCycleLoss: 0,
  startMs: T0,
  endMs: END,
  updatesMs: [T0 + MS_PER_DAY],
  ...given,
});
const twoDays = (battery: Parameters<typeof losslessBattery>[0], ...awards: readonly string[]): WorldSpec =>
  world([site("a", losslessBattery(battery))], { endMs: END, awards: parseAwards(...awards) });

/** Cells of battery_ageing.csv from `at` on. */
const rowsOf = (spec: WorldSpec) => {
  const { componentTables } = runWorld(spec, { intervalMs: 1_800_000 });
  return componentTables.flatMap(({ rows }) => rows.map(({ cells }) => cells.slice(1)));
};

describe("a battery", () => {
  test("at rest loses by time alone, with one row for the midnight and one for the end", () => {
    const daily = 1.2571e-5 * 0.60225;
    const first = 1000 * (1 - daily * Math.sqrt(86_400));
    // The 500 kWh are a larger share of what is left.
    const rest = 1.2571e-5 * (2.8575 * (500 / first - 0.5) ** 3 + 0.60225);
    const second = 1000 * (1 - Math.sqrt((daily ** 2 + rest ** 2) * 86_400));
    const [midnight, end] = rowsOf(twoDays({ ageing: ageing() }));
    expect([midnight[0], end[0]]).toEqual([T0 + MS_PER_DAY, END]);
    expect(midnight[7]).toBeCloseTo(first, 9);
    expect(end[7]).toBeCloseTo(second, 9);
    expect(end[8]).toBeCloseTo(1000 - second, 9);
  });

  test("that discharges 250 kWh and charges them has 0.25 cycles of a depth of 25 %", () => {
    const [midnight] = rowsOf(twoDays({ ageing: ageing() }, "01:00-02:00 -250", "03:00-04:00 250"));
    const [, cycles, meanPct, depthPct, , cyclePct] = midnight.map(Number);
    expect(cycles).toBeCloseTo(0.25, 12);
    expect(depthPct).toBeCloseTo(25, 9);
    // 250 kWh are missing for an hour, and on average half of them for two.
    expect(meanPct).toBeCloseTo(50 - (25 * 2) / 24, 9);
    expect(cyclePct).toBeCloseTo((0.063 + 0.0971) * (4.0253 * (0.25 - 0.6) ** 3 + 1.0923) * Math.sqrt(0.25), 12);
  });

  test("counts the losses before the run, and its state of charge from the remaining capacity", () => {
    const record = runWorld(
      twoDays({ ageing: ageing({ initialCalendarLoss: 0.06, initialCycleLoss: 0.04 }) }, "00:00-02:00 500"),
      {
        intervalMs: 1_800_000,
      },
    );
    // 900 kWh, half full: 450 kWh of headroom.
    expect(record.awards[0].deliveredKwh).toBeCloseTo(450, 9);
    expect(record.kpis.get("state_of_health_min_pct")).toBeLessThan(90);
    expect(record.kpis.get("lost_capacity_kwh")).toBeGreaterThan(100);
  });

  test("is full at its capacity of the day: the last energy before midnight does not fit after it", () => {
    const day = { calendar: 0.3, cycle: 0 };
    const spec = twoDays(
      { initialSocPct: 100, ageing: ageing({ initialCalendarLoss: day.calendar, temperatureC: 60 }) },
      "22:00-23:00 -100",
      "23:00-24:00 100",
      "24:00-25:00 -100",
      "25:00-26:00 100",
    );
    const [midnight] = rowsOf(spec);
    const capacityKwh = Number(midnight[7]);
    const delivered = runWorld(spec, { intervalMs: 1_800_000 }).awards.map(({ deliveredKwh }) => deliveredKwh);
    expect(delivered.slice(0, 3)).toEqual([-100, 100, -100].map((kwh) => expect.closeTo(kwh, 9)));
    expect(delivered[3]).toBeCloseTo(100 - (700 - capacityKwh), 6);
    expect(700 - capacityKwh).toBeGreaterThan(0.1);
  });

  test("beside a load ages as it does alone", () => {
    const plan = { method: "constant", kw: 100 } as const;
    const alone = site("a", losslessBattery({ ageing: ageing() }));
    const load = consumer(evenSeries("load", 60, new Array<number>(48).fill(100)), { componentId: "load" });
    const composite = { ...alone, components: [...alone.components, load], baseline: plan };
    expect(rowsOf(world([composite], { endMs: END }))).toEqual(rowsOf(world([alone], { endMs: END })));
  });

  test("has one event more for each midnight, and none without ageing", () => {
    const count = (given: Parameters<typeof losslessBattery>[0]) =>
      runWorld(twoDays(given), { intervalMs: 1_800_000 }).eventCount;
    expect(count({ ageing: ageing() })).toBe(count({}) + 1);
  });

  test("has its capacity of that time in the history of a run", () => {
    const spec = twoDays({ ageing: ageing({ initialCalendarLoss: 0.1 }) }, "01:00-02:00 -250");
    const history = new RunHistory(spec);
    const run = new World(spec, history);
    const socAt = (atMs: number) => {
      const past = history.pastSite(0);
      past.seek(atMs);
      return past.site.resource.socPctAt(atMs);
    };
    const present: (number | null)[] = [];
    const instants = [3, 30, 40].map((hours) => T0 + hours * 3_600_000);
    for (const atMs of instants) {
      run.runThrough(atMs);
      present.push(run.sites[0].resource.socPctAt(atMs));
    }
    expect(instants.map(socAt)).toEqual(present);
    expect(new Set(present).size).toBe(2);
  });
});

test("without ageing a run has neither the table nor the key figures", () => {
  const { componentTables, kpis } = runWorld(twoDays({}), { intervalMs: 1_800_000 });
  expect(componentTables).toEqual([]);
  expect([...kpis.keys()].filter((name) => /health|lost/.test(name))).toEqual([]);
});
