import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";
import { ceilToMinute, type EpochMs } from "../base/time.ts";
import { GridFrequency } from "../device/frequency/gridFrequency.ts";
import { ResponseWindowRegistry } from "../device/frequency/responseWindow.ts";
import { type EventHandler, Kernel } from "../kernel/kernel.ts";
import { RandomStreams } from "../kernel/randomStreams.ts";
import type { StepEngine } from "../kernel/stepper.ts";
import { SiteBatch } from "../site/batch/siteBatch.ts";
import { Site } from "../site/site.ts";
import type { SiteSettings } from "../site/siteSettings.ts";
import type { SiteAccess } from "../vpp/dispatch/siteAccess.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import { Vpp } from "../vpp/vpp.ts";
import type { VppSpec } from "../vpp/vppSpec.ts";
import { type AwardRegistrations, awardRegistrationsOf } from "./awardRegistrations.ts";
import { DirectOrders } from "./directOrders.ts";
import { Faults } from "./faults.ts";
import { InstructionLifecycle } from "./instructionLifecycle.ts";
import { createMachines } from "./machines.ts";
import { Memberships } from "./memberships.ts";
import type { Observer } from "./observer.ts";
import { OrderIntake } from "./orderIntake.ts";
import { EVENT_KIND, RANK } from "./ranks.ts";
import type { RequestEvent, WorldSpec } from "./worldSpec.ts";

export interface WorldOptions {
  /** How machines are stepped; both give the same world. */
  readonly stepEngine?: StepEngine;
  /** Whether awards of the scenario show what is planned for their members before they start, as a reader may ask. */
  readonly hasDispatchPlans?: boolean;
  /** Whether nobody looks at an instruction once it has ended, so that its memory may serve the next one. Default false. */
  readonly canDiscardEnded?: boolean;
  /** Answers the `request` events of the scenario; needed where there are any. */
  readonly answer?: (world: World, request: RequestEvent) => void;
}

/**
 * One simulated world: takes commands, advances time, puts out facts. The only door inward.
 *
 * At one instant: events by rank; then every site that was touched gets its new law; then time may go on.
 */
export class World extends Copyable implements SiteAccess, EventHandler {
  readonly spec: WorldSpec;
  readonly sites: readonly Site[];
  readonly vpps: readonly Vpp[];
  /** Plain sites at work; `null` in a world that keeps none so. */
  readonly batch: SiteBatch | null;
  /** What every site sees, responding or not. */
  readonly gridFrequency: GridFrequency;
  private readonly kernel: Kernel;
  private readonly observer: Observer;
  private readonly options: WorldOptions;
  private readonly randomStreams: RandomStreams;
  /** As `desk`. */
  readonly memberships: Memberships;
  /** As `desk`. */
  readonly directOrders: DirectOrders;
  /** As `desk`. */
  readonly faults: Faults;
  /** A control request names all members. */
  /** As `desk`. */
  settingsRevision = 0;
  private readonly hasLossyLinks: boolean;
  private readonly sitesById: ReadonlyMap<string, Site>;
  private readonly sitesToReplan: Site[] = [];
  private readonly lifecycle: InstructionLifecycle;
  /** Takes orders for VPPs; only inside `command` from outside. */
  readonly orderIntake: OrderIntake;
  /** Of the scenario, in the order in which they are registered. */
  private readonly awardRegistrations: AwardRegistrations;
  private registrationCount = 0;
  private runUntilMs: EpochMs;
  private observedToMs: EpochMs;

  constructor(spec: WorldSpec, observer: Observer, options: WorldOptions = {}) {
    super();
    this.spec = spec;
    this.observer = observer;
    this.options = options;
    const machines = createMachines(options.stepEngine ?? "table");
    this.randomStreams = new RandomStreams(spec.seed);
    this.kernel = new Kernel(spec.startMs);
    this.runUntilMs = spec.startMs;
    this.observedToMs = spec.startMs;
    const { seed, streamsFromMs } = spec;
    this.gridFrequency = new GridFrequency(spec.frequencyHz, { seed, startMs: streamsFromMs });
    const responses = new ResponseWindowRegistry(this.gridFrequency);
    this.sites = spec.sites.map((site, index) => new Site(index, site, spec, machines.siteStatus, responses));
    this.sitesById = new Map(this.sites.map((site) => [site.spec.emsId, site]));
    // Only callers can ask what a reduction has locked.
    if (options.answer !== undefined) for (const site of this.sites) site.pastReductions = [];
    this.hasLossyLinks = spec.sites.some(({ link }) => link.lossProbability > 0);
    this.vpps = spec.vpps.map((vpp, index) => new Vpp(index, vpp, spec));
    this.lifecycle = new InstructionLifecycle(this, this.kernel, observer, machines, options.canDiscardEnded ?? false);
    this.orderIntake = new OrderIntake(this, this.lifecycle, observer, machines, options.hasDispatchPlans ?? false);
    this.memberships = new Memberships(this, observer);
    this.directOrders = new DirectOrders(this, this.kernel, observer, seed);
    this.faults = new Faults(this, this.kernel, this.randomStreams, observer, this.memberships, this.directOrders);
    observer.onAttached(this.sites, this.vpps);
    // Whoever answers requests asks sites, which stand still while a bank keeps them.
    const bankBook = options.answer === undefined ? (observer.batchObserver?.() ?? null) : null;
    this.batch = bankBook === null ? null : new SiteBatch(this.sites, bankBook);
    for (const site of this.sites) this.beginSiteChange(site);
    this.kernel.schedule(spec.startMs, RANK.settled, EVENT_KIND.runStart, 0);
    this.faults.scheduleEvents(spec);
    this.awardRegistrations = awardRegistrationsOf(spec.awards);
    this.queueAward(0);
    spec.instructions.forEach((order, index) =>
      this.kernel.schedule(order.atMs, RANK.registerInstruction, EVENT_KIND.registerInstruction, index),
    );
  }

  get nowMs(): EpochMs {
    return this.kernel.nowMs;
  }

  get eventCount(): number {
    return this.kernel.eventCount;
  }

  /** Advances to an instant and stops before what is due there. */
  runBefore(untilMs: EpochMs): void {
    this.runUntilMs = untilMs;
    // A run that stopped between two instants goes on with the laws it stopped with.
    this.observeUntil(Math.min(this.kernel.nextMs, untilMs));
    this.kernel.runBefore(untilMs, this);
    this.observeUntil(untilMs);
  }

  /** Advances to an instant and does all that is due there; no further than the end of the run, which lies outside. */
  runThrough(untilMs: EpochMs): void {
    if (this.spec.endMs <= untilMs) return this.runBefore(this.spec.endMs);
    this.runUntilMs = untilMs;
    this.observeUntil(Math.min(this.kernel.nextMs, untilMs));
    this.kernel.runThrough(untilMs, this);
    this.observeUntil(untilMs);
  }

  /**
   * Lets somebody outside act now, exactly as a settled event of a scenario at this instant would: after everything due
   * at it, which `runThrough` has done, and with what it sets off at this very instant done when this returns. At the end
   * of the run the first to act has what is due there done.
   */
  runCommand<T>(act: () => T): T {
    const { nowMs } = this;
    if (nowMs === this.spec.endMs) this.kernel.runThrough(nowMs, this);
    assert(nowMs < this.kernel.nextMs, "a command comes after everything due at its instant");
    this.replanSites();
    const result = act();
    this.kernel.runThrough(nowMs, this);
    this.handleInstantEnd();
    return result;
  }

  /**
   * From now on each VPP has other options, and its members other weights, from their next instruction on; members that
   * the scenario's events added, and those not named here, keep theirs.
   *
   * @param vpps those of the run with other numbers, and with those members whose weights are to change
   */
  adoptVppSpecs(vpps: readonly VppSpec[]): void {
    this.vpps.forEach((vpp, k) => {
      vpp.options = vpps[k].options;
      for (const { site, allocationWeight } of vpps[k].members) {
        const member = vpp.findMember(site);
        if (member !== undefined) vpp.setWeight(member, allocationWeight);
      }
    });
  }

  handleEvent(kind: number, subject: number): void {
    switch (kind) {
      case EVENT_KIND.scenarioEvent:
        // One by one: each settled event meets the sites as the one before has left them.
        if (this.spec.events[subject].settled) this.replanSites();
        return this.faults.handle(kind, subject);
      case EVENT_KIND.runStart:
        return;
      case EVENT_KIND.setpointEffect:
        return this.applySetpointEffect(this.sites[subject]);
      case EVENT_KIND.replan:
        return this.beginSiteChange(this.sites[subject]);
      case EVENT_KIND.instructionEnd:
        return this.lifecycle.end(subject);
      case EVENT_KIND.evaluate:
        return this.lifecycle.evaluate(this.vpps[subject]);
      case EVENT_KIND.registerAward:
        this.queueAward(subject + 1);
        return this.orderIntake.registerAward(this.awardRegistrations.awards[subject]);
      case EVENT_KIND.registerInstruction:
        return this.orderIntake.registerInstruction(this.spec.instructions[subject]);
      case EVENT_KIND.redispatch:
        return this.lifecycle.redispatch(this.vpps[subject]);
      case EVENT_KIND.instructionStart:
        return this.lifecycle.start(subject);
      case EVENT_KIND.activationChange:
        return this.lifecycle.updateActivation(subject);
      default:
        return this.faults.handle(kind, subject);
    }
  }

  /** Queued one after the other: a year of them at once would make every other event slow. */
  private queueAward(k: number): void {
    const { atMs } = this.awardRegistrations;
    if (k < atMs.length) this.kernel.schedule(atMs[k], RANK.registerAward, EVENT_KIND.registerAward, k);
  }

  /** Settles what was touched, then tells the observer how long it will last. */
  handleInstantEnd(): void {
    this.replanSites();
    this.observeUntil(Math.min(this.kernel.nextMs, this.runUntilMs));
  }

  private replanSites(): void {
    const { nowMs, batch: bank } = this;
    bank?.replan(this);
    for (const site of this.sitesToReplan) {
      site.replan(nowMs);
      if (bank?.batchable[site.index] === 1) this.addToBatch(bank, site);
      if (site.nextEffectMs !== site.scheduledEffectMs && site.nextEffectMs < Number.POSITIVE_INFINITY) {
        this.kernel.schedule(site.nextEffectMs, RANK.input, EVENT_KIND.setpointEffect, site.index);
        site.scheduledEffectMs = site.nextEffectMs;
      }
      if (site.nextReplanMs < this.spec.endMs && site.nextReplanMs !== site.scheduledReplanMs) {
        this.kernel.schedule(Math.ceil(site.nextReplanMs), RANK.input, EVENT_KIND.replan, site.index);
        site.scheduledReplanMs = site.nextReplanMs;
      }
    }
    // Not by setting the length to 0, which gives up the list's memory.
    while (this.sitesToReplan.length > 0) this.sitesToReplan.pop();
  }

  private observeUntil(untilMs: EpochMs): void {
    if (untilMs <= this.observedToMs) return;
    this.observer.onTrajectoryInterval(this.observedToMs, untilMs);
    this.observedToMs = untilMs;
  }

  beginSiteChange(site: Site): void {
    if (this.batch?.batched[site.index] === 1) this.evictFromBatch(site);
    if (site.isReplanDue) return;
    const { nowMs } = this;
    this.announceInstructionChanges(site.index);
    this.observer.onSiteChange(site, nowMs);
    site.advance(nowMs);
    site.isReplanDue = true;
    this.sitesToReplan.push(site);
  }

  beginBatchChange(indices: Int32Array, count: number): void {
    // Mostly the first one belongs to all that runs.
    for (let k = 0; k < count && this.announceInstructionChanges(indices[k]) < this.lifecycle.runningCount; k++);
    this.batch?.closeTrajectories(indices, count, this.nowMs);
  }

  /** Has a kept site go on by itself. */
  evictFromBatch(site: Site): void {
    if (this.batch?.evict(site)) this.sitesToReplan.push(site);
  }

  /** Leaves a site to the bank while it executes an instruction and nothing else bears on it. */
  private addToBatch(bank: SiteBatch, site: Site): void {
    const held = site.batchableOrder;
    if (held === null) return;
    // An owner's order is nobody's instruction; of two VPPs, or of two instructions, the other one may come back to it.
    let only: Instruction | null = null;
    let count = 0;
    for (const { runningInstructions: running } of this.lifecycle.membershipsBySite[site.index])
      for (const instruction of running) {
        only = instruction;
        count++;
      }
    if (count === 1 && only !== null && only === held.order) bank.add(site, only, held, this.nowMs);
  }

  /** @returns how many run with a site among their members */
  private announceInstructionChanges(index: number): number {
    const { nowMs } = this;
    let count = 0;
    for (const { runningInstructions: running } of this.lifecycle.membershipsBySite[index]) {
      count += running.length;
      for (const instruction of running) this.announceInstructionChange(instruction, nowMs);
    }
    return count;
  }

  /** Once for all members that change at this instant. */
  private announceInstructionChange(instruction: Instruction, atMs: EpochMs): void {
    if (instruction.accountedToMs === atMs) return;
    instruction.accountedToMs = atMs;
    this.observer.onInstructionChange(instruction, atMs);
  }

  get hasDirectOrders(): boolean {
    return this.directOrders.hasOrders;
  }

  get isLossless(): boolean {
    return !this.hasLossyLinks && this.faults.activeLinkFaultCount === 0;
  }

  sendMessage(site: Site): boolean {
    if (site.activeLinkFaultCount > 0) return false;
    const { lossProbability } = site.spec.link;
    if (lossProbability === 0) return true;
    const random = this.randomStreams.getStream("link", site.spec.name);
    for (let attempt = 0; attempt < DELIVERY_ATTEMPTS; attempt++)
      if (lossProbability <= random.nextUniform()) return true;
    return false;
  }

  /**
   * A site went out or came back: the running instruction it belongs to will notice on the next whole minute.
   *
   * @param settled  whether it happened after the evaluation of this instant, which then comes too early (docs/model/time.md#file-order)
   */
  scheduleEvaluation(site: Site, settled: boolean): void {
    const atMs = ceilToMinute(settled ? this.nowMs + 1 : this.nowMs);
    for (const { runningInstructions: running } of this.lifecycle.membershipsBySite[site.index]) {
      if (running.length === 0) continue;
      const vpp = this.vpps[running[0].vpp];
      if (vpp.queuedEvaluationMs === atMs) continue;
      vpp.queuedEvaluationMs = atMs;
      this.kernel.schedule(atMs, RANK.evaluate, EVENT_KIND.evaluate, vpp.index);
    }
  }

  vppById(vppId: string): Vpp | undefined {
    return this.vpps.find(({ spec }) => spec.vppId === vppId);
  }

  siteById(emsId: string): Site | undefined {
    return this.sitesById.get(emsId);
  }

  /** A command that the rules refused: a row of events.csv, nothing else. */
  reportRefusedRequest(subject: string, errorType: string): void {
    this.observer.onRunEvent("request_refused", subject, errorType, this.nowMs);
  }

  /** A client sets something at a site. */
  applySettings(site: Site, settings: SiteSettings): void {
    this.beginSiteChange(site);
    this.settingsRevision++;
    site.applySettings(settings);
  }

  nextRegistration(): number {
    return this.registrationCount++;
  }

  answer(request: RequestEvent): void {
    const { answer } = this.options;
    assert(answer !== undefined, "a world with request events has somebody to answer them");
    answer(this, request);
  }

  private applySetpointEffect(site: Site): void {
    this.beginSiteChange(site);
    site.activatePending(this.nowMs);
  }
}

/** The first attempt and three retries, all at the same instant (docs/model/connection-point.md#deliveries). */
const DELIVERY_ATTEMPTS = 4;
