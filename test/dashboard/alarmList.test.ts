import { describe, expect, test } from "vitest";
import type { AlarmCondition } from "../../src/dashboard/pages/alarms/alarm.ts";
import {
  type AlarmList,
  acknowledge,
  activeIds,
  awardPriority,
  CLEARED_MAX,
  countOf,
  mostUrgent,
  NO_ALARMS,
  sitePriorities,
  updateAlarms,
} from "../../src/dashboard/pages/alarms/alarmList.ts";

const conditionOf = (id: string, changes: Partial<AlarmCondition> = {}): AlarmCondition => ({
  id,
  root: "refused",
  priority: 2,
  text: { key: "alarms.out", values: { site: id } },
  signs: [],
  vpp: "east",
  site: id,
  sites: [id],
  awardIds: [],
  sinceMs: null,
  ...changes,
});

const MINUTE = 60_000;
const A = conditionOf("a");
const brief = ({ alarms }: AlarmList) => alarms.map(({ id, state, raisedMs }) => `${id} ${state} ${raisedMs / MINUTE}`);
const updated = (list: AlarmList, ids: readonly AlarmCondition[], minute: number) =>
  updateAlarms(list, ids, minute * MINUTE);

describe("alarm list", () => {
  test("new, acknowledged, over: an acknowledged alarm leaves with its condition", () => {
    const raised = updated(NO_ALARMS, [A], 1);
    expect(brief(raised)).toEqual(["a new 1"]);
    expect(brief(updated(raised, [A], 2))).toEqual(["a new 1"]);
    const acknowledged = acknowledge(raised, "a");
    expect(brief(updated(acknowledged, [A], 3))).toEqual(["a acknowledged 1"]);
    expect(brief(updated(acknowledged, [], 4))).toEqual([]);
  });

  test("an alarm that clears unacknowledged stays until it is read", () => {
    const cleared = updated(updated(NO_ALARMS, [A], 1), [], 2);
    expect(cleared.alarms[0]).toMatchObject({ state: "cleared", clearedMs: 2 * MINUTE });
    expect(brief(updated(cleared, [], 9))).toEqual(["a cleared 1"]);
    expect(activeIds(cleared).size).toBe(0);
    expect(brief(acknowledge(cleared, "a"))).toEqual([]);
  });

  test("of very many that cleared, the most urgent ones wait to be read", () => {
    const many = Array.from({ length: CLEARED_MAX + 50 }, (_, k) =>
      conditionOf(`award ${k}`, { priority: k < 50 ? 3 : 2 }),
    );
    const cleared = updated(updated(NO_ALARMS, many, 1), [], 2);
    expect(cleared.alarms.map(({ priority }) => priority)).toEqual(Array(CLEARED_MAX).fill(2));
  });

  test("an alarm that began before the page was opened says when it began", () => {
    const since = conditionOf("a", { sinceMs: 2 * MINUTE });
    expect(brief(updated(NO_ALARMS, [since], 20))).toEqual(["a new 2"]);
    expect(updated(NO_ALARMS, [since], 20).raisedMs).toEqual([]);
    expect(updated(NO_ALARMS, [since], 11).raisedMs).toEqual([2 * MINUTE]);
  });

  test("a condition that returns before it was read is the same alarm, new again", () => {
    const back = updated(updated(updated(NO_ALARMS, [A], 1), [], 2), [A], 3);
    expect(back.alarms).toMatchObject([{ state: "new", raisedMs: 3 * MINUTE, returns: 1, clearedMs: null }]);
  });

  test("an acknowledged alarm that worsens is new again, one that eases is not", () => {
    const known = acknowledge(updated(NO_ALARMS, [A], 1), "a");
    const worse = conditionOf("a", { priority: 1 });
    const other = conditionOf("a", { root: "out_of_service" });
    expect(brief(updated(known, [worse], 2))).toEqual(["a new 2"]);
    expect(brief(updated(known, [other], 2))).toEqual(["a new 2"]);
    expect(brief(updated(known, [conditionOf("a", { priority: 3 })], 2))).toEqual(["a acknowledged 1"]);
  });

  test("the most urgent unacknowledged alarm leads; cleared ones come last", () => {
    const list = updated(
      updated(NO_ALARMS, [conditionOf("gone", { priority: 1 })], 1),
      [conditionOf("late", { priority: 3 }), A, conditionOf("b"), conditionOf("z", { priority: 1 })],
      2,
    );
    expect(brief(list)).toEqual(["z new 2", "a new 2", "b new 2", "late new 2", "gone cleared 1"]);
    expect(mostUrgent(acknowledge(list, "z"))?.id).toBe("a");
    expect([countOf(list, "new"), countOf(list, "acknowledged"), countOf(list, "cleared")]).toEqual([4, 0, 1]);
  });

  test("a finding that was below its limit when the page looked last is raised when it exceeds it", () => {
    const late = conditionOf("a", { sinceMs: 2 * MINUTE });
    expect(brief(updated(updated(NO_ALARMS, [], 29), [late], 30))).toEqual(["a new 30"]);
    expect(brief(updated(updated(NO_ALARMS, [], 1), [late], 30))).toEqual(["a new 2"]);
  });

  test("a clock that goes back drops the alarms of the time that was left", () => {
    const list = updated(updated(NO_ALARMS, [A], 10), [A, conditionOf("b")], 20);
    expect(brief(updated(list, [A], 15))).toEqual(["a new 10"]);
  });

  test("a clock that goes back leaves no alarm that was raised at its instant or cleared after it", () => {
    const raised = updated(updated(NO_ALARMS, [A], 5), [A, conditionOf("b")], 10);
    const cleared = updated(raised, [], 20);
    expect(brief(updated(cleared, [], 10))).toEqual([]);
    expect(brief(updated(cleared, [conditionOf("a", { sinceMs: 5 * MINUTE })], 10))).toEqual(["a new 5"]);
  });

  test("the load counts the alarms raised in the last ten minutes", () => {
    const raised = [...Array(12).keys()].reduce(
      (list, k) =>
        updated(
          list,
          [...Array(k + 1).keys()].map((n) => conditionOf(`s${n}`)),
          k,
        ),
      NO_ALARMS,
    );
    expect(raised.raisedMs.map((ms) => ms / MINUTE)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test("a site and an award have the priority of the most urgent alarm that concerns them", () => {
    const common = conditionOf("common", { site: null, sites: ["a", "b"], priority: 2, awardIds: ["morning", "noon"] });
    const outage = conditionOf("outage", { site: "b", sites: ["b"], priority: 1, awardIds: ["noon"] });
    const raised = updated(NO_ALARMS, [common, outage], 1);
    expect(Object.fromEntries(sitePriorities(raised))).toEqual({ a: 2, b: 1 });
    expect(["morning", "noon", "evening"].map((award) => awardPriority(raised, award))).toEqual([2, 1, null]);
    // Cleared and not read: the alarm is still in the list, and nothing is wrong at the site.
    expect(Object.fromEntries(sitePriorities(updated(raised, [common], 2)))).toEqual({ a: 2, b: 2 });
  });
});
