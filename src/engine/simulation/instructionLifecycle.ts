import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { append, removeItem } from "../../base/lists.ts";
import { SequenceBuffer } from "../../base/sequenceBuffer.ts";
import type { EpochMs } from "../../base/time.ts";
import { Series } from "../series/model/series.ts";
import type { OverlapPlan } from "../site/orders/scheduleOverlap.ts";
import { Dispatcher } from "../vpp/dispatch/dispatcher.ts";
import type { ImmediateState } from "../vpp/instructions/immediateMachine.ts";
import type { Instruction, Membership } from "../vpp/instructions/instruction.ts";
import type { ScheduleState } from "../vpp/instructions/scheduleMachine.ts";
import type { Vpp } from "../vpp/vpp.ts";
import { EVENT_KIND, RANK } from "./ranks.ts";
import type { WorldContext } from "./worldContext.ts";

/** The change that a new schedule makes to an existing one, or its own creation; a deleted one is listed with its former times. */
export interface AffectedSchedule {
  readonly instruction: Instruction;
  readonly action: "created" | "inherited" | "split" | "deleted";
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** Runs awards, schedules and immediate instructions from their registration to their end. */
export class InstructionLifecycle extends Copyable {
  /** By site index: memberships that running instructions use or the last one used. The site need not be dispatched. */
  readonly membershipsBySite: Membership[][];
  /** Number of running instructions. */
  runningCount = 0;
  private readonly context: WorldContext;
  private readonly dispatcher: Dispatcher;
  private readonly canDiscardEnded: boolean;
  /** Instructions that have not ended. */
  private readonly instructions = new SequenceBuffer<Instruction>();

  constructor(context: WorldContext, canDiscardEnded: boolean) {
    super();
    this.canDiscardEnded = canDiscardEnded;
    this.context = context;
    this.dispatcher = new Dispatcher(context, context.machines.member);
    this.membershipsBySite = context.sites.map(() => []);
  }

  /** Registers a schedule and queues its start. */
  addPending(instruction: Instruction): void {
    this.context.vpps[instruction.vpp].pendingSchedules.add(instruction);
    this.assignNumber(instruction);
    this.context.kernel.schedule(instruction.startMs, RANK.start, EVENT_KIND.instructionStart, instruction.orderNumber);
    this.context.observer.onRegistered(instruction, this.context.nowMs);
  }

  /**
   * Cuts or deletes the schedules that cannot run beside a new one (docs/model/overlap.md#resolution,
   * docs/model/overlap.md#pieces).
   */
  applyOverlap(
    { inheritedFrom, deleted, cuts }: OverlapPlan<Instruction>,
    by: Instruction,
  ): readonly AffectedSchedule[] {
    if (inheritedFrom === null && deleted.length === 0 && cuts.length === 0) return NONE_AFFECTED;
    const affected: AffectedSchedule[] = [];
    const vpp = this.context.vpps[by.vpp];
    const { nowMs } = this.context;
    for (const old of inheritedFrom === null ? deleted : [inheritedFrom, ...deleted]) {
      if (old !== inheritedFrom)
        affected.push({ instruction: old, action: "deleted", startMs: old.startMs, endMs: old.endMs });
      old.state = this.context.machines.schedule.nextState(old.state as ScheduleState, "overwrite");
      vpp.pendingSchedules.remove(old);
      this.context.observer.onOverwritten(old, by, nowMs);
      this.dropInstruction(old);
    }
    for (const { schedule: old, front, rear } of cuts) {
      this.context.observer.onOverwritten(old, by, nowMs);
      if (front !== null && rear !== null) {
        const rest = old.createRearPiece({ ...rear, serial: vpp.nextSerial("schedule") });
        this.addPending(rest);
        affected.push({ instruction: rest, action: "created", ...rear });
      }
      const piece = front ?? rear;
      assert(piece !== null, "a cut leaves at least one piece");
      const isPending = vpp.pendingSchedules.has(old);
      if (isPending) vpp.pendingSchedules.changePeriod(old, piece);
      else old.endMs = piece.endMs;
      affected.push({ instruction: old, action: "split", ...piece });
      const { orderNumber: number } = old;
      if (!isPending) this.context.kernel.schedule(old.endMs, RANK.end, EVENT_KIND.instructionEnd, number);
      else if (front === null)
        this.context.kernel.schedule(old.startMs, RANK.start, EVENT_KIND.instructionStart, number);
    }
    return affected;
  }

  /** Sets the dispatch plan that a schedule has until its start. */
  planDispatch(instruction: Instruction): void {
    const { membership, spec } = this.context.vpps[instruction.vpp];
    this.dispatcher.plan(instruction, membership, spec.options);
  }

  /** Removes a schedule that has not started. */
  removePending(pending: Instruction): void {
    pending.state = this.context.machines.schedule.nextState(pending.state as ScheduleState, "remove");
    this.context.vpps[pending.vpp].pendingSchedules.remove(pending);
    this.context.observer.onDeleted(pending, this.context.nowMs);
    this.dropInstruction(pending);
  }

  private assignNumber(instruction: Instruction): void {
    instruction.orderNumber = this.instructions.add(instruction);
  }

  start(number: number): void {
    const instruction = this.instructions.get(number);
    // Another schedule may have deleted it or moved its start.
    if (instruction === undefined || instruction.startMs !== this.context.nowMs) return;
    const { origin } = instruction;
    const vpp = this.context.vpps[instruction.vpp];
    vpp.pendingSchedules.remove(instruction);
    const { schedule } = this.context.machines;
    if (vpp.runningImmediate !== null && vpp.options.immediateOverridesSchedule) {
      instruction.state = schedule.nextState(instruction.state as ScheduleState, "overwrite");
      this.context.observer.onVoided(instruction, vpp.runningImmediate, this.context.nowMs);
      return this.dropInstruction(instruction);
    }
    if (vpp.runningImmediate !== null) this.overwriteImmediate(vpp.runningImmediate, instruction);
    instruction.state = schedule.nextState(instruction.state as ScheduleState, "start");
    append(vpp.runningSchedules, instruction);
    if (vpp.runningSchedules.length > 1) vpp.runningSchedules.sort((a, b) => a.registration - b.registration);
    if ("activation" in origin) {
      if (origin.activation instanceof Series) this.updateActivation(number);
      else instruction.activation = origin.activation;
    }
    this.execute(vpp, instruction);
  }

  /**
   * Begins an immediate instruction, unless a running schedule takes precedence (docs/model/overlap.md#immediate,
   * docs/model/overlap.md#direct-calls).
   */
  begin(instruction: Instruction): void {
    const vpp = this.context.vpps[instruction.vpp];
    const { nowMs } = this.context;
    this.assignNumber(instruction);
    this.context.observer.onRegistered(instruction, nowMs);
    if (vpp.runningSchedules.length > 0 && !vpp.options.immediateOverridesSchedule) {
      instruction.state = this.context.machines.immediate.nextState("running", "give_way");
      this.context.observer.onVoided(instruction, vpp.runningSchedules[0], nowMs);
      return this.dropInstruction(instruction);
    }
    for (const schedule of [...vpp.runningSchedules]) this.overwriteSchedule(schedule, instruction);
    if (vpp.runningImmediate !== null) this.overwriteImmediate(vpp.runningImmediate, instruction);
    vpp.runningImmediate = instruction;
    this.execute(vpp, instruction);
  }

  private execute(vpp: Vpp, instruction: Instruction): void {
    const { membership } = vpp;
    instruction.membership = membership;
    this.dispatcher.execute(instruction, vpp.options);
    if (membership !== vpp.lastMembership) this.useMembership(vpp, membership);
    append(membership.runningInstructions, instruction);
    membership.announcedMs = Number.NaN;
    this.runningCount++;
    this.context.kernel.schedule(instruction.endMs, RANK.end, EVENT_KIND.instructionEnd, instruction.orderNumber);
    this.context.observer.onExecuted(instruction, this.context.nowMs);
  }

  /** Adds a new membership to its sites and removes memberships without running instructions. */
  private useMembership(vpp: Vpp, membership: Membership): void {
    vpp.lastMembership = membership;
    for (const site of membership.siteIndices) {
      const retained = this.membershipsBySite[site].filter(({ runningInstructions: running }) => running.length > 0);
      this.membershipsBySite[site] = [...retained, membership];
    }
  }

  /** Sets the activation of an award from its series and queues the next change. */
  updateActivation(number: number): void {
    const instruction = this.instructions.get(number);
    if (instruction === undefined) return;
    const { origin } = instruction;
    const { nowMs, sites } = this.context;
    if (!("activation" in origin) || !(origin.activation instanceof Series)) return;
    if (instruction.table !== null) {
      this.context.observer.onInstructionChange(instruction, nowMs);
      for (const index of instruction.membership.siteIndices)
        if (sites[index].orderBook.hasOrder(instruction)) this.context.beginSiteChange(sites[index]);
    }
    instruction.activation = origin.activation.valueAt(nowMs);
    const nextMs = origin.activation.nextChangeMs(nowMs);
    if (nextMs < instruction.endMs)
      this.context.kernel.schedule(nextMs, RANK.input, EVENT_KIND.activationChange, number);
  }

  private overwriteImmediate(immediate: Instruction, by: Instruction): void {
    const { immediate: machine } = this.context.machines;
    immediate.state = machine.nextState(immediate.state as ImmediateState, "give_way");
    this.endExecution(immediate, by);
    this.context.vpps[immediate.vpp].runningImmediate = null;
  }

  private overwriteSchedule(running: Instruction, by: Instruction): void {
    const { schedule } = this.context.machines;
    running.state = schedule.nextState(running.state as ScheduleState, "overwrite");
    this.endExecution(running, by);
    removeItem(this.context.vpps[running.vpp].runningSchedules, running);
  }

  /** Releases an instruction at its sites and reports its end to the observer. */
  private endExecution(instruction: Instruction, by: Instruction | null): void {
    const { nowMs } = this.context;
    this.context.observer.onInstructionChange(instruction, nowMs);
    this.dispatcher.end(instruction);
    removeItem(instruction.membership.runningInstructions, instruction);
    this.runningCount--;
    if (instruction.kind === "schedule" && !this.canDiscardEnded)
      this.context.vpps[instruction.vpp].recordEnded(instruction);
    this.context.observer.onEnded(instruction, nowMs, by);
    if (this.canDiscardEnded) this.dispatcher.recycleTable(instruction);
    this.dropInstruction(instruction);
  }

  private dropInstruction({ orderNumber: number }: Instruction): void {
    this.instructions.remove(number);
  }

  end(number: number): void {
    const instruction = this.instructions.get(number);
    // Another schedule may have deleted it or moved its end.
    if (instruction === undefined || instruction.endMs !== this.context.nowMs) return;
    const vpp = this.context.vpps[instruction.vpp];
    if (instruction.kind === "schedule") {
      instruction.state = this.context.machines.schedule.nextState(instruction.state as ScheduleState, "finish");
      removeItem(vpp.runningSchedules, instruction);
    } else {
      instruction.state = this.context.machines.immediate.nextState(instruction.state as ImmediateState, "finish");
      vpp.runningImmediate = null;
    }
    this.endExecution(instruction, null);
  }

  evaluate(vpp: Vpp): void {
    const { nowMs } = this.context;
    for (const instruction of vpp.runningInstructions) {
      this.context.observer.onInstructionChange(instruction, nowMs);
      const changes = this.dispatcher.evaluate(instruction, (site, isOut) =>
        this.context.observer.onRunEvent(
          "noticed",
          site.spec.name,
          `${isOut ? "out of service" : "back in service"}, ${instruction.awardId}`,
          nowMs,
        ),
      );
      if (changes) this.context.kernel.schedule(nowMs, RANK.redispatch, EVENT_KIND.redispatch, instruction.orderNumber);
    }
  }

  redispatch(number: number): void {
    const instruction = this.instructions.get(number);
    // An immediate instruction may have replaced it since the evaluation.
    if (instruction === undefined) return;
    this.context.observer.onInstructionChange(instruction, this.context.nowMs);
    this.dispatcher.redispatch(instruction, this.context.vpps[instruction.vpp].options);
    this.context.observer.onRedispatched(instruction, this.context.nowMs);
  }
}

const NONE_AFFECTED: readonly AffectedSchedule[] = [];
