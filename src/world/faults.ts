import { assert } from "../base/assert.ts";
import type { EpochMs } from "../base/time.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { RandomStreams } from "../kernel/random.ts";
import type { Site } from "../site/site.ts";
import type { Vpp } from "../vpp/vpp.ts";
import { MEMBERS_MAX } from "../vpp/vppSpec.ts";
import { DirectCalls } from "./directCalls.ts";
import type { Observer } from "./observer.ts";
import { OutageClock } from "./outageClock.ts";
import { DUE, RANK } from "./ranks.ts";
import type { ScenarioEvent, WorldSpec } from "./worldSpec.ts";

/** What faults act on. */
export interface Ground {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  readonly vpps: readonly Vpp[];
  touch(site: Site): void;
  noteStatusChange(site: Site, settled: boolean): void;
  nextRegistration(): number;
}

/** Everything that happens to a world without anybody instructing it: scripted events, stochastic outages, maintenance. */
export class Faults {
  readonly #ground: Ground;
  readonly #kernel: Kernel;
  readonly #random: RandomStreams;
  readonly #observer: Observer;
  #events: readonly ScenarioEvent[] = [];
  readonly #clocks = new Map<number, OutageClock>();
  #endMs: EpochMs = 0;

  readonly #direct: DirectCalls;

  constructor(ground: Ground, kernel: Kernel, random: RandomStreams, observer: Observer) {
    this.#direct = new DirectCalls(ground, kernel, observer);
    this.#ground = ground;
    this.#kernel = kernel;
    this.#random = random;
    this.#observer = observer;
  }

  scheduleAll(spec: WorldSpec): void {
    this.#events = spec.events;
    this.#endMs = spec.endMs;
    spec.events.forEach((event, index) => {
      const atMs = Math.max(event.atMs, spec.startMs);
      this.#kernel.schedule(atMs, event.settled ? RANK.settled : RANK.input, DUE.scenarioEvent, index);
    });
    spec.sites.forEach((site, index) => {
      for (const { startMs, endMs } of site.maintenance) {
        if (endMs <= spec.startMs || spec.endMs <= startMs) continue;
        this.#kernel.schedule(Math.max(startMs, spec.startMs), RANK.input, DUE.maintenanceStart, index);
        this.#kernel.schedule(endMs, RANK.input, DUE.maintenanceEnd, index);
      }
      if (site.outages === null) return;
      const clock = new OutageClock(site.outages, this.#random.stream("outage", site.name), spec.streamsFromMs);
      while (clock.endMs <= spec.startMs) clock.advance();
      this.#clocks.set(index, clock);
      this.#kernel.schedule(Math.max(clock.startMs, spec.startMs), RANK.input, DUE.stochasticOutage, index);
    });
  }

  handle(kind: number, subject: number): void {
    switch (kind) {
      case DUE.scenarioEvent:
        return this.#begin(this.#events[subject], subject);
      case DUE.faultEnd:
        return this.#finish(this.#events[subject]);
      case DUE.stochasticOutage:
        this.#goOut(this.#ground.sites[subject], "stochastic");
        return this.#schedule(this.#clocks.get(subject)!.endMs, DUE.stochasticRepair, subject);
      case DUE.stochasticRepair: {
        const clock = this.#clocks.get(subject)!;
        this.#comeBack(this.#ground.sites[subject], "stochastic");
        clock.advance();
        return this.#schedule(clock.startMs, DUE.stochasticOutage, subject);
      }
      case DUE.directStart:
        return this.#direct.start(subject);
      case DUE.directEnd:
        return this.#direct.end(subject);
      case DUE.maintenanceStart:
        return this.#beginMaintenance(this.#ground.sites[subject]);
      case DUE.maintenanceEnd:
        return this.#endMaintenance(this.#ground.sites[subject]);
      default:
        assert(false, `nobody handles events of kind ${kind}`);
    }
  }

  #schedule(atMs: EpochMs, kind: number, subject: number): void {
    if (atMs < this.#endMs) this.#kernel.schedule(atMs, RANK.input, kind, subject);
  }

  #begin(event: ScenarioEvent, index: number): void {
    if ("untilMs" in event) this.#schedule(event.untilMs, DUE.faultEnd, index);
    const { sites, vpps, nowMs } = this.#ground;
    const site = sites[event.site];
    switch (event.kind) {
      case "outage":
        return this.#goOut(site, "scripted", event.settled);
      case "maintenance":
        return this.#beginMaintenance(site, event.settled);
      case "warning":
        site.warningCount++;
        return this.#observer.happened("warning", site.spec.name, "on", nowMs);
      case "link_down":
        site.linkDownCount++;
        return this.#observer.happened("link", site.spec.name, "down", nowMs);
      case "fcr_fault":
        this.#ground.touch(site);
        site.fcrFaultCount++;
        return this.#observer.happened("fcr_fault", site.spec.name, "on", nowMs);
      case "output_control":
        this.#ground.touch(site);
        site.outputControls = [...site.outputControls, event];
        return this.#observer.happened("output_control", site.spec.name, `${event.limitPct} %, ${event.reason}`, nowMs);
      case "set_weight":
        return this.#setWeight(vpps[event.vpp], event);
      case "add_member":
        return this.#addMember(vpps[event.vpp], event);
      case "direct_schedule":
        return this.#direct.register(event);
      case "remove_member":
        return this.#removeMember(vpps[event.vpp], site);
    }
  }

  #finish(event: ScenarioEvent): void {
    const site = this.#ground.sites[event.site];
    const { nowMs } = this.#ground;
    switch (event.kind) {
      case "outage":
        return this.#comeBack(site, "scripted");
      case "maintenance":
        return this.#endMaintenance(site);
      case "warning":
        site.warningCount--;
        return this.#observer.happened("warning", site.spec.name, "off", nowMs);
      case "link_down":
        site.linkDownCount--;
        return this.#observer.happened("link", site.spec.name, "up", nowMs);
      case "fcr_fault":
        this.#ground.touch(site);
        site.fcrFaultCount--;
        return this.#observer.happened("fcr_fault", site.spec.name, "off", nowMs);
      case "output_control":
        this.#ground.touch(site);
        site.outputControls = site.outputControls.filter((control) => control !== event);
        return this.#observer.happened("output_control", site.spec.name, "lifted", nowMs);
      default:
        assert(false, `events of kind ${event.kind} do not end`);
    }
  }

  #goOut(site: Site, why: string, settled = false): void {
    this.#ground.touch(site);
    site.goOut(this.#ground.nowMs);
    if (site.outageCount > 1) return;
    this.#ground.noteStatusChange(site, settled);
    this.#observer.happened("outage_start", site.spec.name, why, this.#ground.nowMs);
  }

  #comeBack(site: Site, why: string): void {
    this.#ground.touch(site);
    site.comeBack();
    if (site.outageCount > 0) return;
    this.#ground.noteStatusChange(site, false);
    this.#observer.happened("outage_end", site.spec.name, why, this.#ground.nowMs);
  }

  #beginMaintenance(site: Site, settled = false): void {
    this.#goOut(site, "planned", settled);
    site.maintenanceCount++;
    this.#observer.happened("maintenance", site.spec.name, "begins", this.#ground.nowMs);
  }

  #endMaintenance(site: Site): void {
    this.#comeBack(site, "planned");
    site.maintenanceCount--;
    this.#observer.happened("maintenance", site.spec.name, "ends", this.#ground.nowMs);
  }

  #setWeight(vpp: Vpp, event: ScenarioEvent & { kind: "set_weight" }): void {
    const member = vpp.memberOf(event.site);
    const { name } = this.#ground.sites[event.site].spec;
    if (member === undefined) return this.#refuse(`set_weight of ${name}`, "member_not_found");
    vpp.setWeight(member, event.allocationWeight);
    this.#observer.happened("weight", name, `${vpp.spec.name}: ${event.allocationWeight}`, this.#ground.nowMs);
  }

  #addMember(vpp: Vpp, event: ScenarioEvent & { kind: "add_member" }): void {
    const { vpps, sites, nowMs } = this.#ground;
    const { name } = sites[event.site].spec;
    const owner = vpps.find(
      (other) =>
        other.memberOf(event.site) !== undefined ||
        other.running.some(({ membership }) => membership.sites.includes(event.site)),
    );
    if (owner !== undefined)
      return this.#refuse(
        `add_member ${name}`,
        owner === vpp ? "ems_already_registered" : "ems_registered_to_other_vpp",
      );
    if (vpp.members.length >= MEMBERS_MAX) return this.#refuse(`add_member ${name}`, "member_limit_exceeded");
    const { label, resourceType, allocationWeight, site } = event;
    vpp.add({ site, label, resourceType, allocationWeight, registeredMs: nowMs });
    this.#observer.happened("membership", name, `joins ${vpp.spec.name}`, nowMs);
  }

  #removeMember(vpp: Vpp, site: Site): void {
    const member = vpp.memberOf(site.index);
    if (member === undefined) return this.#refuse(`remove_member ${site.spec.name}`, "member_not_found");
    vpp.remove(member);
    this.#observer.happened("membership", site.spec.name, `leaves ${vpp.spec.name}`, this.#ground.nowMs);
  }

  #refuse(what: string, errorType: string): void {
    this.#observer.happened("request_refused", what, errorType, this.#ground.nowMs);
  }
}
