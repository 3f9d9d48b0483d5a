import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { AlarmAction, SessionAlarms } from "../../../inputs/scenario/sessionAlarms.ts";
import type { SessionRecord } from "../record/sessionRecord.ts";
import type { SandboxRole } from "../sandboxReads.ts";
import { type Alarm, type AlarmChange, type AlarmCondition, alarmId, kindRank, stateOf } from "./alarm.ts";
import { alarmConditions } from "./alarmConditions.ts";
import { alarmFacts } from "./alarmFacts.ts";
import { AlarmJournal } from "./alarmJournal.ts";
import { FoundSince } from "./foundSince.ts";

/** Cleared alarms that wait to be acknowledged; those that cleared first leave the list beyond. */
const CLEARED_MAX = 1_000;

/**
 * The alarms of one world (docs/model/sandbox.md#alarms). It acts at simulated instants that depend on the inputs alone, so
 * that a replay and a run of the export have the same list.
 */
export class AlarmBoard {
  readonly journal = new AlarmJournal();
  private readonly world: World;
  private readonly record: SessionRecord;
  private readonly alarms = new Map<string, Alarm>();
  private readonly found = new FoundSince();
  private nextEvaluationMs: EpochMs;
  private raisedCount = 0;
  private readonly untilMs: EpochMs;
  private readonly actions: SessionAlarms["actions"];
  private actionCount = 0;

  /** @param actions  of the session whose export this world runs */
  constructor(world: World, record: SessionRecord, { fromMs, untilMs, actions }: SessionAlarms) {
    this.world = world;
    this.record = record;
    this.nextEvaluationMs = fromMs;
    this.untilMs = untilMs;
    this.actions = actions;
  }

  /** The next instant at which the board acts, before the commands and other settled events of that instant; `Infinity`: none. */
  get nextDueMs(): EpochMs {
    let dueMs = Math.min(this.nextEvaluationMs, this.actions[this.actionCount]?.atMs ?? Number.POSITIVE_INFINITY);
    for (const { shelvedUntilMs } of this.alarms.values())
      if (shelvedUntilMs !== null && shelvedUntilMs < dueMs) dueMs = shelvedUntilMs;
    return dueMs < this.untilMs ? dueMs : Number.POSITIVE_INFINITY;
  }

  /** Acts at the present instant, of which no settled event has happened. */
  act(): void {
    const { nowMs } = this.world;
    for (const alarm of this.alarms.values())
      if (alarm.shelvedUntilMs !== null && alarm.shelvedUntilMs <= nowMs)
        this.change({ ...alarm, shelvedUntilMs: null }, "unshelved");
    if (this.nextEvaluationMs <= nowMs) {
      this.nextEvaluationMs = (Math.floor(nowMs / MS_PER_MINUTE) + 1) * MS_PER_MINUTE;
      this.evaluate();
    }
    this.applyExported();
  }

  /** Applies the actions of the exported session up to the present instant. */
  applyExported(): void {
    const { nowMs } = this.world;
    for (; this.actions[this.actionCount]?.atMs <= nowMs; this.actionCount++)
      this.apply(this.actions[this.actionCount]);
  }

  /** In the order of raising. */
  get list(): readonly Alarm[] {
    return [...this.alarms.values()];
  }

  /** The alarm of an id; `undefined`: it is not in the list. */
  find(id: string): Alarm | undefined {
    return this.list.find((alarm) => alarmId(alarm) === id);
  }

  /** Applies what a person does with an alarm of the list. */
  apply({ id, act, by, name, untilMs }: AlarmAction): void {
    const alarm = this.find(id);
    if (alarm === undefined) return;
    const person = { by, name };
    switch (act) {
      case "acknowledge": {
        if (alarm.acknowledgement !== null) return;
        this.change({ ...alarm, acknowledgement: { atMs: this.world.nowMs, ...person } }, "acknowledged", person);
        if (alarm.clearedMs !== null) this.alarms.delete(alarm.condition.origin);
        return;
      }
      case "shelve":
        return this.change({ ...alarm, shelvedUntilMs: untilMs }, "shelved", person);
      case "unshelve":
        return this.change({ ...alarm, shelvedUntilMs: null }, "unshelved", person);
    }
  }

  private evaluate(): void {
    const { world, alarms, found } = this;
    found.begin(world.nowMs);
    const conditions = alarmConditions(alarmFacts(world, this.record), found, world.nowMs);
    const holding = new Set(conditions.map(({ origin }) => origin));
    for (const alarm of alarms.values()) if (!holding.has(alarm.condition.origin)) this.end(alarm);
    for (const condition of conditions) {
      const alarm = alarms.get(condition.origin);
      if (alarm === undefined) this.raise(condition);
      else if (alarm.clearedMs !== null) this.raiseAnew({ ...alarm, count: alarm.count + 1 }, condition);
      else this.update(alarm, condition);
    }
    this.dropCleared();
  }

  private raise(condition: AlarmCondition): void {
    const number = ++this.raisedCount;
    const alarm = { number, condition, acknowledgement: null, shelvedUntilMs: null, clearedMs: null, count: 1 };
    this.change({ ...alarm, raisedMs: this.world.nowMs }, "raised");
  }

  private raiseAnew(alarm: Alarm, condition: AlarmCondition): void {
    const fresh = { acknowledgement: null, shelvedUntilMs: null, clearedMs: null, raisedMs: this.world.nowMs };
    this.change({ ...alarm, ...fresh, condition }, "raised");
  }

  private update(alarm: Alarm, condition: AlarmCondition): void {
    const { kind, cause, priority } = alarm.condition;
    const isUrgent = condition.priority < priority;
    const isWorse = isUrgent || kindRank(condition.kind) < kindRank(kind);
    if (alarm.shelvedUntilMs === null ? isWorse : isUrgent) return this.raiseAnew(alarm, condition);
    const isChanged = condition.kind !== kind || condition.cause !== cause || condition.priority !== priority;
    if (isChanged) this.change({ ...alarm, condition }, "changed");
    else this.alarms.set(condition.origin, { ...alarm, condition });
  }

  /** The condition ended: an alarm that nobody has read stays. */
  private end(alarm: Alarm): void {
    const state = stateOf(alarm);
    if (state === "cleared") return;
    const cleared = { ...alarm, clearedMs: this.world.nowMs };
    this.change(cleared, "cleared");
    if (state !== "new") this.alarms.delete(alarm.condition.origin);
  }

  private dropCleared(): void {
    const cleared = this.list.filter(({ clearedMs }) => clearedMs !== null);
    if (cleared.length <= CLEARED_MAX) return;
    cleared.sort((a, b) => (b.clearedMs ?? 0) - (a.clearedMs ?? 0) || b.number - a.number);
    for (const { condition } of cleared.slice(CLEARED_MAX)) this.alarms.delete(condition.origin);
  }

  private change(
    alarm: Alarm,
    what: AlarmChange,
    person: { readonly by: SandboxRole | null; readonly name: string | null } = { by: null, name: null },
  ): void {
    this.alarms.set(alarm.condition.origin, alarm);
    this.journal.add({ atMs: this.world.nowMs, what, alarm, ...person });
  }
}
