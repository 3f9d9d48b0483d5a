// The table of kinds: which facts raise which alarms (docs/model/sandbox.md#alarm-kinds).
import { describe, expect, test } from "vitest";
import type { AlarmCondition } from "../../../src/live/session/alarms/alarm.ts";
import { alarmConditions } from "../../../src/live/session/alarms/alarmConditions.ts";
import type { AlarmSite, AwardFacts, VppFacts } from "../../../src/live/session/alarms/alarmFacts.ts";
import { FoundSince } from "../../../src/live/session/alarms/foundSince.ts";
import type { Cause } from "../../../src/live/session/sandboxReads.ts";

const AT_MS = Date.parse("2026-05-19T22:52:00Z");
const MINUTE_MS = 60_000;
const ago = (seconds: number): number => AT_MS - 1000 * seconds;

const NAMES = ["a", "b", "c", "d", "e"];
const site = (name: string): AlarmSite => ({ index: NAMES.indexOf(name), name });

type Row = AwardFacts["rows"][number];

const ofDelivery: readonly Cause[] = ["weather", "load_deviation", "ramp", "not_yet_known"];
const row = (cause: Cause, at: string | null, kw: number, seconds = 660): Row => ({
  stage: ofDelivery.includes(cause) ? "delivery" : "allocation",
  cause,
  site: at === null ? null : site(at),
  kw,
  sinceMs: ago(seconds),
  isReached: true,
});

const award = (rows: readonly Row[], changes: Partial<AwardFacts> = {}): AwardFacts => ({
  awardId: "morning",
  requestedKw: -1_900,
  deliveredKw: -1_900,
  bandKw: [-2_090, -1_710],
  startMs: AT_MS - 60 * MINUTE_MS,
  endMs: AT_MS + 38 * MINUTE_MS,
  rows,
  storeEnds: [],
  ...changes,
});

const facts = (awards: readonly AwardFacts[], changes: Partial<VppFacts> = {}): VppFacts => ({
  vpp: "east",
  outOfService: [],
  unreached: [],
  hasAward: awards.length > 0,
  awards,
  ...changes,
});

/** The conditions of the last of some evaluations, a minute apart. */
function evaluated(...minutes: readonly VppFacts[]): readonly AlarmCondition[] {
  const found = new FoundSince();
  let conditions: readonly AlarmCondition[] = [];
  minutes.forEach((vpp, k) => {
    const nowMs = AT_MS + (k + 1 - minutes.length) * MINUTE_MS;
    found.begin(nowMs);
    conditions = alarmConditions([vpp], found, nowMs);
  });
  return conditions;
}

const brief = (...minutes: readonly VppFacts[]): readonly string[] =>
  evaluated(...minutes).map(({ priority, origin, kind, signs }) => `${priority} ${origin} ${kind} ${signs.length}`);

const ofRow = (...values: Parameters<typeof row>) => brief(facts([award([row(...values)])]));

test("a world where all is well has no condition", () => expect(brief(facts([award([])]))).toEqual([]));

test.each<[Cause, string, number]>([
  ["incompatible", "limited", 0],
  ["refused", "refused", 0],
  ["delivery_failed", "link", 0],
  ["baseline_missing", "limited", 0],
  ["direct_control", "limited", 0],
  ["power_limit", "limited", 0],
  ["energy_limit", "energy", 0],
  ["output_control", "limited", 0],
  ["other_award", "limited", 0],
  ["out_of_service", "limited", 0],
  ["weather", "below_set_point", 60],
  ["load_deviation", "below_set_point", 60],
  ["ramp", "late", 180],
])("%s at a site is %s after %d s", (cause, kind, delaySeconds) => {
  const priority = kind === "late" ? 3 : 1;
  expect(ofRow(cause, "a", 200, delaySeconds)).toEqual([`${priority} site:a ${kind} 1`]);
  if (delaySeconds > 0) expect(ofRow(cause, "a", 200, delaySeconds - 1)).toEqual([]);
});

test("power of no site is uncovered: at once without a member, after a minute without a known cause", () => {
  expect(ofRow("no_member", null, 200, 0)).toEqual(["1 award:morning uncovered 1"]);
  expect(ofRow("not_yet_known", null, 200, 59)).toEqual([]);
  expect(ofRow("not_yet_known", null, 200, 60)).toEqual(["1 award:morning uncovered 1"]);
});

test("a cause that has not reached the limit is no condition", () => {
  expect(brief(facts([award([{ ...row("refused", "a", 18.9), isReached: false }])]))).toEqual([]);
});

test("priority follows the power that is missing: above a tenth of the request it is urgent", () => {
  expect(ofRow("refused", "a", 190)).toEqual(["2 site:a refused 1"]);
  expect(ofRow("refused", "a", 190.1)).toEqual(["1 site:a refused 1"]);
});

describe("a site that is out of service", () => {
  const out = [{ site: site("a"), noticedMs: ago(120), sinceMs: ago(150) }];
  test("counts from its notice, and is urgent while power is missing for it", () => {
    const [missing] = evaluated(facts([award([row("out_of_service", "a", 25)])], { outOfService: out }));
    expect(missing).toMatchObject({ kind: "out_of_service", cause: "out_of_service", priority: 1, kw: 25 });
    expect(missing).toMatchObject({ sinceMs: ago(120), awardIds: ["morning"] });
    const [covered] = evaluated(facts([award([])], { outOfService: out }));
    expect(covered).toMatchObject({ cause: null, priority: 2, kw: null, awardIds: [], sinceMs: ago(120) });
    expect(brief(facts([], { outOfService: out, hasAward: true }))).toEqual(["2 site:a out_of_service 0"]);
    expect(brief(facts([], { outOfService: out }))).toEqual(["3 site:a out_of_service 0"]);
  });

  test("names the alarm of its site; other findings there are signs", () => {
    const unreached = [{ site: site("a"), noticedMs: ago(60), sinceMs: ago(90) }];
    const rows = [row("out_of_service", "a", 231.3), row("load_deviation", "b", 25.9)];
    const [outage, factory, ...others] = evaluated(
      facts([award(rows, { deliveredKw: -1_628 })], { outOfService: out, unreached }),
    );
    expect(others).toEqual([]);
    expect(outage.signs.map(({ key }) => key)).toEqual(["sign.uncovered", "outside_band", "sign.held", "link"]);
    expect(factory).toMatchObject({ origin: "site:b", priority: 2, kind: "below_set_point" });
  });

  test("is never grouped", () => {
    const sites = NAMES.map((name) => ({ site: site(name), noticedMs: ago(0), sinceMs: ago(30) }));
    const rows = NAMES.map((name) => row("out_of_service", name, 100));
    const conditions = evaluated(facts([award(rows)], { outOfService: sites }));
    expect(conditions.map(({ site: name }) => name)).toEqual(NAMES);
  });
});

test("a lost link counts from its notice, with and without missing power", () => {
  const unreached = [{ site: site("a"), noticedMs: ago(240), sinceMs: ago(250) }];
  const [idle] = evaluated(facts([], { unreached }));
  expect(idle).toMatchObject({ kind: "link", cause: null, priority: 3, kw: null, sinceMs: ago(240) });
  const [missing] = evaluated(facts([award([row("delivery_failed", "a", 99)])], { unreached }));
  expect(missing).toMatchObject({ kind: "link", cause: "delivery_failed", priority: 2, kw: 99, sinceMs: ago(240) });
});

describe("one cause at many sites", () => {
  const clouds = (count: number, cause: Cause = "weather") =>
    facts([award(NAMES.slice(0, count).map((name, k) => row(cause, name, 60 + k, 200 * (k + 1))))]);

  test("is one condition above three sites, with the earliest instant and the most affected first", () => {
    expect(brief(clouds(4))).toEqual(["1 cause:morning:weather below_set_point 4"]);
    const [group] = evaluated(clouds(4));
    expect(group).toMatchObject({ site: null, sites: ["d", "c", "b", "a"], kw: 246, sinceMs: ago(800) });
    expect(brief(clouds(3))).toEqual(["a", "b", "c"].map((name) => `2 site:${name} below_set_point 1`));
  });

  test.each<Cause>(["incompatible", "power_limit", "energy_limit", "output_control", "other_award", "ramp"])(
    "%s is grouped",
    (cause) => expect(evaluated(clouds(4, cause))).toHaveLength(1),
  );

  test.each<Cause>(["refused", "delivery_failed", "baseline_missing", "direct_control"])("%s is not", (cause) =>
    expect(evaluated(clouds(4, cause))).toHaveLength(4),
  );
});

describe("a store that ends before its award", () => {
  const lasting = (minutes: Readonly<Record<string, number>>, changes: Partial<AwardFacts> = {}): VppFacts => {
    const storeEnds = Object.entries(minutes).map(([name, left]) => ({ site: site(name), minutes: left }));
    return facts([award([], { storeEnds, ...changes })]);
  };

  test("is a condition from the second evaluation on", () => {
    expect(brief(lasting({ a: 37 }))).toEqual([]);
    expect(brief(lasting({ a: 38 }), lasting({ a: 37 }))).toEqual(["2 early:east:morning empty_soon 0"]);
    expect(brief(lasting({ a: 39 }), lasting({ a: 37 }))).toEqual([]);
  });

  test("ends once it lasts two minutes longer than the award, or delivers no more", () => {
    const found = [lasting({ a: 30 }), lasting({ a: 30 })];
    expect(brief(...found, lasting({ a: 39.9 }))).toHaveLength(1);
    expect(brief(...found, lasting({ a: 40 }))).toEqual([]);
    expect(brief(...found, lasting({}))).toEqual([]);
  });

  test("is one condition for all sites without an alarm of their own, named after the first", () => {
    const soon = lasting({ b: 12, c: 12, a: 20 });
    const [condition, ...others] = evaluated(soon, soon);
    expect(others).toEqual([]);
    expect(condition).toMatchObject({ site: null, sites: ["b", "c", "a"], priority: 2, sinceMs: ago(60) });
    expect(condition.text.key).toBe("empty_soon_in_common");
  });

  test("is to know if it is more than an hour away, and a sign where the site has an alarm", () => {
    const endMs = AT_MS + 180 * MINUTE_MS;
    const far = lasting({ a: 61 }, { endMs });
    expect(brief(far, far)).toEqual(["3 early:east:morning empty_soon 0"]);
    const withAlarm = lasting({ a: 61 }, { endMs, rows: [row("ramp", "a", 30)] });
    expect(brief(withAlarm, withAlarm)).toEqual(["2 site:a empty_soon 2"]);
  });

  test("is full on import", () => {
    const full = lasting({ a: 10 }, { requestedKw: 500, deliveredKw: 500, bandKw: [450, 550] });
    expect(evaluated(full, full)[0].text.key).toBe("full_soon");
  });
});

describe("delivered power outside the band", () => {
  const outside = (changes: Partial<AwardFacts> = {}) => facts([award([], { deliveredKw: -2_100, ...changes })]);

  test("is a condition after a minute, and not in the first three minutes of the award", () => {
    expect(brief(outside())).toEqual([]);
    expect(brief(outside(), outside())).toEqual(["2 award:morning outside_band 0"]);
    const startMs = AT_MS - 3 * MINUTE_MS;
    expect(brief(outside({ startMs }), outside({ startMs }))).toEqual([]);
    const earlier = startMs - MINUTE_MS;
    expect(brief(outside({ startMs: earlier }), outside({ startMs: earlier }))).toHaveLength(1);
  });

  test("is a sign where the award has another alarm", () => {
    const other = outside({ rows: [row("refused", "a", 100)] });
    expect(brief(other, other)).toEqual(["2 site:a refused 2"]);
  });
});

test("conditions of one instant come by priority, then by site", () => {
  const rows = [
    row("refused", "e", 100),
    row("no_member", null, 300),
    row("refused", "b", 100),
    row("refused", "d", 300),
  ];
  expect(evaluated(facts([award(rows)])).map(({ origin }) => origin)).toEqual([
    "site:d",
    "award:morning",
    "site:b",
    "site:e",
  ]);
});
