import { Copyable } from "../base/copyState.ts";
import { append, takeOut } from "../base/lists.ts";
import { Numbered } from "../base/numbered.ts";
import type { EpochMs } from "../base/time.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { Series } from "../series/model/series.ts";
import type { OverlapPlan } from "../site/orders/overlap.ts";
import { Dispatcher } from "../vpp/dispatch/dispatch.ts";
import type { Field } from "../vpp/dispatch/field.ts";
import type { ImmediateState } from "../vpp/instructions/immediateMachine.ts";
import type { Instruction, Membership } from "../vpp/instructions/instruction.ts";
import type { ScheduleState } from "../vpp/instructions/scheduleMachine.ts";
import type { Vpp } from "../vpp/vpp.ts";
import type { Machines } from "./machines.ts";
import type { Observer } from "./observer.ts";
import { DUE, RANK } from "./ranks.ts";

/** What orders act on. */
export interface OrderField extends Field {
  readonly vpps: readonly Vpp[];
}

/** What a new schedule did to one that was there, or to itself; a deleted one shows the times it had. */
export interface AffectedSchedule {
  readonly instruction: Instruction;
  readonly action: "created" | "inherited" | "split" | "deleted";
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** The life of awards, schedules and immediate instructions, from their registration to their end. */
export class Orders extends Copyable {
  /** The memberships that instructions run with, or ran with last, by site; the site may not be dispatched. */
  readonly memberships: Membership[][];
  /** How many instructions run. */
  runningCount = 0;
  private readonly field: OrderField;
  private readonly kernel: Kernel;
  private readonly observer: Observer;
  private readonly machines: Machines;
  private readonly dispatcher: Dispatcher;
  private readonly endedAreForgotten: boolean;
  /** Those that have not ended. */
  private readonly instructions = new Numbered<Instruction>();

  constructor(field: OrderField, kernel: Kernel, observer: Observer, machines: Machines, endedAreForgotten: boolean) {
    super();
    this.endedAreForgotten = endedAreForgotten;
    this.field = field;
    this.kernel = kernel;
    this.observer = observer;
    this.machines = machines;
    this.dispatcher = new Dispatcher(field, machines.member);
    this.memberships = field.sites.map(() => []);
  }

  /** A schedule waits for its start. */
  await(instruction: Instruction): void {
    this.field.vpps[instruction.vpp].await(instruction);
    this.number(instruction);
    this.kernel.schedule(instruction.startMs, RANK.start, DUE.start, instruction.number);
    this.observer.registered(instruction, this.field.nowMs);
  }

  /** Takes the time of a new schedule from those it cannot run beside (decisions.md 37, 40, 124). */
  makeRoom({ inherits, deleted, cuts }: OverlapPlan<Instruction>, by: Instruction): readonly AffectedSchedule[] {
    if (inherits === null && deleted.length === 0 && cuts.length === 0) return NOBODY;
    const affected: AffectedSchedule[] = [];
    const vpp = this.field.vpps[by.vpp];
    const { nowMs } = this.field;
    for (const old of inherits === null ? deleted : [inherits, ...deleted]) {
      if (old !== inherits)
        affected.push({ instruction: old, action: "deleted", startMs: old.startMs, endMs: old.endMs });
      old.state = this.machines.schedule.next(old.state as ScheduleState, "overwrite");
      takeOut(vpp.pending, old);
      this.observer.overwritten(old, by, nowMs);
      this.forget(old);
    }
    for (const { of: old, front, rear } of cuts) {
      this.observer.overwritten(old, by, nowMs);
      if (front !== null && rear !== null) {
        const rest = old.rest({ ...rear, serial: vpp.nextSerial("schedule") });
        this.await(rest);
        affected.push({ instruction: rest, action: "created", ...rear });
      }
      const piece = front ?? rear!;
      old.startMs = piece.startMs;
      old.endMs = piece.endMs;
      affected.push({ instruction: old, action: "split", ...piece });
      const { number } = old;
      if (vpp.schedules.includes(old)) this.kernel.schedule(old.endMs, RANK.end, DUE.end, number);
      else if (front === null) this.kernel.schedule(old.startMs, RANK.start, DUE.start, number);
    }
    return affected;
  }

  /** Notes what a schedule shows until its start. */
  plan(instruction: Instruction): void {
    const { membership, spec } = this.field.vpps[instruction.vpp];
    this.dispatcher.plan(instruction, membership, spec.options);
  }

  /** Takes back a schedule that has not started. */
  remove(pending: Instruction): void {
    pending.state = this.machines.schedule.next(pending.state as ScheduleState, "remove");
    takeOut(this.field.vpps[pending.vpp].pending, pending);
    this.observer.deleted(pending, this.field.nowMs);
    this.forget(pending);
  }

  private number(instruction: Instruction): void {
    instruction.number = this.instructions.add(instruction);
  }

  start(number: number): void {
    const instruction = this.instructions.get(number);
    // Another schedule may have taken it away or moved its start.
    if (instruction === undefined || instruction.startMs !== this.field.nowMs) return;
    const { origin } = instruction;
    const vpp = this.field.vpps[instruction.vpp];
    takeOut(vpp.pending, instruction);
    const { schedule } = this.machines;
    if (vpp.immediate !== null && vpp.options.immediateOverridesSchedule) {
      instruction.state = schedule.next(instruction.state as ScheduleState, "overwrite");
      this.observer.voided(instruction, vpp.immediate, this.field.nowMs);
      return this.forget(instruction);
    }
    if (vpp.immediate !== null) this.giveWay(vpp.immediate, instruction);
    instruction.state = schedule.next(instruction.state as ScheduleState, "start");
    append(vpp.schedules, instruction);
    if (vpp.schedules.length > 1) vpp.schedules.sort((a, b) => a.registration - b.registration);
    if ("activation" in origin) {
      if (origin.activation instanceof Series) this.activate(number);
      else instruction.activation = origin.activation;
    }
    this.execute(vpp, instruction);
  }

  /** An immediate instruction runs at once, unless a running schedule forbids it (decisions.md 46, 47). */
  begin(instruction: Instruction): void {
    const vpp = this.field.vpps[instruction.vpp];
    const { nowMs } = this.field;
    this.number(instruction);
    this.observer.registered(instruction, nowMs);
    if (vpp.schedules.length > 0 && !vpp.options.immediateOverridesSchedule) {
      instruction.state = this.machines.immediate.next("running", "give_way");
      this.observer.voided(instruction, vpp.schedules[0], nowMs);
      return this.forget(instruction);
    }
    for (const schedule of [...vpp.schedules]) this.overwrite(schedule, instruction);
    if (vpp.immediate !== null) this.giveWay(vpp.immediate, instruction);
    vpp.immediate = instruction;
    this.execute(vpp, instruction);
  }

  private execute(vpp: Vpp, instruction: Instruction): void {
    const { membership } = vpp;
    instruction.membership = membership;
    this.dispatcher.execute(instruction, vpp.options);
    if (membership !== vpp.lastRunWith) this.runWith(vpp, membership);
    append(membership.running, instruction);
    this.runningCount++;
    this.kernel.schedule(instruction.endMs, RANK.end, DUE.end, instruction.number);
    this.observer.executed(instruction, this.field.nowMs);
  }

  /** From now on the members are those of another membership; of others there is only what still runs with them. */
  private runWith(vpp: Vpp, membership: Membership): void {
    vpp.lastRunWith = membership;
    for (const site of membership.sites) {
      const known = this.memberships[site].filter(({ running }) => running.length > 0);
      this.memberships[site] = [...known, membership];
    }
  }

  /** The called share of an award changes with its series. */
  activate(number: number): void {
    const instruction = this.instructions.get(number);
    if (instruction === undefined) return;
    const { origin } = instruction;
    const { nowMs, sites, bank } = this.field;
    if (!("activation" in origin) || !(origin.activation instanceof Series)) return;
    if (instruction.table !== null) {
      this.observer.instructionCloses(instruction, nowMs);
      for (const index of instruction.membership.sites)
        if (bank?.executes(index, instruction) || sites[index].holds(instruction)) this.field.touch(sites[index]);
    }
    instruction.activation = origin.activation.valueAt(nowMs);
    const nextMs = origin.activation.nextChangeMs(nowMs);
    if (nextMs < instruction.endMs) this.kernel.schedule(nextMs, RANK.input, DUE.activation, number);
  }

  private giveWay(immediate: Instruction, by: Instruction): void {
    const { immediate: machine } = this.machines;
    immediate.state = machine.next(immediate.state as ImmediateState, "give_way");
    this.vacate(immediate, by);
    this.field.vpps[immediate.vpp].immediate = null;
  }

  private overwrite(running: Instruction, by: Instruction): void {
    const { schedule } = this.machines;
    running.state = schedule.next(running.state as ScheduleState, "overwrite");
    this.vacate(running, by);
    takeOut(this.field.vpps[running.vpp].schedules, running);
  }

  /** Takes an instruction from its sites and closes its account. */
  private vacate(instruction: Instruction, by: Instruction | null): void {
    const { nowMs } = this.field;
    this.observer.instructionCloses(instruction, nowMs);
    this.dispatcher.end(instruction);
    takeOut(instruction.membership.running, instruction);
    this.runningCount--;
    if (instruction.kind === "schedule" && !this.endedAreForgotten)
      this.field.vpps[instruction.vpp].noteEnded(instruction);
    this.observer.ended(instruction, nowMs, by);
    if (this.endedAreForgotten) this.dispatcher.retire(instruction);
    this.forget(instruction);
  }

  private forget({ number }: Instruction): void {
    this.instructions.drop(number);
  }

  end(number: number): void {
    const instruction = this.instructions.get(number);
    // Another schedule may have taken its end away.
    if (instruction === undefined || instruction.endMs !== this.field.nowMs) return;
    const vpp = this.field.vpps[instruction.vpp];
    if (instruction.kind === "schedule") {
      instruction.state = this.machines.schedule.next(instruction.state as ScheduleState, "finish");
      takeOut(vpp.schedules, instruction);
    } else {
      instruction.state = this.machines.immediate.next(instruction.state as ImmediateState, "finish");
      vpp.immediate = null;
    }
    this.vacate(instruction, null);
  }

  evaluate(vpp: Vpp): void {
    const { nowMs } = this.field;
    let changed = false;
    for (const instruction of vpp.running) {
      this.observer.instructionCloses(instruction, nowMs);
      const saw = this.dispatcher.evaluate(instruction, (site, isOut) =>
        this.observer.happened(
          "noticed",
          site.spec.name,
          `${isOut ? "out of service" : "back in service"}, ${instruction.id}`,
          nowMs,
        ),
      );
      changed ||= saw;
    }
    if (changed) this.kernel.schedule(nowMs, RANK.redispatch, DUE.redispatch, vpp.index);
  }

  redispatch(vpp: Vpp): void {
    for (const instruction of vpp.running) {
      this.observer.instructionCloses(instruction, this.field.nowMs);
      this.dispatcher.redispatch(instruction, vpp.options);
      this.observer.redispatched(instruction, this.field.nowMs);
    }
  }
}

const NOBODY: readonly AffectedSchedule[] = [];
