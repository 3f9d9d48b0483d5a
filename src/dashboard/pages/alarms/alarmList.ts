import type { AlarmPriority } from "../../parts/AlarmBadge.tsx";
import type { Alarm, AlarmCondition } from "./alarm.ts";

export interface AlarmList {
  /** Simulated instant of the last update, in epoch milliseconds. */
  readonly atMs: number;
  /** Most urgent first. */
  readonly alarms: readonly Alarm[];
  /** Instants at which alarms were raised in the last ten simulated minutes. */
  readonly raisedMs: readonly number[];
}

export const NO_ALARMS: AlarmList = { atMs: Number.NEGATIVE_INFINITY, alarms: [], raisedMs: [] };

/** Period over which the load of alarms is measured (EEMUA 191). */
const LOAD_PERIOD_MS = 10 * 60_000;

/** Cleared alarms that wait to be read; the least urgent ones beyond are dropped, and remain among the events. */
export const CLEARED_MAX = 100;

/**
 * Takes the conditions of an instant into the list.
 *
 * A condition without an alarm raises one. An alarm that was acknowledged becomes new again if its origin worsens: another
 * root, or a more urgent priority. If the clock went back, as after a restore, the alarms that were raised or cleared in the
 * time that was left are dropped; what still holds is raised again.
 */
export function updateAlarms(list: AlarmList, conditions: readonly AlarmCondition[], atMs: number): AlarmList {
  const isBack = atMs < list.atMs;
  const known = isBack ? list.alarms.filter((alarm) => isOfBefore(alarm, atMs)) : list.alarms;
  const byId = new Map(known.map((alarm) => [alarm.id, alarm]));
  const watchedMs = isBack ? Number.NEGATIVE_INFINITY : list.atMs;
  const active = conditions.map((condition) => raise(byId.get(condition.id), condition, watchedMs, atMs));
  const activeIds = new Set(conditions.map(({ id }) => id));
  const ended = known.filter(({ id }) => !activeIds.has(id)).flatMap((alarm) => endCondition(alarm, atMs));
  const unread = ended.sort(byUrgency).slice(0, CLEARED_MAX);
  const raisedNow = active.filter(
    ({ id, raisedMs }) => atMs - LOAD_PERIOD_MS < raisedMs && byId.get(id)?.raisedMs !== raisedMs,
  );
  const recent = list.raisedMs.filter((ms) => atMs - LOAD_PERIOD_MS < ms && ms <= atMs);
  return {
    atMs,
    alarms: [...active, ...unread].sort(byUrgency),
    raisedMs: [...recent, ...raisedNow.map(({ raisedMs }) => raisedMs)],
  };
}

/** Whether nothing of an alarm happened at or after an instant. */
const isOfBefore = ({ raisedMs, clearedMs }: Alarm, atMs: number): boolean =>
  raisedMs < atMs && (clearedMs === null || clearedMs < atMs);

/** @param watchedMs  the last instant at which the page looked and found no such condition */
function raise(known: Alarm | undefined, condition: AlarmCondition, watchedMs: number, atMs: number): Alarm {
  if (known === undefined) {
    const { sinceMs } = condition;
    // A page that was opened later shows the same instants. A finding that was below its limit when the page looked last
    // has become an alarm only now.
    const firstMs = sinceMs === null || sinceMs <= watchedMs ? atMs : Math.min(atMs, sinceMs);
    return { ...condition, state: "new", raisedMs: firstMs, clearedMs: null, returns: 0 };
  }
  const { state, raisedMs, returns } = known;
  if (state === "cleared") return { ...condition, state: "new", raisedMs: atMs, clearedMs: null, returns: returns + 1 };
  const isWorse = condition.root !== known.root || condition.priority < known.priority;
  if (state === "acknowledged" && isWorse)
    return { ...condition, state: "new", raisedMs: atMs, clearedMs: null, returns };
  return { ...condition, state, raisedMs, clearedMs: null, returns };
}

/** An alarm that was acknowledged is over with its condition; another one stays until it is read. */
function endCondition(alarm: Alarm, atMs: number): Alarm[] {
  if (alarm.state === "acknowledged") return [];
  return [alarm.state === "cleared" ? alarm : { ...alarm, state: "cleared", clearedMs: atMs }];
}

/** Unread before acknowledged before cleared; then by priority; then the latest. */
function byUrgency(a: Alarm, b: Alarm): number {
  const rank = ({ state }: Alarm) => ["new", "acknowledged", "cleared"].indexOf(state);
  const isEnded = (alarm: Alarm) => Number(alarm.state === "cleared");
  return (
    isEnded(a) - isEnded(b) ||
    a.priority - b.priority ||
    rank(a) - rank(b) ||
    b.raisedMs - a.raisedMs ||
    (a.id < b.id ? -1 : 1)
  );
}

/** Acknowledges one alarm; a cleared one is read and leaves the list. */
export function acknowledge(list: AlarmList, id: string): AlarmList {
  const alarms = list.alarms.flatMap((alarm): Alarm[] => {
    if (alarm.id !== id) return [alarm];
    return alarm.state === "cleared" ? [] : [{ ...alarm, state: "acknowledged" }];
  });
  return { ...list, alarms: alarms.sort(byUrgency) };
}

/** The alarm to work on: the most urgent one that is not acknowledged. */
export const mostUrgent = ({ alarms }: AlarmList): Alarm | null => alarms.find(({ state }) => state === "new") ?? null;

export const countOf = ({ alarms }: AlarmList, state: Alarm["state"]): number =>
  alarms.filter((alarm) => alarm.state === state).length;

/** Ids of the alarms whose condition holds. */
export const activeIds = ({ alarms }: AlarmList): ReadonlySet<string> =>
  new Set(alarms.filter(({ state }) => state !== "cleared").map(({ id }) => id));

/** Alarms whose condition holds, the most urgent priority first. */
const activeByPriority = ({ alarms }: AlarmList): readonly Alarm[] =>
  alarms.filter(({ state }) => state !== "cleared").sort((a, b) => a.priority - b.priority);

/** Priority of the badge of each site: that of the most urgent alarm that concerns it. Other sites have none. */
export function sitePriorities(list: AlarmList): ReadonlyMap<string, AlarmPriority> {
  const found = new Map<string, AlarmPriority>();
  for (const { sites, priority } of activeByPriority(list))
    for (const site of sites) if (!found.has(site)) found.set(site, priority);
  return found;
}

/** Priority of the badge of an award: that of the most urgent alarm that concerns it; `null`: no badge. */
export const awardPriority = (list: AlarmList, awardId: string): AlarmPriority | null =>
  activeByPriority(list).find(({ awardIds }) => awardIds.includes(awardId))?.priority ?? null;
