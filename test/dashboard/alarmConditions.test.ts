import { describe, expect, test } from "vitest";
import type { AwardBalance, CausePower, MemberView, VppBalance } from "../../src/api/client/sandboxTypes.ts";
import { type AlarmSources, alarmConditions } from "../../src/dashboard/pages/alarms/alarmConditions.ts";
import { acknowledge, NO_ALARMS, updateAlarms } from "../../src/dashboard/pages/alarms/alarmList.ts";

const AT = "2026-05-19T22:52:00Z";
const AT_MS = Date.parse(AT);
const ago = (seconds: number): string => new Date(AT_MS - 1000 * seconds).toISOString();

const memberOf = (site: string, changes: Partial<MemberView> = {}): MemberView => ({
  site,
  resource_id: site,
  class: "battery",
  status: "in_service",
  status_since: null,
  is_reachable: true,
  power_kw: -500,
  baseline_kw: 0,
  set_point_kw: -500,
  delivered_kw: -500,
  soc_pct: 60,
  soc_min_pct: 10,
  soc_max_pct: 90,
  minutes_to_empty: null,
  minutes_to_full: null,
  energy_kwh: null,
  energy_to_full_kwh: null,
  headroom_up_kw: 0,
  headroom_down_kw: 0,
  available_from: null,
  weight: 100,
  last_dispatch: null,
  data_at: AT,
  ...changes,
});

const awardOf = (causes: readonly CausePower[], changes: Partial<AwardBalance> = {}): AwardBalance => ({
  award_id: "morning",
  name: "morning",
  sku: "frr",
  schedule_id: null,
  starts_at: ago(3600),
  ends_at: new Date(AT_MS + 38 * 60_000).toISOString(),
  requested_kw: -1900,
  dispatched_kw: -1900,
  delivered_kw: -1900,
  uncovered_kw: 0,
  not_delivered_kw: 0,
  over_kw: 0,
  band_low_kw: -2090,
  band_high_kw: -1710,
  uncovered_since: null,
  causes,
  ...changes,
});

const cause = (name: CausePower["cause"], site: string | null, kw: number, seconds = 660): CausePower => ({
  stage: name === "weather" || name === "load_deviation" || name === "ramp" ? "delivery" : "allocation",
  cause: name,
  site,
  kw,
  since: ago(seconds),
});

function sourcesOf(
  awards: readonly AwardBalance[],
  members: readonly MemberView[],
  changes: Partial<AlarmSources> = {},
  next: VppBalance["next"] = [],
): AlarmSources {
  return {
    atMs: AT_MS,
    vpps: [{ balance: { at: AT, vpp: "east", awards, next }, members }],
    connection: "running",
    lagSeconds: 0,
    activeIds: new Set(),
    ...changes,
  };
}

const brief = (sources: AlarmSources) =>
  alarmConditions(sources).map(({ id, priority, root, signs }) => `${priority} ${id} ${root} ${signs.length}`);

/** Batteries by name with their minutes to empty, in one award. */
const emptyIn = (minutes: Readonly<Record<string, number>>, changes: Partial<AwardBalance> = {}): AlarmSources =>
  sourcesOf(
    [awardOf([], changes)],
    Object.entries(minutes).map(([site, minutes_to_empty]) => memberOf(site, { minutes_to_empty })),
  );

const textKey = (sources: AlarmSources): string => alarmConditions(sources)[0].text.key;

describe("alarm conditions", () => {
  test("a world where all is well raises none", () => {
    expect(brief(sourcesOf([awardOf([])], [memberOf("a"), memberOf("b")]))).toEqual([]);
  });

  test("an outage in an award is one alarm with its consequences as signs", () => {
    const award = awardOf([cause("out_of_service", "large", 231.3), cause("load_deviation", "factory", 25.9)], {
      delivered_kw: -1628.3,
      uncovered_kw: 231.3,
      not_delivered_kw: 25.9,
    });
    const large = memberOf("large", { status: "out_of_service", is_reachable: false, delivered_kw: null });
    const [outage, factory, ...others] = alarmConditions(sourcesOf([award], [large, memberOf("factory")]));
    expect(others).toEqual([]);
    expect(outage).toMatchObject({ id: "site:large", priority: 1, root: "out_of_service", awardIds: ["morning"] });
    expect(outage.signs.map(({ key }) => key).sort()).toEqual(
      ["alarms.link", "signs.held", "signs.outside_band", "signs.uncovered"].sort(),
    );
    expect(factory).toMatchObject({ id: "site:factory", priority: 2, root: "below_set_point" });
  });

  test("priority follows the power that is missing: above a tenth of the request it is urgent", () => {
    const urgent = (kw: number) => brief(sourcesOf([awardOf([cause("refused", "a", kw)])], []));
    expect(urgent(190)).toEqual(["2 site:a refused 1"]);
    expect(urgent(190.1)).toEqual(["1 site:a refused 1"]);
  });

  test("less than a hundredth of the request is no alarm, and an active alarm ends at half of that", () => {
    const award = (kw: number) => [awardOf([cause("refused", "a", kw)])];
    expect(brief(sourcesOf(award(18.9), []))).toEqual([]);
    expect(brief(sourcesOf(award(19), []))).toHaveLength(1);
    const activeIds = new Set(["site:a"]);
    expect(brief(sourcesOf(award(9.5), [], { activeIds }))).toHaveLength(1);
    expect(brief(sourcesOf(award(9.4), [], { activeIds }))).toEqual([]);
  });

  test("the ramp at the start of an award is no alarm; a ramp of three minutes is one to know", () => {
    const late = (seconds: number) => brief(sourcesOf([awardOf([cause("ramp", "a", 500, seconds)])], []));
    expect(late(179)).toEqual([]);
    expect(late(180)).toEqual(["3 site:a late 1"]);
  });

  test("a cloud over four sites is one alarm with the sites as signs; over three it is one for each", () => {
    const clouds = (count: number) =>
      brief(sourcesOf([awardOf(["a", "b", "c", "d"].slice(0, count).map((site) => cause("weather", site, 60)))], []));
    expect(clouds(4)).toEqual(["1 cause:morning:weather below_set_point 4"]);
    expect(clouds(3)).toEqual(["a", "b", "c"].map((site) => `2 site:${site} below_set_point 1`));
  });

  test("a battery that is empty before the award ends is an alarm, one that lasts is none", () => {
    expect(brief(emptyIn({ small: 37 }))).toEqual(["2 early:east:morning empty_soon 0"]);
    expect(brief(emptyIn({ small: 38 }))).toEqual([]);
    expect(textKey(emptyIn({ small: 37 }))).toBe("alarms.empty_soon");
  });

  test("batteries that are empty before the award ends are one alarm, named after the first", () => {
    const [alarm, ...others] = alarmConditions(emptyIn({ a: 20, b: 12, c: 12, lasting: 38 }));
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ id: "early:east:morning", site: "b", sites: ["b", "c", "a"], priority: 2 });
    expect(alarm.text).toEqual({
      key: "alarms.empty_soon_in_common",
      values: { count: { count: 3 }, site: "b", minutes: { minutes: 12 }, left: { minutes: 38 }, award: "morning" },
    });
    expect(alarm.signs.map(({ values }) => values)).toEqual([
      { site: "c", minutes: { minutes: 12 } },
      { site: "a", minutes: { minutes: 20 } },
    ]);
    const many = Object.fromEntries([...Array(86).keys()].map((k) => [`battery-${k}`, 30 + k / 100]));
    expect(brief(emptyIn(many))).toEqual(["2 early:east:morning empty_soon 85"]);
  });

  test("each award has its own alarm of batteries that do not last", () => {
    const noon = { award_id: "noon", ends_at: new Date(AT_MS + 60 * 60_000).toISOString() };
    const sources = sourcesOf([awardOf([]), awardOf([], noon)], [memberOf("a", { minutes_to_empty: 50 })]);
    expect(brief(sources)).toEqual(["2 early:east:noon empty_soon 0"]);
    const both = sourcesOf([awardOf([]), awardOf([], noon)], [memberOf("a", { minutes_to_empty: 30 })]);
    expect(brief(both)).toEqual(["2 early:east:morning empty_soon 0", "2 early:east:noon empty_soon 0"]);
  });

  test("an early end is to act on soon if the first battery has at most an hour", () => {
    const ends_at = new Date(AT_MS + 180 * 60_000).toISOString();
    const priority = (first: number) => alarmConditions(emptyIn({ first, later: 170 }, { ends_at }))[0].priority;
    expect(priority(60)).toBe(2);
    expect(priority(60.1)).toBe(3);
  });

  test("an acknowledged alarm of early ends stays so while sites join and leave it", () => {
    const raised = updateAlarms(NO_ALARMS, alarmConditions(emptyIn({ a: 20 })), AT_MS);
    let list = acknowledge(raised, "early:east:morning");
    const later: readonly Record<string, number>[] = [{ a: 19, b: 19 }, { b: 18 }, { a: 10, b: 17, c: 3 }];
    for (const minutes of later) {
      list = updateAlarms(list, alarmConditions(emptyIn(minutes)), AT_MS + 60_000);
      expect(list.alarms).toMatchObject([{ id: "early:east:morning", state: "acknowledged", raisedMs: AT_MS }]);
    }
    expect(updateAlarms(list, alarmConditions(emptyIn({})), AT_MS + 120_000).alarms).toEqual([]);
  });

  test("at a site with an alarm of its own the early end is a sign of that alarm", () => {
    const members = ["a", "b"].map((site) => memberOf(site, { minutes_to_empty: 5 }));
    const sources = sourcesOf([awardOf([cause("energy_limit", "a", 100)])], members);
    expect(brief(sources)).toEqual(["2 early:east:morning empty_soon 0", "2 site:a energy 2"]);
    expect(alarmConditions(sources)[1].signs.map(({ key }) => key)).toEqual(["signs.uncovered", "alarms.empty_soon"]);
  });

  test("four batteries at their energy limit are one alarm", () => {
    const causes = ["a", "b", "c", "d"].map((site) => cause("energy_limit", site, 40));
    expect(brief(sourcesOf([awardOf(causes)], []))).toEqual(["2 cause:morning:energy_limit energy 4"]);
  });

  test("a battery that charges is watched for running full", () => {
    const award = awardOf([], { requested_kw: 850, band_low_kw: null, band_high_kw: null });
    const charging = { delivered_kw: 500, set_point_kw: 500, minutes_to_full: 5 };
    const full = (...sites: string[]) =>
      sourcesOf(
        [award],
        sites.map((site) => memberOf(site, charging)),
      );
    expect(brief(full("small"))).toEqual(["2 early:east:morning empty_soon 0"]);
    expect(textKey(full("small"))).toBe("alarms.full_soon");
    expect(textKey(full("small", "large"))).toBe("alarms.full_soon_in_common");
  });

  test("an outage without an award is to know, or to act on soon if an award begins within the hour", () => {
    const out = [memberOf("a", { status: "out_of_service" })];
    const next = (minutes: number): VppBalance["next"] => [
      {
        at: new Date(AT_MS + minutes * 60_000).toISOString(),
        what: "award_start",
        award_id: "noon",
        name: "noon",
        sku: "rr",
        requested_kw: -100,
      },
    ];
    expect(brief(sourcesOf([], out))).toEqual(["3 site:a out_of_service 0"]);
    expect(brief(sourcesOf([], out, {}, next(61)))).toEqual(["3 site:a out_of_service 0"]);
    expect(brief(sourcesOf([], out, {}, next(60)))).toEqual(["2 site:a out_of_service 0"]);
  });

  test("missing power of no single site belongs to the award", () => {
    const award = awardOf([cause("no_member", null, 400)], { uncovered_kw: 400 });
    expect(brief(sourcesOf([award], []))).toEqual(["1 award:morning uncovered 1"]);
  });

  test("delivery outside the band without another cause is an alarm of the award", () => {
    const award = awardOf([], { delivered_kw: -2200, over_kw: 300 });
    expect(brief(sourcesOf([award], []))).toEqual(["2 award:morning outside_band 0"]);
  });

  test("a lost connection is urgent, a lag is to know", () => {
    expect(brief(sourcesOf([], [], { connection: "disconnected" }))).toEqual(["1 connection connection 0"]);
    expect(brief(sourcesOf([], [], { connection: "lagging", lagSeconds: 30 }))).toEqual(["3 lagging lagging 0"]);
    expect(brief(sourcesOf([], [], { connection: "frozen" }))).toEqual([]);
  });
});
