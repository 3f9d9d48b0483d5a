import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { ceilToMinute, type EpochMs } from "../../base/time.ts";
import { GridFrequency } from "../device/frequency/gridFrequency.ts";
import { ResponseWindowRegistry } from "../device/frequency/responseWindow.ts";
import { type EventHandler, Kernel } from "../kernel/kernel.ts";
import { RandomStreams } from "../kernel/randomStreams.ts";
import type { StepEngine } from "../kernel/stepper.ts";
import { SharedTrajectories } from "../site/sharedTrajectories.ts";
import { Site } from "../site/site.ts";
import type { SiteRecord } from "../site/siteRecord.ts";
import type { SiteSettings } from "../site/siteSnapshot.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import type { AwardSpec } from "../vpp/instructions/instructionSpec.ts";
import { Vpp } from "../vpp/vpp.ts";
import type { VppSpec } from "../vpp/vppSpec.ts";
import { DirectOrders } from "./directOrders.ts";
import { Faults } from "./faults.ts";
import { InstructionLifecycle } from "./instructionLifecycle.ts";
import { createMachines, type Machines } from "./machines.ts";
import { Memberships } from "./memberships.ts";
import type { Observer } from "./observer.ts";
import { OrderIntake } from "./orderIntake.ts";
import { EVENT_KIND, RANK } from "./ranks.ts";
import type { WorldContext } from "./worldContext.ts";
import type { RequestEvent, WorldSpec } from "./worldSpec.ts";

export interface WorldOptions {
  /** How machines are stepped; both give the same world. */
  readonly stepEngine?: StepEngine;
  /** Whether awards of the scenario get a dispatch plan before they start, for API clients to read. */
  readonly hasDispatchPlans?: boolean;
  /** Whether no caller reads an instruction after its end; its dispatch table is then reused. Default false. */
  readonly canDiscardEnded?: boolean;
  /** Whether dispatches record what limits the capabilities of members. Default true. */
  readonly recordsLimits?: boolean;
  /** Handles the `request` events of the scenario; required if there are any. */
  readonly answer?: (world: World, request: RequestEvent) => void;
}

/**
 * One simulated world: takes commands, advances time and notifies the observer. All access to the simulation goes through it.
 *
 * At one instant, events run by rank. Then every changed site plans its new trajectory, and time advances.
 */
export class World extends Copyable implements WorldContext, EventHandler {
  readonly spec: WorldSpec;
  readonly sites: readonly Site[];
  readonly records: readonly SiteRecord[];
  private readonly sharedTrajectories: SharedTrajectories;
  readonly vpps: readonly Vpp[];
  /** The grid frequency, the same at every site. */
  readonly gridFrequency: GridFrequency;
  readonly kernel: Kernel;
  readonly observer: Observer;
  readonly machines: Machines;
  private readonly options: WorldOptions;
  private readonly randomStreams: RandomStreams;
  /** From outside, use it only inside `runCommand`. */
  readonly memberships: Memberships;
  /** From outside, use it only inside `runCommand`. */
  readonly directOrders: DirectOrders;
  /** From outside, use it only inside `runCommand`. */
  readonly faults: Faults;
  settingsRevision = 0;
  private readonly hasLossyLinks: boolean;
  private readonly sitesById: ReadonlyMap<string, Site>;
  /** The sites to replan: the first `replanCount` entries. */
  private readonly sitesToReplan: Site[];
  private replanCount = 0;
  private readonly lifecycle: InstructionLifecycle;
  /** Registers orders for VPPs. From outside, use it only inside `runCommand`. */
  readonly orderIntake: OrderIntake;
  /** The scenario's awards in order of registration. */
  private readonly awardRegistrations: AwardRegistrations;
  private registrationCount = 0;
  private runUntilMs: EpochMs;
  private observedToMs: EpochMs;

  constructor(spec: WorldSpec, observer: Observer, options: WorldOptions = {}) {
    super();
    this.spec = spec;
    this.observer = observer;
    this.options = options;
    this.machines = createMachines(options.stepEngine ?? "table");
    this.randomStreams = new RandomStreams(spec.seed);
    this.kernel = new Kernel(spec.startMs);
    this.runUntilMs = spec.startMs;
    this.observedToMs = spec.startMs;
    const { seed, streamsFromMs } = spec;
    this.gridFrequency = new GridFrequency(spec.frequencyHz, { seed, startMs: streamsFromMs });
    const responses = new ResponseWindowRegistry(this.gridFrequency);
    this.sites = spec.sites.map((site, index) => new Site(index, site, spec, this.machines.siteStatus, responses));
    this.sitesToReplan = [...this.sites];
    this.sharedTrajectories = new SharedTrajectories(this.sites);
    this.records = this.sites.map(({ record }) => record);
    this.sitesById = new Map(this.sites.map((site) => [site.spec.emsId, site]));
    // Only API clients can read the schedules that a reduction has locked.
    if (options.answer !== undefined) for (const site of this.sites) site.pastReductions = [];
    this.hasLossyLinks = spec.sites.some(({ link }) => link.lossProbability > 0);
    this.vpps = spec.vpps.map((vpp, index) => new Vpp(index, vpp, spec));
    this.lifecycle = new InstructionLifecycle(this, options.canDiscardEnded ?? false);
    this.orderIntake = new OrderIntake(this, this.lifecycle, options.hasDispatchPlans ?? false);
    this.memberships = new Memberships(this);
    this.directOrders = new DirectOrders(this, seed);
    this.faults = new Faults(this, this.randomStreams, this.memberships, this.directOrders);
    observer.onAttached(this.sites, this.vpps);
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

  /** Runs all events before an instant. */
  runBefore(untilMs: EpochMs): void {
    this.runUntilMs = untilMs;
    // A run that stopped between two events continues with the same trajectories.
    this.observeUntil(Math.min(this.kernel.nextMs, untilMs));
    this.kernel.runBefore(untilMs, this);
    this.observeUntil(untilMs);
  }

  /** Runs all events up to and including an instant, but none at or after the end of the run. */
  runThrough(untilMs: EpochMs): void {
    if (this.spec.endMs <= untilMs) return this.runBefore(this.spec.endMs);
    this.runUntilMs = untilMs;
    this.observeUntil(Math.min(this.kernel.nextMs, untilMs));
    this.kernel.runThrough(untilMs, this);
    this.observeUntil(untilMs);
  }

  /** Runs all events up to and including an instant, but none that are settled at it: `runThrough` runs those afterwards. */
  runUnsettled(untilMs: EpochMs): void {
    this.runUntilMs = untilMs;
    this.observeUntil(Math.min(this.kernel.nextMs, untilMs));
    this.kernel.runBelowRank(untilMs, RANK.settled, this);
    this.observeUntil(untilMs);
  }

  /**
   * Executes a command from outside at the current instant, as a settled scenario event would be: after all events due now.
   * `runThrough` has run those. Events that the command schedules for this instant run before this method returns. At the
   * end of the run, the first command also runs the events due at that instant.
   */
  runCommand<T>(act: () => T): T {
    const { nowMs } = this;
    if (nowMs === this.spec.endMs) this.kernel.runThrough(nowMs, this);
    assert(nowMs < this.kernel.nextMs, "a command runs after all events due at its instant");
    this.replanSites();
    const result = act();
    this.kernel.runThrough(nowMs, this);
    this.handleInstantEnd();
    return result;
  }

  /**
   * Replaces each VPP's options and its members' weights from the next instruction on. Members added by scenario events and
   * members missing from `vpps` keep their weights.
   *
   * @param vpps one per VPP of the run, same order, with the new options and the members whose weights change
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
        // Each settled event acts on sites that have been replanned after the previous one.
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
        return this.lifecycle.redispatch(subject);
      case EVENT_KIND.instructionStart:
        return this.lifecycle.start(subject);
      case EVENT_KIND.activationChange:
        return this.lifecycle.updateActivation(subject);
      default:
        return this.faults.handle(kind, subject);
    }
  }

  /** Queues one award at a time: a year of awards in the queue would slow every other event down. */
  private queueAward(k: number): void {
    const { atMs } = this.awardRegistrations;
    if (k < atMs.length) this.kernel.schedule(atMs[k], RANK.registerAward, EVENT_KIND.registerAward, k);
  }

  /** Replans the changed sites, then reports the interval up to the next event to the observer. */
  handleInstantEnd(): void {
    this.replanSites();
    this.observeUntil(Math.min(this.kernel.nextMs, this.runUntilMs));
  }

  private replanSites(): void {
    const { nowMs } = this;
    for (let k = 0; k < this.replanCount; k++) {
      const site = this.sitesToReplan[k];
      // A battery that follows one order needs no event before the next change.
      if (site.record.order !== null && site.replanSoleBattery(nowMs)) continue;
      site.replan(nowMs);
      this.sharedTrajectories.assignNumber(site, nowMs);
      if (site.nextEffectMs !== site.scheduledEffectMs && site.nextEffectMs < Number.POSITIVE_INFINITY) {
        this.kernel.schedule(site.nextEffectMs, RANK.input, EVENT_KIND.setpointEffect, site.index);
        site.scheduledEffectMs = site.nextEffectMs;
      }
      if (site.nextReplanMs < this.spec.endMs && site.nextReplanMs !== site.scheduledReplanMs) {
        this.kernel.schedule(Math.ceil(site.nextReplanMs), RANK.input, EVENT_KIND.replan, site.index);
        site.scheduledReplanMs = site.nextReplanMs;
      }
    }
    this.replanCount = 0;
  }

  private observeUntil(untilMs: EpochMs): void {
    if (untilMs <= this.observedToMs) return;
    this.observer.onTrajectoryInterval(this.observedToMs, untilMs);
    this.observedToMs = untilMs;
  }

  beginSiteChange(site: Site): void {
    if (site.isReplanDue) return;
    const { nowMs } = this;
    this.announceInstructionChanges(site.index);
    this.observer.onSiteChange(site, nowMs);
    site.advance(nowMs);
    site.record.isReplanDue = true;
    this.sitesToReplan[this.replanCount++] = site;
  }

  /** Of the running instructions with the site among their members. */
  private announceInstructionChanges(index: number): void {
    const { nowMs } = this;
    const memberships = this.lifecycle.membershipsBySite[index];
    for (let m = 0; m < memberships.length; m++) {
      const membership = memberships[m];
      if (membership.announcedMs === nowMs) continue;
      membership.announcedMs = nowMs;
      const { runningInstructions: running } = membership;
      for (let k = 0; k < running.length; k++)
        if (running[k].accountedToMs !== nowMs) this.announceInstructionChange(running[k], nowMs);
    }
  }

  /** Notifies the observer once per instant, however many members change. */
  private announceInstructionChange(instruction: Instruction, atMs: EpochMs): void {
    instruction.accountedToMs = atMs;
    this.observer.onInstructionChange(instruction, atMs);
  }

  get recordsLimits(): boolean {
    return this.options.recordsLimits ?? true;
  }

  get hasDirectOrders(): boolean {
    return this.directOrders.hasOrders;
  }

  get isLossless(): boolean {
    return !this.hasLossyLinks && this.faults.activeLinkFaultCount === 0;
  }

  sendMessage(site: Site): boolean {
    if (this.isLossless) return true;
    if (site.activeLinkFaultCount > 0) return false;
    const { lossProbability } = site.spec.link;
    if (lossProbability === 0) return true;
    const random = this.randomStreams.getStream("link", site.spec.name);
    for (let attempt = 0; attempt < DELIVERY_ATTEMPTS; attempt++)
      if (lossProbability <= random.nextUniform()) return true;
    return false;
  }

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

  /** Records a refused command as a row of events.csv. */
  reportRefusedRequest(subject: string, errorType: string): void {
    this.observer.onRunEvent("request_refused", subject, errorType, this.nowMs);
  }

  /** Applies a client's settings to a site. */
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
    assert(answer !== undefined, "a world with request events has an `answer` function");
    answer(this, request);
  }

  private applySetpointEffect(site: Site): void {
    this.beginSiteChange(site);
    site.activatePending(this.nowMs);
  }
}

/** The first attempt and three retries, all at the same instant (docs/model/connection-point.md#deliveries). */
const DELIVERY_ATTEMPTS = 4;

/** The awards of a scenario in order of registration. Immutable, so that all runs share it. */
export class AwardRegistrations {
  readonly awards: readonly AwardSpec[];
  /** Registration times in epoch ms, one per award. */
  readonly atMs: Float64Array;

  /** Sorts by time; awards of one instant keep the order of the scenario. */
  constructor(awards: readonly AwardSpec[]) {
    const inOrder = awards.every((award, k) => k === 0 || awards[k - 1].registeredMs <= award.registeredMs);
    this.awards = inOrder ? awards : [...awards].sort((a, b) => a.registeredMs - b.registeredMs);
    this.atMs = Float64Array.from(this.awards, ({ registeredMs }) => registeredMs);
  }
}

/** The candidates of a study run the same awards and share the sorted list. */
const cachedRegistrations = new WeakMap<readonly AwardSpec[], AwardRegistrations>();

function awardRegistrationsOf(awards: readonly AwardSpec[]): AwardRegistrations {
  let registrations = cachedRegistrations.get(awards);
  if (registrations === undefined) {
    registrations = new AwardRegistrations(awards);
    cachedRegistrations.set(awards, registrations);
  }
  return registrations;
}
