import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";
import { ceilToMinute, type EpochMs } from "../base/time.ts";
import { GridFrequency } from "../device/frequency/gridFrequency.ts";
import { FrequencyResponses } from "../device/frequency/responseWindow.ts";
import { type EventHandler, Kernel } from "../kernel/kernel.ts";
import { RandomStreams } from "../kernel/random.ts";
import type { StepEngine } from "../kernel/step.ts";
import { PlainBank } from "../site/batch/plainBank.ts";
import { Site } from "../site/site.ts";
import type { SiteSettings } from "../site/siteSettings.ts";
import type { Field } from "../vpp/dispatch/field.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import { Vpp } from "../vpp/vpp.ts";
import type { VppSpec } from "../vpp/vppSpec.ts";
import { DirectCalls } from "./directCalls.ts";
import { Faults } from "./faults.ts";
import { createMachines } from "./machines.ts";
import { Memberships } from "./memberships.ts";
import type { Observer } from "./observer.ts";
import { OrderDesk } from "./orderDesk.ts";
import { Orders } from "./orders.ts";
import { DUE, RANK } from "./ranks.ts";
import { type Registrations, registrationsOf } from "./registrations.ts";
import type { RequestEvent, WorldSpec } from "./worldSpec.ts";

export interface WorldOptions {
  /** How machines are stepped; both give the same world. */
  readonly engine?: StepEngine;
  /** Whether awards of the scenario show what is planned for their members before they start, as a reader may ask. */
  readonly plans?: boolean;
  /** Whether nobody looks at an instruction once it has ended, so that its memory may serve the next one. Default false. */
  readonly endedAreForgotten?: boolean;
  /** Answers the `request` events of the scenario; needed where there are any. */
  readonly answer?: (world: World, request: RequestEvent) => void;
}

/**
 * One simulated world: takes commands, advances time, puts out facts. The only door inward.
 *
 * At one instant: events by rank; then every site that was touched gets its new law; then time may go on.
 */
export class World extends Copyable implements Field, EventHandler {
  readonly spec: WorldSpec;
  readonly sites: readonly Site[];
  readonly vpps: readonly Vpp[];
  /** Plain sites at work; `null` in a world that keeps none so. */
  readonly bank: PlainBank | null;
  /** What every site sees, responding or not. */
  readonly frequency: GridFrequency;
  private readonly kernel: Kernel;
  private readonly observer: Observer;
  private readonly options: WorldOptions;
  private readonly random: RandomStreams;
  /** As `desk`. */
  readonly memberships: Memberships;
  /** As `desk`. */
  readonly direct: DirectCalls;
  /** As `desk`. */
  readonly faults: Faults;
  /** A control request names all members. */
  /** As `desk`. */
  settingsCount = 0;
  private readonly hasLossyLinks: boolean;
  private readonly sitesById: ReadonlyMap<string, Site>;
  private readonly unsettled: Site[] = [];
  private readonly orders: Orders;
  /** Takes orders for VPPs; only inside `command` from outside. */
  readonly desk: OrderDesk;
  /** Of the scenario, in the order in which they are registered. */
  private readonly awards: Registrations;
  private registrations = 0;
  private untilMs: EpochMs;
  private heldMs: EpochMs;

  constructor(spec: WorldSpec, observer: Observer, options: WorldOptions = {}) {
    super();
    this.spec = spec;
    this.observer = observer;
    this.options = options;
    const machines = createMachines(options.engine ?? "table");
    this.random = new RandomStreams(spec.seed);
    this.kernel = new Kernel(spec.startMs);
    this.untilMs = spec.startMs;
    this.heldMs = spec.startMs;
    const { seed, streamsFromMs } = spec;
    this.frequency = new GridFrequency(spec.frequencyHz, { seed, startMs: streamsFromMs });
    const responses = new FrequencyResponses(this.frequency);
    this.sites = spec.sites.map((site, index) => new Site(index, site, spec, machines.siteStatus, responses));
    this.sitesById = new Map(this.sites.map((site) => [site.spec.emsId, site]));
    // Only callers can ask what a reduction has locked.
    if (options.answer !== undefined) for (const site of this.sites) site.reductions = [];
    this.hasLossyLinks = spec.sites.some(({ link }) => link.lossProbability > 0);
    this.vpps = spec.vpps.map((vpp, index) => new Vpp(index, vpp, spec));
    this.orders = new Orders(this, this.kernel, observer, machines, options.endedAreForgotten ?? false);
    this.desk = new OrderDesk(this, this.orders, observer, machines, options.plans ?? false);
    this.memberships = new Memberships(this, observer);
    this.direct = new DirectCalls(this, this.kernel, observer, seed);
    this.faults = new Faults(this, this.kernel, this.random, observer, this.memberships, this.direct);
    observer.attached(this.sites, this.vpps);
    // Whoever answers requests asks sites, which stand still while a bank keeps them.
    const bankBook = options.answer === undefined ? (observer.bankObserver?.() ?? null) : null;
    this.bank = bankBook === null ? null : new PlainBank(this.sites, bankBook);
    for (const site of this.sites) this.touch(site);
    this.kernel.schedule(spec.startMs, RANK.settled, DUE.opening, 0);
    this.faults.scheduleAll(spec);
    this.awards = registrationsOf(spec.awards);
    this.queueAward(0);
    spec.instructions.forEach((order, index) => this.kernel.schedule(order.atMs, RANK.instruct, DUE.instruct, index));
  }

  get nowMs(): EpochMs {
    return this.kernel.nowMs;
  }

  get eventCount(): number {
    return this.kernel.eventCount;
  }

  /** Advances to an instant and stops before what is due there. */
  runBefore(untilMs: EpochMs): void {
    this.untilMs = untilMs;
    // A run that stopped between two instants goes on with the laws it stopped with.
    this.hold(Math.min(this.kernel.nextMs, untilMs));
    this.kernel.runBefore(untilMs, this);
    this.hold(untilMs);
  }

  /** Advances to an instant and does all that is due there; no further than the end of the run, which lies outside. */
  runThrough(untilMs: EpochMs): void {
    if (this.spec.endMs <= untilMs) return this.runBefore(this.spec.endMs);
    this.untilMs = untilMs;
    this.hold(Math.min(this.kernel.nextMs, untilMs));
    this.kernel.runThrough(untilMs, this);
    this.hold(untilMs);
  }

  /**
   * Lets somebody outside act now, exactly as a settled event of a scenario at this instant would: after everything due
   * at it, which `runThrough` has done, and with what it sets off at this very instant done when this returns. At the end
   * of the run the first to act has what is due there done.
   */
  command<T>(act: () => T): T {
    const { nowMs } = this;
    if (nowMs === this.spec.endMs) this.kernel.runThrough(nowMs, this);
    assert(nowMs < this.kernel.nextMs, "a command comes after everything due at its instant");
    this.settle();
    const result = act();
    this.kernel.runThrough(nowMs, this);
    this.endOfInstant();
    return result;
  }

  /**
   * From now on each VPP has other options, and its members other weights, from their next instruction on; members that
   * the scenario's events added, and those not named here, keep theirs.
   *
   * @param vpps those of the run with other numbers, and with those members whose weights are to change
   */
  adopt(vpps: readonly VppSpec[]): void {
    this.vpps.forEach((vpp, k) => {
      vpp.options = vpps[k].options;
      for (const { site, allocationWeight } of vpps[k].members) {
        const member = vpp.memberOf(site);
        if (member !== undefined) vpp.setWeight(member, allocationWeight);
      }
    });
  }

  handle(kind: number, subject: number): void {
    switch (kind) {
      case DUE.scenarioEvent:
        // One by one: each settled event meets the sites as the one before has left them.
        if (this.spec.events[subject].settled) this.settle();
        return this.faults.handle(kind, subject);
      case DUE.opening:
        return;
      case DUE.effect:
        return this.effect(this.sites[subject]);
      case DUE.replan:
        return this.touch(this.sites[subject]);
      case DUE.end:
        return this.orders.end(subject);
      case DUE.evaluate:
        return this.orders.evaluate(this.vpps[subject]);
      case DUE.registerAward:
        this.queueAward(subject + 1);
        return this.desk.registerAward(this.awards.awards[subject]);
      case DUE.instruct:
        return this.desk.instruct(this.spec.instructions[subject]);
      case DUE.redispatch:
        return this.orders.redispatch(this.vpps[subject]);
      case DUE.start:
        return this.orders.start(subject);
      case DUE.activation:
        return this.orders.activate(subject);
      default:
        return this.faults.handle(kind, subject);
    }
  }

  /** Queued one after the other: a year of them at once would make every other event slow. */
  private queueAward(k: number): void {
    const { atMs } = this.awards;
    if (k < atMs.length) this.kernel.schedule(atMs[k], RANK.registerAward, DUE.registerAward, k);
  }

  /** Settles what was touched, then tells the observer how long it will last. */
  endOfInstant(): void {
    this.settle();
    this.hold(Math.min(this.kernel.nextMs, this.untilMs));
  }

  private settle(): void {
    const { nowMs, bank } = this;
    bank?.settle(this);
    for (const site of this.unsettled) {
      site.settle(nowMs);
      if (bank?.keepable[site.index] === 1) this.keep(bank, site);
      if (site.nextEffectMs !== site.scheduledEffectMs && site.nextEffectMs < Number.POSITIVE_INFINITY) {
        this.kernel.schedule(site.nextEffectMs, RANK.input, DUE.effect, site.index);
        site.scheduledEffectMs = site.nextEffectMs;
      }
      if (site.replanMs < this.spec.endMs && site.replanMs !== site.scheduledReplanMs) {
        this.kernel.schedule(Math.ceil(site.replanMs), RANK.input, DUE.replan, site.index);
        site.scheduledReplanMs = site.replanMs;
      }
    }
    // Not by setting the length to 0, which gives up the list's memory.
    while (this.unsettled.length > 0) this.unsettled.pop();
  }

  private hold(untilMs: EpochMs): void {
    if (untilMs <= this.heldMs) return;
    this.observer.lawsHold(this.heldMs, untilMs);
    this.heldMs = untilMs;
  }

  touch(site: Site): void {
    if (this.bank?.kept[site.index] === 1) this.giveBack(site);
    if (site.unsettled) return;
    const { nowMs } = this;
    this.closeInstructions(site.index);
    this.observer.siteCloses(site, nowMs);
    site.advance(nowMs);
    site.unsettled = true;
    this.unsettled.push(site);
  }

  touchKept(indices: Int32Array, count: number): void {
    // Mostly the first one belongs to all that runs.
    for (let k = 0; k < count && this.closeInstructions(indices[k]) < this.orders.runningCount; k++);
    this.bank?.close(indices, count, this.nowMs);
  }

  /** Has a kept site go on by itself. */
  giveBack(site: Site): void {
    if (this.bank?.giveBack(site)) this.unsettled.push(site);
  }

  /** Leaves a site to the bank while it executes an instruction and nothing else bears on it. */
  private keep(bank: PlainBank, site: Site): void {
    const held = site.plainOrder;
    if (held === null) return;
    // An owner's order is nobody's instruction; of two VPPs, or of two instructions, the other one may come back to it.
    let only: Instruction | null = null;
    let count = 0;
    for (const { running } of this.orders.memberships[site.index])
      for (const instruction of running) {
        only = instruction;
        count++;
      }
    if (count === 1 && only !== null && only === held.order) bank.keep(site, only, held, this.nowMs);
  }

  /** @returns how many run with a site among their members */
  private closeInstructions(index: number): number {
    const { nowMs } = this;
    let count = 0;
    for (const { running } of this.orders.memberships[index]) {
      count += running.length;
      for (const instruction of running) this.close(instruction, nowMs);
    }
    return count;
  }

  /** Once for all members that change at this instant. */
  private close(instruction: Instruction, atMs: EpochMs): void {
    if (instruction.closedMs === atMs) return;
    instruction.closedMs = atMs;
    this.observer.instructionCloses(instruction, atMs);
  }

  get hasOwnSchedules(): boolean {
    return this.direct.hasOrders;
  }

  get allDeliver(): boolean {
    return !this.hasLossyLinks && this.faults.linksDown === 0;
  }

  delivers(site: Site): boolean {
    if (site.linkDownCount > 0) return false;
    const { lossProbability } = site.spec.link;
    if (lossProbability === 0) return true;
    const random = this.random.stream("link", site.spec.name);
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
    for (const { running } of this.orders.memberships[site.index]) {
      if (running.length === 0) continue;
      const vpp = this.vpps[running[0].vpp];
      if (vpp.evaluationMs === atMs) continue;
      vpp.evaluationMs = atMs;
      this.kernel.schedule(atMs, RANK.evaluate, DUE.evaluate, vpp.index);
    }
  }

  vppById(vppId: string): Vpp | undefined {
    return this.vpps.find(({ spec }) => spec.vppId === vppId);
  }

  siteById(emsId: string): Site | undefined {
    return this.sitesById.get(emsId);
  }

  /** A command that the rules refused: a row of events.csv, nothing else. */
  tellRefusedRequest(subject: string, errorType: string): void {
    this.observer.happened("request_refused", subject, errorType, this.nowMs);
  }

  /** A client sets something at a site. */
  set(site: Site, settings: SiteSettings): void {
    this.touch(site);
    this.settingsCount++;
    site.use(settings);
  }

  nextRegistration(): number {
    return this.registrations++;
  }

  answer(request: RequestEvent): void {
    const { answer } = this.options;
    assert(answer !== undefined, "a world with request events has somebody to answer them");
    answer(this, request);
  }

  private effect(site: Site): void {
    this.touch(site);
    site.takeEffect(this.nowMs);
  }
}

/** The first attempt and three retries, all at the same instant (decisions.md 36). */
const DELIVERY_ATTEMPTS = 4;
