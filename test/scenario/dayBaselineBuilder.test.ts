import { describe, expect, test } from "vitest";
import { isoUtc } from "../../src/base/time.ts";
import { createSiteBaseline } from "../../src/engine/site/baseline/createSiteBaseline.ts";
import { MarketDays } from "../../src/inputs/scenario/build/marketDays.ts";
import { readScenarioYaml, scenarioErrors } from "./scenarioFixtures.ts";

const ms = (iso: string) => Date.parse(iso);

/** Half-hourly loads in Japan's time from a date on; `kw` by local date and hour. */
function load(from: string, days: number, kw: (date: string, hour: number) => number): string {
  const rows = Array.from({ length: 48 * days }, (_, k) => {
    const atMs = ms(`${from}T00:00:00+09:00`) + k * 1_800_000;
    const local = isoUtc(atMs + 9 * 3_600_000);
    return `${isoUtc(atMs)},${kw(local.slice(0, 10), Number(local.slice(11, 13)))}`;
  });
  return `timestamp,load\n${rows.join("\n")}\n`;
}

interface FactoryOptions {
  readonly day?: string;
  readonly baseline?: string;
  readonly series?: string;
  readonly rest?: string;
  readonly drCapable?: boolean;
}

/** A factory in Tokyo for one day. */
const factory = ({
  day = "2026-05-07",
  baseline = "method: high_4_of_5",
  series = "",
  rest = "",
  drCapable = true,
}: FactoryOptions) => `version: 1
name: factory
timezone: Asia/Tokyo
start: ${day}T00:00:00+09:00
end: ${day}T23:59:00+09:00
series: {s: {file: s.csv${series}}}
sites:
  - name: f
    components: [{component_id: c, component_type: consumer, contract_kw: 900, max_demand_kw: 900, dr_capable: ${drCapable}, max_dr_reduction_kw: 100, model: {load: s.load}}]
    baseline: {${baseline}}
vpps: [{name: v, members: [{site: f, resource_type: consumer}]}]
${rest}`;

/** kW of the slot in force at each local time of a day. */
function slots(yaml: string, csv: string, ...isos: string[]): number[] {
  const { world } = readScenarioYaml(yaml, { "s.csv": csv });
  const { slotsKw: series, hasRegisteredSlots } = createSiteBaseline(world.sites[0], world);
  expect(hasRegisteredSlots).toBe(true);
  return isos.map((iso) => (typeof series === "number" ? series : series.valueAt(ms(`${iso}+09:00`))));
}

/** The past days of a day by verdict. */
function daysOf(yaml: string, csv: string, name = "f"): Record<string, string[]> {
  const { dayBaselines } = readScenarioYaml(yaml, { "s.csv": csv });
  const { calendar, days } = dayBaselines.get(name)!;
  const byVerdict: Record<string, string[]> = {};
  for (const { day, verdict } of days[0].choice.consideredDays)
    byVerdict[verdict] = [...(byVerdict[verdict] ?? []), calendar.days[day].date.slice(5)];
  return byVerdict;
}

const award = (day: string, from: string, to: string, more = "delta_kw: -50") =>
  `  - {vpp: v, start: ${day}T${from}:00+09:00, end: ${day}T${to}:00+09:00, ${more}}\n`;

describe("high_4_of_5 in a scenario", () => {
  test("the Thursday after Golden Week: five workdays between holidays of Japan", () => {
    const csv = load("2026-04-01", 40, (date, hour) => (hour === 14 ? Number(date.slice(8)) * 10 : 100));
    const yaml = factory({ rest: `awards:\n${award("2026-05-07", "14:00", "15:00")}` });
    expect(daysOf(yaml, csv)).toEqual({
      // May 1 has 10 kW in the slots of the award: the mean with 300, 280, 270, 240 is 220, and 10 is below 55.
      low_load: ["05-01"],
      other_type: ["05-06", "05-05", "05-04", "05-03", "05-02", "04-29", "04-26", "04-25"],
      used: ["04-30", "04-28", "04-27", "04-24"],
      lowest: ["04-23"],
    });
    // (300 + 280 + 270 + 240) / 4; the load before the award is 100 on all days.
    expect(slots(yaml, csv, "2026-05-07T14:00", "2026-05-07T13:30", "2026-05-07T15:00")).toEqual([272.5, 100, 100]);
  });

  test("without national holidays those days are workdays", () => {
    const csv = load("2026-04-01", 40, () => 100);
    expect(daysOf(factory({ baseline: "method: high_4_of_5, holidays: none" }), csv)).toEqual({
      used: ["05-06", "05-05", "05-04", "05-01"],
      other_type: ["05-03", "05-02"],
      lowest: ["04-30"],
    });
  });

  test("a national holiday takes two of three holidays", () => {
    const csv = load("2026-04-01", 40, (date) => Number(date.slice(8)) * 10);
    const yaml = factory({ day: "2026-05-04", baseline: "method: high_4_of_5, exclude_below_pct: 0" });
    // May 3 (Sunday) 30, May 2 (Saturday) 20, April 29 (Showa Day) 290.
    expect(daysOf(yaml, csv)).toEqual({
      used: ["05-03", "04-29"],
      lowest: ["05-02"],
      other_type: ["05-01", "04-30"],
    });
    expect(slots(yaml, csv, "2026-05-04T00:00")).toEqual([160]);
  });

  test("repeat gives the days before the record", () => {
    const csv = load("2026-05-06", 7, () => 250);
    expect(slots(factory({ series: ", repeat: week" }), csv, "2026-05-07T12:00")).toEqual([250]);
  });

  test("the load is cut at max_demand_kw first", () => {
    const csv = load("2026-04-01", 40, () => 1000);
    expect(slots(factory({}), csv, "2026-05-07T12:00")).toEqual([900]);
  });

  test("a gap of the record excludes its day, with any `on_gap` of the run", () => {
    const csv = load("2026-04-01", 40, () => 100)
      .split("\n")
      .filter((row) => !/^2026-04-30T0[0-5]/.test(row))
      .join("\n");
    expect(daysOf(factory({}), csv).no_data).toEqual(["04-30"]);
    // Held values are the user's word for data.
    expect(daysOf(factory({ series: ", on_gap: hold" }), csv).no_data).toBeUndefined();
  });

  test("days before the record are without data even where gaps are zero", () => {
    const csv = load("2026-04-24", 20, () => 100);
    expect(daysOf(factory({ series: ", on_gap: zero" }), csv).lowest).toEqual(["04-24"]);
  });

  test("too few days are an error that names the available and the missing days", () => {
    const csv = load("2026-04-28", 20, () => 100);
    // April 7 to May 6: eight Saturdays and Sundays, April 29, May 4, 5, 6; of the 18 workdays April 28, 30 and May 1.
    expect(scenarioErrors(factory({}), { "s.csv": csv })).toEqual([
      "scenario.yaml:10:24: sites.0.baseline.method: found 3 workdays to average for 2026-05-07 in the 30 days before (15 without load data, 12 of the other day type), allowed at least 4 workdays for high_4_of_5: a load series that starts earlier, or repeat",
    ]);
  });

  test("a site without a consumer has no load to average", () => {
    const battery =
      "{component_id: b, component_type: battery, rated_cap: 1, import_pwr_max: 1, export_pwr_max: 1, soc_op_min: 0, soc_op_max: 100}";
    const yaml = factory({})
      .replace(/components: \[.*\]/, `components: [${battery}]`)
      .replace("resource_type: consumer", "resource_type: battery");
    const [error] = scenarioErrors(yaml, { "s.csv": load("2026-05-07", 1, () => 1) });
    expect(error).toContain("sites.0.baseline.method: found high_4_of_5, allowed zero, constant, series or perfect");
  });
});

describe("which days have demand response", () => {
  const CSV = load("2026-03-25", 50, () => 100);
  // Days of the run before --from still count, and so the run of ten days is cut to its last.
  const run = (rest: string, more: FactoryOptions = {}) => {
    const yaml = factory({ ...more, rest }).replace(/start: \S+/, "start: 2026-04-20T00:00:00+09:00");
    const { dayBaselines } = readScenarioYaml(yaml, { "s.csv": CSV }, { fromMs: ms("2026-05-07T00:00:00+09:00") });
    const { calendar, days } = dayBaselines.get("f")!;
    return days[0].choice.consideredDays
      .filter(({ verdict }) => verdict === "dr_day")
      .map(({ day }) => calendar.days[day].date.slice(5));
  };
  const CASES: readonly (readonly [why: string, rest: string, expected: readonly string[], given?: FactoryOptions])[] =
    [
      ["an award below 0", `awards:\n${award("2026-05-01", "10:00", "11:00")}`, ["05-01"]],
      [
        "an instruction below 0",
        "instructions: [{vpp: v, at: 2026-04-30T10:05:00+09:00, delta_kw: -5, duration_minutes: 5}]\n",
        ["04-30"],
      ],
      ["not one above 0", `awards:\n${award("2026-05-01", "10:00", "11:00", "delta_kw: 50")}`, []],
      [
        "not one that activates nothing",
        `awards:\n${award("2026-05-01", "10:00", "11:00", "delta_kw: -50, activation: 0")}`,
        [],
      ],
      [
        "not of a consumer that cannot reduce",
        `awards:\n${award("2026-05-01", "10:00", "11:00")}`,
        [],
        { drCapable: false },
      ],
      [
        "not while the site is no member or has no weight",
        `awards:\n${award("2026-04-30", "10:00", "11:00")}${award("2026-05-01", "10:00", "11:00")}events:
  - {at: 2026-05-01T00:00:00+09:00, kind: set_weight, vpp: v, site: f, allocation_weight: 0}\n`,
        ["04-30"],
      ],
      [
        "both days of an award over midnight",
        "awards: [{vpp: v, start: 2026-04-30T23:00:00+09:00, end: 2026-05-01T01:00:00+09:00, delta_kw: -5}]\n",
        ["05-01", "04-30"],
      ],
    ];
  for (const [why, rest, expected, given] of CASES)
    test(why, () => {
      expect(run(rest, given)).toEqual(expected);
    });
});

describe("the other methods", () => {
  test("average_of_days takes the days before, of any type", () => {
    const csv = load("2026-04-01", 40, (date) => Number(date.slice(8)) * 10);
    const yaml = factory({ baseline: "method: average_of_days, days: 3" });
    // May 6, 5 and 4.
    expect(slots(yaml, csv, "2026-05-07T09:00")).toEqual([50]);
  });

  const pv = (baseline: string) =>
    factory({ baseline })
      .replace(
        /components: \[.*\]/,
        "components: [{component_id: p, component_type: generator, generator_kind: pv, pv_capacity_kw: 1200, rated_output_kw: 1000, model: {generation: s.load}}]",
      )
      .replace("resource_type: consumer", "resource_type: generator");

  test("capacity_factor gives a PV plant its share of the day's energy, under the sun of Tokyo", () => {
    const { world, warnings } = readScenarioYaml(pv("method: capacity_factor, pct: 14"), {
      "s.csv": load("2026-05-07", 1, () => 0),
    });
    const { baseline } = world.sites[0];
    const plan = baseline.method === "capacity_factor" ? baseline.plan : null;
    expect(plan?.integrate(world.startMs, world.endMs)).toBeCloseTo(-0.14 * 1000 * 24, 9);
    expect(plan?.valueAt(ms("2026-05-07T03:00:00+09:00"))).toBe(0);
    expect(warnings.join()).toContain("No place for the PV of f");
  });

  test("capacity_factor is for PV", () => {
    const [error] = scenarioErrors(factory({ baseline: "method: capacity_factor, pct: 14" }), {
      "s.csv": load("2026-05-07", 1, () => 0),
    });
    expect(error).toContain(
      "sites.0.baseline.method: found capacity_factor, allowed zero, constant, series or perfect for a site without a pv generator",
    );
  });
});

describe("market days", () => {
  const holidays = (year: number) =>
    new MarketDays("Asia/Tokyo", "JP", ms(`${year}-01-01T00:00:00+09:00`), ms(`${year}-12-31T12:00:00+09:00`)).days
      .filter(({ holidayName }) => holidayName !== "" && holidayName !== "Saturday" && holidayName !== "Sunday")
      .map(({ date }) => date.slice(5));

  test("holidays of Japan in 2026 with the substitute and the bridge day", () => {
    // Cabinet Office, list of national holidays of Reiwa 8: May 6 replaces Sunday May 3, September 22 lies between two.
    expect(holidays(2026)).toEqual([
      "01-01",
      "01-12",
      "02-11",
      "02-23",
      "03-20",
      "04-29",
      "05-03",
      "05-04",
      "05-05",
      "05-06",
      "07-20",
      "08-11",
      "09-21",
      "09-22",
      "09-23",
      "10-12",
      "11-03",
      "11-23",
    ]);
  });

  test("instants belong to days of the zone, ends excluded", () => {
    const days = new MarketDays("Asia/Tokyo", "none", ms("2026-05-01T12:00:00Z"), ms("2026-05-03T12:00:00Z"));
    expect(days.days.map(({ date }) => date)).toEqual(["2026-05-01", "2026-05-02", "2026-05-03"]);
    const dayAt = (iso: string) => days.dayIndexAt(ms(iso));
    expect(
      ["2026-05-01T14:59:59Z", "2026-05-01T15:00:00Z", "2026-04-30T14:59:59Z", "2026-05-03T15:00:00Z"].map(dayAt),
    ).toEqual([0, 1, -1, -1]);
  });

  test("clock times stay the same across a clock change", () => {
    // Berlin: 2026-03-29 has 23 h, 02:00 to 03:00 is missing; 2026-10-25 has 25 h.
    const days = new MarketDays("Europe/Berlin", "none", ms("2026-03-27T12:00:00Z"), ms("2026-10-27T12:00:00Z"));
    const same = (from: string, to: string) => {
      const atMs = ms(from);
      const toDay = days.days.findIndex(({ date }) => date === to);
      return isoUtc(days.sameClockTimeMs(atMs, days.dayIndexAt(atMs), toDay));
    };
    expect(same("2026-03-30T14:00:00+02:00", "2026-03-27")).toBe("2026-03-27T13:00:00Z");
    expect(same("2026-03-30T14:00:00+02:00", "2026-03-29")).toBe("2026-03-29T12:00:00Z");
    expect(same("2026-03-30T01:00:00+02:00", "2026-03-29")).toBe("2026-03-29T00:00:00Z");
    expect(same("2026-03-29T14:00:00+02:00", "2026-03-27")).toBe("2026-03-27T13:00:00Z");
    expect(same("2026-10-26T14:00:00+01:00", "2026-10-25")).toBe("2026-10-25T13:00:00Z");
    expect(same("2026-10-25T14:00:00+01:00", "2026-10-26")).toBe("2026-10-26T13:00:00Z");
  });
});
