import { assert } from "../../../base/assert.ts";
import { ceilToMinute, type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Condition, InjectSpec } from "../../../inputs/scenario/schema/injectSchema.ts";
import { lastingEvent } from "../fault.ts";
import { type AnsweredCommand, type ConditionContext, holdsNow } from "./evaluateCondition.ts";
import {
  type DerivedChange,
  type DrillStep,
  faultOfInject,
  type Inject,
  type InjectSource,
  type OwnerCall,
  type SessionDrill,
  type StepOutcome,
  type StepView,
  stepsAt,
} from "./inject.ts";

/** An inject with its progress. */
interface BoardInject {
  readonly injectId: string;
  readonly spec: InjectSpec;
  readonly source: InjectSource;
  readonly preparedId: string | null;
  isCancelled: boolean;
  beganMs: EpochMs | null;
  faultId: string | null;
  /** When its fault was ended before its time; `null`: it was not. */
  endedEarlyMs: EpochMs | null;
  watch: Watch;
}

/** Since when a condition has been true without a break; `null`: it is not true. */
interface Watch {
  trueSinceMs: EpochMs | null;
}

/**
 * The injects, owner calls and steps of one world. It acts at simulated instants that depend on the inputs alone, so that
 * a replay and an export's reader derive the same changes (docs/model/drills.md#injects).
 */
export class InjectBoard {
  private readonly world: World;
  private readonly siteIndex: ReadonlyMap<string, number>;
  private readonly opensAtMs: EpochMs;
  private readonly boardInjects: BoardInject[] = [];
  private readonly calls: OwnerCall[] = [];
  private readonly drillSteps: readonly DrillStep[];
  private readonly outcomes: StepOutcome[] = [];
  /** Of the step after the last outcome. */
  private stepWatch: Watch = { trueSinceMs: null };
  private readonly commands: AnsweredCommand[] = [];
  private readonly derived: DerivedChange[] = [];
  private inputCount = 0;

  constructor(world: World, siteIndex: ReadonlyMap<string, number>, drill: SessionDrill | null) {
    this.world = world;
    this.siteIndex = siteIndex;
    this.opensAtMs = drill?.opensAtMs ?? world.spec.startMs;
    this.drillSteps = drill?.steps ?? [];
    for (const spec of drill?.injects ?? []) this.add(spec, "drill");
  }

  get injects(): readonly Inject[] {
    const active = new Set(this.world.faults.activeFaults.map(({ faultId }) => faultId));
    return this.boardInjects.map((inject) => {
      const { injectId, spec, source, preparedId, isCancelled, beganMs, faultId } = inject;
      const state = isCancelled
        ? "cancelled"
        : faultId === null
          ? "planned"
          : active.has(faultId)
            ? "in_force"
            : "ended";
      return { injectId, spec, source, preparedId, beganMs, state, endedMs: state === "ended" ? endOf(inject) : null };
    });
  }

  get ownerCalls(): readonly OwnerCall[] {
    return this.calls;
  }

  /** How each step ended, in order; fewer than the drill has while it lasts. */
  get stepOutcomes(): readonly StepOutcome[] {
    return this.outcomes;
  }

  get steps(): readonly StepView[] {
    return stepsAt(this.drillSteps, this.outcomes, this.world.nowMs);
  }

  /** All changes so far, oldest first. */
  get derivedChanges(): readonly DerivedChange[] {
    return this.derived;
  }

  /** The next instant after now at which the board may act; `Infinity`: none. */
  get nextDueMs(): EpochMs {
    const { nowMs } = this.world;
    let dueMs = Number.POSITIVE_INFINITY;
    for (const { spec, isCancelled, beganMs } of this.boardInjects)
      if (!isCancelled && beganMs === null && spec.at !== undefined && nowMs < spec.at)
        dueMs = Math.min(dueMs, spec.at);
    for (const call of this.calls) if (nowMs < call.dueMs) dueMs = Math.min(dueMs, call.dueMs);
    const untilMs = this.presentStep?.untilMs ?? null;
    if (untilMs !== null && nowMs < untilMs) dueMs = Math.min(dueMs, untilMs);
    if (!this.isWatching) return dueMs;
    return Math.min(dueMs, ceilToMinute(Math.max(nowMs + 1, this.opensAtMs)));
  }

  /** The first step that is neither done nor missed. */
  private get presentStep(): DrillStep | undefined {
    return this.drillSteps[this.outcomes.length];
  }

  private get isWatching(): boolean {
    return (
      this.presentStep !== undefined ||
      this.boardInjects.some(
        ({ spec, isCancelled, beganMs }) => !isCancelled && beganMs === null && spec.when !== undefined,
      )
    );
  }

  /** Acts at the present instant, all of whose events are processed. */
  act(): void {
    const { nowMs } = this.world;
    this.calls.forEach(({ site, dueMs }, k) => {
      if (dueMs === nowMs) this.endFaultsOf(site, `owner-call-${k + 1}`);
    });
    for (const inject of this.boardInjects) if (this.isDue(inject)) this.begin(inject);
    if (isWholeMinute(nowMs)) this.watchSteps();
    else this.missSteps();
  }

  /** Plans an inject inside a command; one without time or condition, or of an instant that has passed, begins now. */
  plan(spec: InjectSpec, preparedId: string | null = null): Inject {
    const inject = this.add(spec, preparedId === null ? "instructor" : "prepared", preparedId);
    if (spec.when === undefined && (spec.at ?? 0) <= this.world.nowMs) this.begin(inject);
    return this.recordOf(inject.injectId);
  }

  /** Cancels a planned inject inside a command, or ends the fault of one in force. */
  cancel(injectId: string): void {
    const inject = this.boardInjects.find((candidate) => candidate.injectId === injectId);
    if (inject === undefined) return;
    if (inject.faultId === null) inject.isCancelled = true;
    else this.end(inject.faultId, injectId);
  }

  /** Records that a fault was ended by a command of its own. */
  faultEnded(faultId: string): void {
    const inject = this.boardInjects.find((candidate) => candidate.faultId === faultId);
    if (inject !== undefined) inject.endedEarlyMs ??= this.world.nowMs;
  }

  callOwner(site: string, delayMs: number): void {
    const { nowMs } = this.world;
    this.calls.push({ site, calledMs: nowMs, dueMs: nowMs + delayMs });
  }

  /** Records that an input has acted. @param command  `null`: no API command */
  inputActed(command: AnsweredCommand | null): void {
    this.inputCount++;
    if (command !== null) this.commands.push(command);
    this.watchSteps();
  }

  private add(spec: InjectSpec, source: InjectSource, preparedId: string | null = null): BoardInject {
    const injectId = `inject-${this.boardInjects.length + 1}`;
    const inject: BoardInject = {
      injectId,
      spec,
      source,
      preparedId,
      isCancelled: false,
      beganMs: null,
      faultId: null,
      endedEarlyMs: null,
      watch: { trueSinceMs: null },
    };
    this.boardInjects.push(inject);
    return inject;
  }

  private recordOf(injectId: string): Inject {
    const record = this.injects.find((inject) => inject.injectId === injectId);
    assert(record !== undefined, "an inject that was planned is listed");
    return record;
  }

  private isDue({ spec, isCancelled, beganMs, watch }: BoardInject): boolean {
    if (isCancelled || beganMs !== null) return false;
    const { nowMs } = this.world;
    if (spec.when === undefined) return spec.at === nowMs;
    // The board also acts at instants of other injects and calls (docs/model/drills.md#condition-instants).
    return isWholeMinute(nowMs) && this.holdsLongEnough(spec.when, watch);
  }

  /** Updates a watch on a whole minute, and returns whether its condition has been true for long enough. */
  private holdsLongEnough(condition: Condition, watch: Watch): boolean {
    const { nowMs } = this.world;
    if (nowMs < this.opensAtMs || !holdsNow(condition, this.context)) {
      watch.trueSinceMs = null;
      return false;
    }
    watch.trueSinceMs ??= nowMs;
    return (condition.for ?? 0) <= nowMs - watch.trueSinceMs;
  }

  private get context(): ConditionContext {
    const calledSites = new Set(this.calls.map(({ site }) => site));
    return { world: this.world, calledSites, commands: this.commands };
  }

  private watchSteps(): void {
    const { nowMs } = this.world;
    this.missSteps();
    for (let step = this.presentStep; step !== undefined; step = this.presentStep) {
      const isOpen = (step.fromMs ?? nowMs) <= nowMs;
      if (!isOpen || !this.holdsLongEnough(step.doneWhen, this.stepWatch)) return;
      this.endStep({ state: "done", atMs: nowMs });
      this.missSteps();
    }
  }

  /** Steps whose time is over are missed for good, and the next one opens. */
  private missSteps(): void {
    const { nowMs } = this.world;
    for (let step = this.presentStep; step !== undefined; step = this.presentStep) {
      const untilMs = step.untilMs ?? Number.POSITIVE_INFINITY;
      if (nowMs < untilMs) return;
      this.endStep({ state: "missed", atMs: Math.max(untilMs, this.outcomes.at(-1)?.atMs ?? untilMs) });
    }
  }

  private endStep(outcome: StepOutcome): void {
    this.outcomes.push(outcome);
    this.stepWatch = { trueSinceMs: null };
  }

  private begin(inject: BoardInject): void {
    const { nowMs } = this.world;
    const fault = faultOfInject(inject.spec);
    const site = this.siteIndex.get(fault.site);
    assert(site !== undefined, () => `the world has the site ${fault.site}`);
    const { faultId } = this.command(() => this.world.faults.begin(lastingEvent(fault, site, nowMs)));
    inject.beganMs = nowMs;
    inject.faultId = faultId;
    this.record(inject.injectId, { kind: "begin", fault });
  }

  private endFaultsOf(site: string, source: string): void {
    const index = this.siteIndex.get(site);
    for (const { faultId, event } of this.world.faults.activeFaults)
      if (event.site === index) this.end(faultId, source);
  }

  private end(faultId: string, source: string): void {
    if (this.command(() => this.world.faults.end(faultId)) === null) return;
    this.faultEnded(faultId);
    this.record(source, { kind: "end", faultId });
  }

  private record(source: string, change: DerivedChange["change"]): void {
    this.derived.push({ atMs: this.world.nowMs, afterInputs: this.inputCount, source, change });
  }

  private command<T>(act: () => T): T {
    return this.world.runCommand(act);
  }
}

/** End of a fault that is over: when it was ended, or when its time was up. */
const endOf = ({ spec, beganMs, endedEarlyMs }: BoardInject): EpochMs | null =>
  endedEarlyMs ?? (beganMs === null || spec.duration === undefined ? null : beganMs + spec.duration);

const isWholeMinute = (atMs: EpochMs): boolean => atMs % MS_PER_MINUTE === 0;
