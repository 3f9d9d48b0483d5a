import { assert } from "../base/assert.ts";
import { roundKw, toTenths } from "../base/rounding.ts";
import type { Sku } from "../base/sku.ts";
import { ceilToMinute, type EpochMs } from "../base/time.ts";
import { type EventHandler, Kernel } from "../kernel/kernel.ts";
import { RandomStreams } from "../kernel/random.ts";
import type { StepEngine } from "../kernel/step.ts";
import { Series } from "../series/series.ts";
import { type OverlapPlan, resolveOverlap } from "../site/overlap.ts";
import { Site } from "../site/site.ts";
import { exportAvailableKw, importAvailableKw, plantUpAvailableKw, reductionAvailableKw } from "../vpp/capability.ts";
import { Dispatcher, type Field } from "../vpp/dispatch.ts";
import type { ImmediateState } from "../vpp/immediateMachine.ts";
import { Instruction } from "../vpp/instruction.ts";
import type { ScheduleState } from "../vpp/scheduleMachine.ts";
import { Vpp } from "../vpp/vpp.ts";
import { Faults } from "./faults.ts";
import { createMachines, type Machines } from "./machines.ts";
import type { Observer } from "./observer.ts";
import { DUE, RANK } from "./ranks.ts";
import type { AwardSpec, InstructionSpec, WorldSpec } from "./worldSpec.ts";

export interface WorldOptions {
  /** How machines are stepped; both give the same world. */
  readonly engine?: StepEngine;
}

/**
 * One simulated world: takes commands, advances time, puts out facts. The only door inward.
 *
 * At one instant: events by rank; then every site that was touched gets its new law; then time may go on.
 */
export class World implements Field, EventHandler {
  readonly spec: WorldSpec;
  readonly sites: readonly Site[];
  readonly vpps: readonly Vpp[];
  readonly #kernel: Kernel;
  readonly #observer: Observer;
  readonly #machines: Machines;
  readonly #dispatcher: Dispatcher;
  readonly #random: RandomStreams;
  readonly #faults: Faults;
  readonly #unsettled: Site[] = [];
  /** The running instructions that each site is a member of, dispatched there or not. */
  readonly #inForce: Instruction[][];
  /** Instructions that have not ended, by the number that events carry. */
  readonly #instructions = new Map<
    number,
    { readonly instruction: Instruction; readonly origin: AwardSpec | InstructionSpec }
  >();
  readonly #numbers = new Map<Instruction, number>();
  #instructionCount = 0;
  #registrations = 0;
  #untilMs: EpochMs;
  #heldMs: EpochMs;

  constructor(spec: WorldSpec, observer: Observer, options: WorldOptions = {}) {
    this.spec = spec;
    this.#observer = observer;
    this.#machines = createMachines(options.engine ?? "table");
    this.#random = new RandomStreams(spec.seed);
    this.#kernel = new Kernel(spec.startMs);
    this.#untilMs = spec.startMs;
    this.#heldMs = spec.startMs;
    this.sites = spec.sites.map((site, index) => new Site(index, site, spec, this.#machines.siteStatus));
    this.vpps = spec.vpps.map((vpp, index) => new Vpp(index, vpp, spec.startMs));
    this.#inForce = this.sites.map(() => []);
    this.#dispatcher = new Dispatcher(this, this.#machines.member);
    this.#faults = new Faults(this, this.#kernel, this.#random, observer);
    observer.attached(this.sites, this.vpps);
    for (const site of this.sites) this.touch(site);
    this.#kernel.schedule(spec.startMs, RANK.settled, DUE.opening, 0);
    this.#faults.scheduleAll(spec);
    spec.awards.forEach((award, index) =>
      this.#kernel.schedule(award.registeredMs, RANK.registerAward, DUE.registerAward, index),
    );
    spec.instructions.forEach((order, index) => this.#kernel.schedule(order.atMs, RANK.instruct, DUE.instruct, index));
  }

  get nowMs(): EpochMs {
    return this.#kernel.nowMs;
  }

  get eventCount(): number {
    return this.#kernel.eventCount;
  }

  /** Advances to an instant and stops before what is due there. */
  runBefore(untilMs: EpochMs): void {
    this.#untilMs = untilMs;
    // A run that stopped between two instants goes on with the laws it stopped with.
    this.#hold(Math.min(this.#kernel.nextMs, untilMs));
    this.#kernel.runBefore(untilMs, this);
    this.#hold(untilMs);
  }

  handle(kind: number, subject: number): void {
    switch (kind) {
      case DUE.opening:
        return;
      case DUE.effect:
        return this.#effect(this.sites[subject]);
      case DUE.replan:
        return this.touch(this.sites[subject]);
      case DUE.end:
        return this.#end(subject);
      case DUE.evaluate:
        return this.#evaluate(this.vpps[subject]);
      case DUE.registerAward:
        return this.#registerAward(this.spec.awards[subject]);
      case DUE.instruct:
        return this.#instruct(this.spec.instructions[subject]);
      case DUE.redispatch:
        return this.#redispatch(this.vpps[subject]);
      case DUE.start:
        return this.#start(subject);
      case DUE.activation:
        return this.#activate(subject);
      default:
        return this.#faults.handle(kind, subject);
    }
  }

  /** Settles what was touched, then tells the observer how long it will last. */
  endOfInstant(): void {
    const { nowMs } = this;
    for (const site of this.#unsettled) {
      site.settle(nowMs);
      if (site.nextEffectMs !== site.scheduledEffectMs && site.nextEffectMs < Number.POSITIVE_INFINITY) {
        this.#kernel.schedule(site.nextEffectMs, RANK.input, DUE.effect, site.index);
        site.scheduledEffectMs = site.nextEffectMs;
      }
      if (site.replanMs < this.spec.endMs && site.replanMs !== site.scheduledReplanMs) {
        this.#kernel.schedule(Math.ceil(site.replanMs), RANK.input, DUE.replan, site.index);
        site.scheduledReplanMs = site.replanMs;
      }
    }
    this.#unsettled.length = 0;
    this.#hold(Math.min(this.#kernel.nextMs, this.#untilMs));
  }

  #hold(untilMs: EpochMs): void {
    if (untilMs <= this.#heldMs) return;
    this.#observer.lawsHold(this.#heldMs, untilMs);
    this.#heldMs = untilMs;
  }

  touch(site: Site): void {
    if (site.unsettled) return;
    const { nowMs } = this;
    for (const instruction of this.#inForce[site.index]) this.#observer.instructionCloses(instruction, nowMs);
    this.#observer.siteCloses(site, nowMs);
    site.advance(nowMs);
    site.unsettled = true;
    this.#unsettled.push(site);
  }

  delivers(site: Site): boolean {
    if (site.linkDownCount > 0) return false;
    const { lossProbability } = site.spec.link;
    if (lossProbability === 0) return true;
    const random = this.#random.stream("link", site.spec.name);
    for (let attempt = 0; attempt < DELIVERY_ATTEMPTS; attempt++) if (lossProbability <= random.unit()) return true;
    return false;
  }

  /**
   * A site went out or came back: the running instruction it belongs to will notice on the next whole minute.
   *
   * @param settled  whether it happened after the evaluation of this instant, which then comes too early (decisions.md 105)
   */
  noteStatusChange(site: Site, settled: boolean): void {
    const atMs = ceilToMinute(settled ? this.nowMs + 1 : this.nowMs);
    for (const instruction of this.#inForce[site.index]) {
      const vpp = this.vpps[instruction.vpp];
      if (vpp.evaluationMs === atMs) continue;
      vpp.evaluationMs = atMs;
      this.#kernel.schedule(atMs, RANK.evaluate, DUE.evaluate, vpp.index);
    }
  }

  vppById(vppId: string): Vpp | undefined {
    return this.vpps.find(({ spec }) => spec.vppId === vppId);
  }

  siteById(emsId: string): Site | undefined {
    return this.sites.find(({ spec }) => spec.emsId === emsId);
  }

  /** A command that the rules refused: a row of events.csv, nothing else. */
  tellRefusedRequest(subject: string, errorType: string): void {
    this.#observer.happened("request_refused", subject, errorType, this.nowMs);
  }

  nextRegistration(): number {
    return this.#registrations++;
  }

  #effect(site: Site): void {
    this.touch(site);
    site.takeEffect(this.nowMs);
  }

  #registerAward(award: AwardSpec): void {
    const vpp = this.vpps[award.vpp];
    assert(award.deltaKw !== null, "awards without a delta are refused by the loader");
    if (!this.#anyDispatchable(vpp)) return this.#observer.refused(award, "no_dispatchable_members", this.nowMs);
    const overlap = resolveOverlap([...vpp.pending, ...vpp.schedules], award);
    if (!overlap.ok) return this.#observer.refused(award, overlap.refusal.kind, this.nowMs);
    const instruction = new Instruction({
      id: award.awardId,
      kind: "schedule",
      vpp: vpp.index,
      sku: award.sku,
      startMs: award.startMs,
      endMs: award.endMs,
      deltaTenths: toTenths(award.deltaKw),
      registeredMs: this.nowMs,
      registration: this.nextRegistration(),
      state: this.#machines.schedule.initial,
      baselinesKw: this.#ownBaselines(vpp, award.startMs),
    });
    this.#makeRoom(vpp, overlap.value, instruction);
    this.#await(vpp, instruction, award);
  }

  /** A schedule waits for its start. */
  #await(vpp: Vpp, instruction: Instruction, origin: AwardSpec | InstructionSpec): void {
    vpp.pending.push(instruction);
    const number = this.#number(instruction, origin);
    this.#kernel.schedule(instruction.startMs, RANK.start, DUE.start, number);
    this.#observer.registered(instruction, origin, this.nowMs);
  }

  /** Takes the time of a new schedule from those it cannot run beside (decisions.md 37, 40, 124). */
  #makeRoom(vpp: Vpp, { inherits, deleted, cuts }: OverlapPlan<Instruction>, by: Instruction): void {
    for (const old of inherits === null ? deleted : [inherits, ...deleted]) {
      old.state = this.#machines.schedule.next(old.state as ScheduleState, "overwrite");
      vpp.pending.splice(vpp.pending.indexOf(old), 1);
      this.#observer.overwritten(old, by, this.nowMs);
      this.#forget(old);
    }
    for (const { of: old, front, rear } of cuts) {
      const { origin } = this.#instructions.get(this.#numbers.get(old)!)!;
      this.#observer.overwritten(old, by, this.nowMs);
      if (front !== null && rear !== null) this.#await(vpp, old.rest(rear), origin);
      const piece = front ?? rear!;
      old.startMs = piece.startMs;
      old.endMs = piece.endMs;
      const number = this.#numbers.get(old)!;
      if (vpp.schedules.includes(old)) this.#kernel.schedule(old.endMs, RANK.end, DUE.end, number);
      else if (front === null) this.#kernel.schedule(old.startMs, RANK.start, DUE.start, number);
    }
  }

  #number(instruction: Instruction, origin: AwardSpec | InstructionSpec): number {
    const number = this.#instructionCount++;
    this.#instructions.set(number, { instruction, origin });
    this.#numbers.set(instruction, number);
    return number;
  }

  /** The baselines a client would send: each registered member's own slot at the first instant. */
  #ownBaselines(vpp: Vpp, atMs: EpochMs): Float64Array {
    const baselinesKw = new Float64Array(this.sites.length).fill(Number.NaN);
    for (const member of vpp.members) baselinesKw[member.site] = roundKw(this.sites[member.site].slotKwAt(atMs));
    return baselinesKw;
  }

  #anyDispatchable(vpp: Vpp): boolean {
    return vpp.members.some((member) => member.allocationWeight > 0 && this.sites[member.site].inService);
  }

  #start(number: number): void {
    const entry = this.#instructions.get(number);
    // Another schedule may have taken it away or moved its start.
    if (entry === undefined || entry.instruction.startMs !== this.nowMs) return;
    const { instruction, origin } = entry;
    const vpp = this.vpps[instruction.vpp];
    vpp.pending.splice(vpp.pending.indexOf(instruction), 1);
    const { schedule } = this.#machines;
    if (vpp.immediate !== null && vpp.spec.options.immediateOverridesSchedule) {
      instruction.state = schedule.next(instruction.state as ScheduleState, "overwrite");
      this.#observer.voided(instruction, vpp.immediate, this.nowMs);
      return this.#forget(instruction);
    }
    if (vpp.immediate !== null) this.#giveWay(vpp.immediate, instruction);
    instruction.state = schedule.next(instruction.state as ScheduleState, "start");
    vpp.schedules.push(instruction);
    vpp.schedules.sort((a, b) => a.registration - b.registration);
    if ("activation" in origin && origin.activation instanceof Series) this.#activate(number);
    else if ("activation" in origin) instruction.activation = origin.activation as number;
    this.#execute(vpp, instruction, number);
  }

  #execute(vpp: Vpp, instruction: Instruction, number: number): void {
    instruction.membership = vpp.membership;
    this.#dispatcher.execute(instruction, vpp.spec.options);
    for (const site of instruction.membership.sites) this.#inForce[site].push(instruction);
    this.#kernel.schedule(instruction.endMs, RANK.end, DUE.end, number);
    this.#observer.executed(instruction, this.nowMs);
  }

  /** The called share of an award changes with its series. */
  #activate(number: number): void {
    const entry = this.#instructions.get(number);
    if (entry === undefined) return;
    const { instruction, origin } = entry;
    if (!("activation" in origin) || !(origin.activation instanceof Series)) return;
    if (instruction.table !== null) {
      this.#observer.instructionCloses(instruction, this.nowMs);
      for (const index of instruction.membership.sites)
        if (this.sites[index].holds(instruction)) this.touch(this.sites[index]);
    }
    instruction.activation = origin.activation.valueAt(this.nowMs);
    const nextMs = origin.activation.nextChangeMs(this.nowMs);
    if (nextMs < instruction.endMs) this.#kernel.schedule(nextMs, RANK.input, DUE.activation, number);
  }

  #instruct(order: InstructionSpec): void {
    const vpp = this.vpps[order.vpp];
    assert(order.deltaKw !== null, "instructions without a delta are refused by the loader");
    const deltaTenths = toTenths(order.deltaKw);
    if (!this.#anyDispatchable(vpp)) return this.#observer.refused(order, "no_dispatchable_members", this.nowMs);
    if (!this.#isWithinRange(vpp, deltaTenths / 10, order.sku))
      return this.#observer.refused(order, "invalid_parameter", this.nowMs);
    const instruction = new Instruction({
      id: order.awardId,
      kind: "immediate",
      vpp: vpp.index,
      sku: order.sku,
      startMs: this.nowMs,
      endMs: this.nowMs + order.durationMs,
      deltaTenths,
      registeredMs: this.nowMs,
      registration: this.nextRegistration(),
      state: this.#machines.immediate.initial,
      baselinesKw: this.#ownBaselines(vpp, this.nowMs),
    });
    const number = this.#number(instruction, order);
    this.#observer.registered(instruction, order, this.nowMs);
    if (vpp.schedules.length > 0 && !vpp.spec.options.immediateOverridesSchedule) {
      instruction.state = this.#machines.immediate.next("running", "give_way");
      this.#observer.voided(instruction, vpp.schedules[0], this.nowMs);
      return this.#forget(instruction);
    }
    for (const schedule of [...vpp.schedules]) this.#overwrite(schedule, instruction);
    if (vpp.immediate !== null) this.#giveWay(vpp.immediate, instruction);
    vpp.immediate = instruction;
    this.#execute(vpp, instruction, number);
  }

  /** Whether an immediate request lies within what the VPP can do now (decisions.md 5, 20, 120, 148). */
  #isWithinRange(vpp: Vpp, deltaKw: number, sku: Sku | null): boolean {
    let upKw = 0;
    let downKw = 0;
    for (const member of vpp.members) {
      const site = this.sites[member.site];
      if (!site.inService) continue;
      this.touch(site);
      upKw += roundKw(importAvailableKw(site));
      downKw += roundKw(exportAvailableKw(site, this.nowMs));
      if (vpp.spec.options.strictAvailabilityCheck) continue;
      upKw += roundKw(plantUpAvailableKw(site, this.nowMs));
      downKw += roundKw(reductionAvailableKw(site, sku, this.nowMs));
    }
    return -roundKw(downKw) <= deltaKw && deltaKw <= roundKw(upKw);
  }

  #giveWay(immediate: Instruction, by: Instruction): void {
    const { immediate: machine } = this.#machines;
    immediate.state = machine.next(immediate.state as ImmediateState, "give_way");
    this.#vacate(immediate, by);
    this.vpps[immediate.vpp].immediate = null;
  }

  #overwrite(running: Instruction, by: Instruction): void {
    const { schedule } = this.#machines;
    running.state = schedule.next(running.state as ScheduleState, "overwrite");
    this.#vacate(running, by);
    const { schedules } = this.vpps[running.vpp];
    schedules.splice(schedules.indexOf(running), 1);
  }

  /** Takes an instruction from its sites and closes its account. */
  #vacate(instruction: Instruction, by: Instruction | null): void {
    this.#observer.instructionCloses(instruction, this.nowMs);
    this.#dispatcher.end(instruction);
    for (const site of instruction.membership.sites) takeOut(this.#inForce[site], instruction);
    this.#observer.ended(instruction, this.nowMs, by);
    this.#forget(instruction);
  }

  #forget(instruction: Instruction): void {
    this.#instructions.delete(this.#numbers.get(instruction)!);
    this.#numbers.delete(instruction);
  }

  #end(number: number): void {
    const entry = this.#instructions.get(number);
    // Another schedule may have taken its end away.
    if (entry === undefined || entry.instruction.endMs !== this.nowMs) return;
    const { instruction } = entry;
    const vpp = this.vpps[instruction.vpp];
    if (instruction.kind === "schedule") {
      instruction.state = this.#machines.schedule.next(instruction.state as ScheduleState, "finish");
      vpp.schedules.splice(vpp.schedules.indexOf(instruction), 1);
    } else {
      instruction.state = this.#machines.immediate.next(instruction.state as ImmediateState, "finish");
      vpp.immediate = null;
    }
    this.#vacate(instruction, null);
  }

  #evaluate(vpp: Vpp): void {
    let changed = false;
    for (const instruction of vpp.running) {
      this.#observer.instructionCloses(instruction, this.nowMs);
      const saw = this.#dispatcher.evaluate(instruction, (site, isOut) =>
        this.#observer.happened(
          "noticed",
          site.spec.name,
          `${isOut ? "out of service" : "back in service"}, ${instruction.id}`,
          this.nowMs,
        ),
      );
      changed ||= saw;
    }
    if (changed) this.#kernel.schedule(this.nowMs, RANK.redispatch, DUE.redispatch, vpp.index);
  }

  #redispatch(vpp: Vpp): void {
    for (const instruction of vpp.running) {
      this.#observer.instructionCloses(instruction, this.nowMs);
      this.#dispatcher.redispatch(instruction, vpp.spec.options);
      this.#observer.redispatched(instruction, this.nowMs);
    }
  }
}

/** The first attempt and three retries, all at the same instant (decisions.md 36). */
const DELIVERY_ATTEMPTS = 4;

/** The last one goes by `pop`: `splice` gives up the list's memory, which the next award needs again. */
function takeOut<T>(list: T[], item: T): void {
  if (list[list.length - 1] === item) list.pop();
  else list.splice(list.indexOf(item), 1);
}
