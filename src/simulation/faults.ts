import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";
import type { Result } from "../base/result.ts";
import type { EpochMs } from "../base/time.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { RandomStreams } from "../kernel/random.ts";
import type { Site } from "../site/site.ts";
import type { Vpp } from "../vpp/vpp.ts";
import type { DirectCalls } from "./directCalls.ts";
import type { Memberships } from "./memberships.ts";
import type { Observer } from "./observer.ts";
import { OutageClock } from "./outageClock.ts";
import { DUE, RANK } from "./ranks.ts";
import type { LastingEvent, RequestEvent, ScenarioEvent, WorldSpec } from "./worldSpec.ts";

/** A fault that somebody began, by the scenario or live, and that still lasts. */
export interface LastingFault {
  /** `fault-<n>`, n counting the lasting events that have begun in this world from 1. */
  readonly faultId: string;
  readonly event: LastingEvent;
  readonly startMs: EpochMs;
}

/** What faults act on. */
export interface Ground {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  readonly vpps: readonly Vpp[];
  touch(site: Site): void;
  noteStatusChange(site: Site, settled: boolean): void;
  nextRegistration(): number;
  /** Answers a call of an API, which the host of the world does. */
  answer(request: RequestEvent): void;
}

/** Everything that happens to a world without anybody instructing it: scripted events, stochastic outages, maintenance. */
export class Faults extends Copyable {
  private readonly ground: Ground;
  private readonly kernel: Kernel;
  private readonly random: RandomStreams;
  private readonly observer: Observer;
  private events: readonly ScenarioEvent[] = [];
  private readonly clocks = new Map<number, OutageClock>();
  private endMs: EpochMs = 0;

  private readonly direct: DirectCalls;
  private readonly memberships: Memberships;
  private readonly lastingByNumber = new Map<number, LastingFault>();
  private faultCount = 0;
  /** Reasons for which links to sites are down. */
  linksDown = 0;

  constructor(
    ground: Ground,
    kernel: Kernel,
    random: RandomStreams,
    observer: Observer,
    memberships: Memberships,
    direct: DirectCalls,
  ) {
    super();
    this.direct = direct;
    this.memberships = memberships;
    this.ground = ground;
    this.kernel = kernel;
    this.random = random;
    this.observer = observer;
  }

  scheduleAll(spec: WorldSpec): void {
    this.events = spec.events;
    this.endMs = spec.endMs;
    spec.events.forEach((event, index) => {
      const atMs = Math.max(event.atMs, spec.startMs);
      this.kernel.schedule(atMs, event.settled ? RANK.settled : RANK.input, DUE.scenarioEvent, index);
    });
    spec.sites.forEach((site, index) => {
      for (const { startMs, endMs } of site.maintenance) {
        if (endMs <= spec.startMs || spec.endMs <= startMs) continue;
        this.kernel.schedule(Math.max(startMs, spec.startMs), RANK.input, DUE.maintenanceStart, index);
        this.kernel.schedule(endMs, RANK.input, DUE.maintenanceEnd, index);
      }
      if (site.outages === null) return;
      const clock = new OutageClock(site.outages, this.random.stream("outage", site.name), spec.streamsFromMs);
      while (clock.endMs <= spec.startMs) clock.advance();
      this.clocks.set(index, clock);
      this.kernel.schedule(Math.max(clock.startMs, spec.startMs), RANK.input, DUE.stochasticOutage, index);
    });
  }

  handle(kind: number, subject: number): void {
    switch (kind) {
      case DUE.scenarioEvent:
        return this.act(this.events[subject]);
      case DUE.faultEnd:
        return this.finish(subject, false);
      case DUE.stochasticOutage:
        this.goOut(this.ground.sites[subject], "stochastic");
        return this.schedule(this.clocks.get(subject)!.endMs, DUE.stochasticRepair, subject);
      case DUE.stochasticRepair: {
        const clock = this.clocks.get(subject)!;
        this.comeBack(this.ground.sites[subject], "stochastic");
        clock.advance();
        return this.schedule(clock.startMs, DUE.stochasticOutage, subject);
      }
      case DUE.directStart:
        return this.direct.start(subject);
      case DUE.directEnd:
        return this.direct.end(subject);
      case DUE.maintenanceStart:
        return this.beginMaintenance(this.ground.sites[subject]);
      case DUE.maintenanceEnd:
        return this.endMaintenance(this.ground.sites[subject]);
      default:
        assert(false, `nobody handles events of kind ${kind}`);
    }
  }

  private schedule(atMs: EpochMs, kind: number, subject: number): void {
    if (atMs < this.endMs) this.kernel.schedule(atMs, RANK.input, kind, subject);
  }

  /** Faults that last, oldest first. */
  get lasting(): readonly LastingFault[] {
    return [...this.lastingByNumber.values()];
  }

  /** Begins a fault now, after everything due at this instant, as a settled event of a scenario does. */
  begin(event: LastingEvent): LastingFault {
    const fault = { faultId: `fault-${++this.faultCount}`, event, startMs: this.ground.nowMs };
    const number = this.faultCount;
    this.lastingByNumber.set(number, fault);
    this.schedule(event.untilMs, DUE.faultEnd, number);
    this.takeEffect(event);
    return fault;
  }

  /** Ends a fault now, after everything due at this instant; `null` when none of this id lasts. */
  end(faultId: string): LastingFault | null {
    for (const [number, fault] of this.lastingByNumber)
      if (fault.faultId === faultId) {
        this.finish(number, true);
        return fault;
      }
    return null;
  }

  private act(event: ScenarioEvent): void {
    const { vpps } = this.ground;
    switch (event.kind) {
      case "set_weight": {
        const change = { allocationWeight: event.allocationWeight };
        return this.tellRefused(
          "set_weight of",
          event.site,
          this.memberships.update(vpps[event.vpp], event.site, change),
        );
      }
      case "add_member":
        return this.tellRefused("add_member", event.site, this.memberships.add(vpps[event.vpp], event));
      case "remove_member":
        return this.tellRefused("remove_member", event.site, this.memberships.remove(vpps[event.vpp], event.site));
      case "direct_schedule":
        return this.direct.register(event);
      case "request":
        return this.ground.answer(event);
      case "fault_end": {
        const ended = this.end(event.faultId);
        if (ended !== null) return;
        return this.observer.happened("request_refused", event.faultId, "no such fault lasts", this.ground.nowMs);
      }
      default:
        this.begin(event);
    }
  }

  private takeEffect(event: LastingEvent): void {
    const { sites, nowMs } = this.ground;
    const site = sites[event.site];
    switch (event.kind) {
      case "outage":
        return this.goOut(site, "scripted", event.settled);
      case "maintenance":
        return this.beginMaintenance(site, event.settled);
      case "warning":
        site.warningCount++;
        return this.observer.happened("warning", site.spec.name, "on", nowMs);
      case "link_down":
        site.linkDownCount++;
        this.linksDown++;
        return this.observer.happened("link", site.spec.name, "down", nowMs);
      case "fcr_fault":
        this.ground.touch(site);
        site.fcrFaultCount++;
        return this.observer.happened("fcr_fault", site.spec.name, "on", nowMs);
      case "output_control":
        this.ground.touch(site);
        site.outputControls = [...site.outputControls, event];
        return this.observer.happened("output_control", site.spec.name, `${event.limitPct} %, ${event.reason}`, nowMs);
    }
  }

  /** One that was ended before its time has nothing left to end. */
  private finish(number: number, settled: boolean): void {
    const fault = this.lastingByNumber.get(number);
    if (fault === undefined) return;
    this.lastingByNumber.delete(number);
    const { event } = fault;
    const site = this.ground.sites[event.site];
    const { nowMs } = this.ground;
    switch (event.kind) {
      case "outage":
        return this.comeBack(site, "scripted", settled);
      case "maintenance":
        return this.endMaintenance(site, settled);
      case "warning":
        site.warningCount--;
        return this.observer.happened("warning", site.spec.name, "off", nowMs);
      case "link_down":
        site.linkDownCount--;
        this.linksDown--;
        return this.observer.happened("link", site.spec.name, "up", nowMs);
      case "fcr_fault":
        this.ground.touch(site);
        site.fcrFaultCount--;
        return this.observer.happened("fcr_fault", site.spec.name, "off", nowMs);
      case "output_control":
        this.ground.touch(site);
        site.outputControls = site.outputControls.filter((control) => control !== event);
        return this.observer.happened("output_control", site.spec.name, "lifted", nowMs);
    }
  }

  private goOut(site: Site, why: string, settled = false): void {
    this.ground.touch(site);
    site.goOut(this.ground.nowMs);
    if (site.outageCount > 1) return;
    this.ground.noteStatusChange(site, settled);
    this.observer.happened("outage_start", site.spec.name, why, this.ground.nowMs);
  }

  private comeBack(site: Site, why: string, settled = false): void {
    this.ground.touch(site);
    site.comeBack();
    if (site.outageCount > 0) return;
    this.ground.noteStatusChange(site, settled);
    this.observer.happened("outage_end", site.spec.name, why, this.ground.nowMs);
  }

  private beginMaintenance(site: Site, settled = false): void {
    this.goOut(site, "planned", settled);
    site.maintenanceCount++;
    this.observer.happened("maintenance", site.spec.name, "begins", this.ground.nowMs);
  }

  private endMaintenance(site: Site, settled = false): void {
    this.comeBack(site, "planned", settled);
    site.maintenanceCount--;
    this.observer.happened("maintenance", site.spec.name, "ends", this.ground.nowMs);
  }

  private tellRefused(what: string, site: number, result: Result<unknown>): void {
    if (result.ok) return;
    const subject = `${what} ${this.ground.sites[site].spec.name}`;
    this.observer.happened("request_refused", subject, result.refusal.kind, this.ground.nowMs);
  }
}
