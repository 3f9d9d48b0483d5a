import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { Result } from "../../base/result.ts";
import { roundKw } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import type { RandomStream, RandomStreams } from "../kernel/randomStreams.ts";
import { shownKw, shownSocPct } from "../site/shownReadings.ts";
import type { Site } from "../site/site.ts";
import { NO_MALFUNCTIONS, type SensorFault } from "../site/siteMalfunctions.ts";
import { componentsOf } from "../site/siteResource.ts";
import type { StochasticOutages } from "../site/siteSpec.ts";
import { Deratings } from "./deratings.ts";
import type { DirectOrders } from "./directOrders.ts";
import type { Memberships } from "./memberships.ts";
import type { RunEventKind } from "./observer.ts";
import { EVENT_KIND, RANK } from "./ranks.ts";
import type { WorldContext } from "./worldContext.ts";
import type { FaultEvent, ScenarioEvent, WorldSpec } from "./worldSpec.ts";

/** An active fault, begun by the scenario or by a live command. */
export interface ActiveFault {
  /** `fault-<n>`, where n counts the faults begun in this world from 1. */
  readonly faultId: string;
  readonly event: FaultEvent;
  readonly startMs: EpochMs;
}

/** Scripted events, stochastic outages, planned maintenance and changes of connection limits. */
export class Faults extends Copyable {
  private readonly context: WorldContext;
  private readonly random: RandomStreams;
  private readonly memberships: Memberships;
  private readonly directOrders: DirectOrders;
  private events: readonly ScenarioEvent[] = [];
  private readonly outageClocks = new Map<number, OutageClock>();
  private endMs: EpochMs = 0;
  private readonly activeByNumber = new Map<number, ActiveFault>();
  private readonly deratings = new Deratings();
  /** Sensor faults and shortfalls of sunlight in force, by number of the fault. */
  private readonly sensorFaults = new Map<number, { readonly site: number; readonly fault: SensorFault }>();
  private readonly shades = new Map<number, { readonly site: number; readonly share: number }>();
  private faultCount = 0;
  /** Number of active link faults over all sites. */
  activeLinkFaultCount = 0;

  constructor(context: WorldContext, random: RandomStreams, memberships: Memberships, directOrders: DirectOrders) {
    super();
    this.context = context;
    this.random = random;
    this.memberships = memberships;
    this.directOrders = directOrders;
  }

  scheduleEvents(spec: WorldSpec): void {
    this.events = spec.events;
    this.endMs = spec.endMs;
    spec.events.forEach((event, index) => {
      const atMs = Math.max(event.atMs, spec.startMs);
      this.context.kernel.schedule(atMs, event.settled ? RANK.settled : RANK.input, EVENT_KIND.scenarioEvent, index);
    });
    spec.sites.forEach((site, index) => {
      for (const { startMs, endMs } of site.maintenance) {
        if (endMs <= spec.startMs || spec.endMs <= startMs) continue;
        this.context.kernel.schedule(Math.max(startMs, spec.startMs), RANK.input, EVENT_KIND.maintenanceStart, index);
        this.context.kernel.schedule(endMs, RANK.input, EVENT_KIND.maintenanceEnd, index);
      }
      this.scheduleLimitChange(index, spec.startMs);
      if (site.outages === null) return;
      const clock = new OutageClock(site.outages, this.random.getStream("outage", site.name), spec.streamsFromMs);
      while (clock.endMs <= spec.startMs) clock.advance();
      this.outageClocks.set(index, clock);
      this.context.kernel.schedule(
        Math.max(clock.startMs, spec.startMs),
        RANK.input,
        EVENT_KIND.stochasticOutage,
        index,
      );
    });
  }

  private outageClockOf(site: number): OutageClock {
    const clock = this.outageClocks.get(site);
    assert(clock !== undefined, `site ${site} has no outage clock`);
    return clock;
  }

  handle(kind: number, subject: number): void {
    switch (kind) {
      case EVENT_KIND.scenarioEvent:
        return this.applyEvent(this.events[subject]);
      case EVENT_KIND.faultEnd:
        return this.clearFault(subject, false);
      case EVENT_KIND.stochasticOutage:
        this.beginOutage(this.context.sites[subject], "stochastic");
        return this.schedule(this.outageClockOf(subject).endMs, EVENT_KIND.stochasticRepair, subject);
      case EVENT_KIND.stochasticRepair: {
        const clock = this.outageClockOf(subject);
        this.endOutage(this.context.sites[subject], "stochastic");
        clock.advance();
        return this.schedule(clock.startMs, EVENT_KIND.stochasticOutage, subject);
      }
      case EVENT_KIND.directOrderStart:
        return this.directOrders.start(subject);
      case EVENT_KIND.directOrderEnd:
        return this.directOrders.end(subject);
      case EVENT_KIND.maintenanceStart:
        return this.beginMaintenance(this.context.sites[subject]);
      case EVENT_KIND.maintenanceEnd:
        return this.endMaintenance(this.context.sites[subject]);
      case EVENT_KIND.connectionLimit:
        return this.changeLimits(this.context.sites[subject]);
      case EVENT_KIND.derateStep:
        return this.stepDerating(this.context.sites[subject]);
      default:
        assert(false, `no handler for events of kind ${kind}`);
    }
  }

  private schedule(atMs: EpochMs, kind: number, subject: number): void {
    if (atMs < this.endMs) this.context.kernel.schedule(atMs, RANK.input, kind, subject);
  }

  /** Oldest first. */
  get activeFaults(): readonly ActiveFault[] {
    return [...this.activeByNumber.values()];
  }

  /** Begins a fault now, after all events due at this instant, as a settled scenario event does. */
  begin(event: FaultEvent): ActiveFault {
    const fault = { faultId: `fault-${++this.faultCount}`, event, startMs: this.context.nowMs };
    const number = this.faultCount;
    this.activeByNumber.set(number, fault);
    this.schedule(event.untilMs, EVENT_KIND.faultEnd, number);
    this.setFault(event, number, true, event.settled);
    return fault;
  }

  /** Ends a fault now, after all events due at this instant. @returns `null` if no active fault has this id */
  end(faultId: string): ActiveFault | null {
    for (const [number, fault] of this.activeByNumber)
      if (fault.faultId === faultId) {
        this.clearFault(number, true);
        return fault;
      }
    return null;
  }

  private applyEvent(event: ScenarioEvent): void {
    const { vpps } = this.context;
    switch (event.kind) {
      case "set_weight": {
        const change = { allocationWeight: event.allocationWeight };
        return this.reportRefusal(
          "set_weight of",
          event.site,
          this.memberships.update(vpps[event.vpp], event.site, change),
        );
      }
      case "add_member":
        return this.reportRefusal("add_member", event.site, this.memberships.add(vpps[event.vpp], event));
      case "remove_member":
        return this.reportRefusal("remove_member", event.site, this.memberships.remove(vpps[event.vpp], event.site));
      case "direct_schedule":
        return this.directOrders.register(event);
      case "request":
        return this.context.answer(event);
      case "fault_end": {
        const ended = this.end(event.faultId);
        if (ended !== null) return;
        return this.context.observer.onRunEvent(
          "request_refused",
          event.faultId,
          "no such fault lasts",
          this.context.nowMs,
        );
      }
      default:
        this.begin(event);
    }
  }

  /** Does nothing if the fault was ended before its time. */
  private clearFault(number: number, settled: boolean): void {
    const fault = this.activeByNumber.get(number);
    if (fault === undefined) return;
    this.activeByNumber.delete(number);
    this.setFault(fault.event, number, false, settled);
  }

  private setFault(event: FaultEvent, number: number, isOn: boolean, settled: boolean): void {
    const site = this.context.sites[event.site];
    const change = isOn ? 1 : -1;
    switch (event.kind) {
      case "outage":
        return isOn ? this.beginOutage(site, "scripted", settled) : this.endOutage(site, "scripted", settled);
      case "maintenance":
        return isOn ? this.beginMaintenance(site, settled) : this.endMaintenance(site, settled);
      case "warning":
        site.activeWarningCount += change;
        return this.report("warning", site, isOn ? "on" : "off");
      case "link_down":
        site.activeLinkFaultCount += change;
        this.activeLinkFaultCount += change;
        return this.report("link", site, isOn ? "down" : "up");
      case "fcr_fault":
        this.context.beginSiteChange(site);
        site.activeFcrFaultCount += change;
        return this.report("fcr_fault", site, isOn ? "on" : "off");
      case "output_control":
        this.context.beginSiteChange(site);
        site.outputControls = isOn
          ? [...site.outputControls, event]
          : site.outputControls.filter((control) => control !== event);
        return this.report("output_control", site, isOn ? `${event.limitPct} %, ${event.reason}` : "lifted");
      default:
        return this.setPartialFault(event, number, isOn);
    }
  }

  /** A malfunction with which the site stays in service. */
  private setPartialFault(event: PartialFaultEvent, number: number, isOn: boolean): void {
    const { nowMs } = this.context;
    const site = this.context.sites[event.site];
    switch (event.kind) {
      case "derate":
        if (isOn) this.deratings.begin(number, { ...event, startMs: nowMs });
        else this.deratings.end(number, nowMs);
        this.updateMalfunctions(site);
        return this.report("derate", site, isOn ? `${event.limitPct} % of the rated power` : "ends");
      case "irradiance_shortfall":
        if (isOn) this.shades.set(number, { site: event.site, share: event.limitPct / 100 });
        else this.shades.delete(number);
        this.updateMalfunctions(site);
        return this.report("irradiance", site, isOn ? `${event.limitPct} % of the generation` : "ends");
      default:
        if (isOn) this.sensorFaults.set(number, { site: event.site, fault: sensorFault(event, site, nowMs) });
        else this.sensorFaults.delete(number);
        this.updateMalfunctions(site);
        return this.report("sensor", site, isOn ? sensorText(event) : `${event.sensor} shows the true value again`);
    }
  }

  /** A step of a ramp of a derated site. */
  private stepDerating(site: Site): void {
    const { derateShare } = site.malfunctions;
    this.updateMalfunctions(site);
    if (derateShare < 1 && site.malfunctions.derateShare === 1) this.report("derate", site, "full power again");
  }

  /** Applies the partial malfunctions that are in force at a site, and queues the next step of a ramp. */
  private updateMalfunctions(site: Site): void {
    const { nowMs } = this.context;
    const derateShare = this.deratings.shareAt(site.index, nowMs);
    let irradianceShare = 1;
    for (const shade of this.shades.values())
      if (shade.site === site.index) irradianceShare = Math.min(irradianceShare, shade.share);
    const sensorFaults = [...this.sensorFaults.values()].filter(({ site: index }) => index === site.index);
    const isNone = derateShare === 1 && irradianceShare === 1 && sensorFaults.length === 0;
    this.context.beginSiteChange(site);
    site.setMalfunctions(
      isNone ? NO_MALFUNCTIONS : { derateShare, irradianceShare, sensorFaults: sensorFaults.map(({ fault }) => fault) },
      nowMs,
    );
    this.schedule(this.deratings.nextChangeMs(site.index, nowMs), EVENT_KIND.derateStep, site.index);
  }

  private report(kind: RunEventKind, site: Site, detail: string): void {
    this.context.observer.onRunEvent(kind, site.spec.name, detail, this.context.nowMs);
  }

  private beginOutage(site: Site, cause: string, settled = false): void {
    this.context.beginSiteChange(site);
    site.beginOutage(this.context.nowMs);
    if (site.activeOutageCount > 1) return;
    this.context.scheduleEvaluation(site, settled);
    this.report("outage_start", site, cause);
  }

  private endOutage(site: Site, cause: string, settled = false): void {
    this.context.beginSiteChange(site);
    site.endOutage();
    if (site.activeOutageCount > 0) return;
    this.context.scheduleEvaluation(site, settled);
    this.report("outage_end", site, cause);
  }

  private beginMaintenance(site: Site, settled = false): void {
    this.beginOutage(site, "planned", settled);
    site.activeMaintenanceCount++;
    this.report("maintenance", site, "begins");
  }

  private endMaintenance(site: Site, settled = false): void {
    this.endOutage(site, "planned", settled);
    site.activeMaintenanceCount--;
    this.report("maintenance", site, "ends");
  }

  /** Queues one change of a site at a time, as awards are queued. */
  private scheduleLimitChange(index: number, atMs: EpochMs): void {
    const { limits } = this.context.sites[index];
    if (limits.isVariable) this.schedule(limits.nextChangeMs(atMs), EVENT_KIND.connectionLimit, index);
  }

  /** @see docs/model/connection-point.md#limits-by-time */
  private changeLimits(site: Site): void {
    const { nowMs } = this.context;
    this.context.beginSiteChange(site);
    site.applyLimits(nowMs);
    const { siteImportMaxKw, siteExportMaxKw } = site.limits;
    const detail = `import ${limitText(siteImportMaxKw)}, export ${limitText(siteExportMaxKw)}`;
    this.report("connection_limit", site, detail);
    this.scheduleLimitChange(site.index, nowMs);
  }

  private reportRefusal(what: string, site: number, result: Result<unknown>): void {
    if (result.ok) return;
    const subject = `${what} ${this.context.sites[site].spec.name}`;
    this.context.observer.onRunEvent("request_refused", subject, result.refusal.kind, this.context.nowMs);
  }
}

type PartialFaultEvent = Extract<
  FaultEvent,
  { readonly kind: "derate" | "irradiance_shortfall" | "sensor_offset" | "sensor_stuck" }
>;
type SensorEvent = Extract<FaultEvent, { readonly kind: "sensor_offset" | "sensor_stuck" }>;

/** A stuck sensor keeps what it shows when the fault begins; another fault of it counts as part of that. */
function sensorFault(event: SensorEvent, site: Site, nowMs: EpochMs): SensorFault {
  return {
    sensor: event.sensor,
    offset: event.kind === "sensor_offset" ? event.offset : null,
    stuckKw: shownKw(site, nowMs),
    stuckSocPct: componentsOf(site.resource).map(
      (component, k) => shownSocPct(site, k, component.socPctAt(nowMs)) ?? Number.NaN,
    ),
  };
}

const sensorText = (event: SensorEvent): string =>
  event.kind === "sensor_stuck"
    ? `${event.sensor} is stuck`
    : `${event.sensor} shows ${event.offset} ${event.sensor === "soc" ? "% points" : "kW"} more`;

const limitText = (kw: number): string => (kw === Number.POSITIVE_INFINITY ? "unlimited" : `${roundKw(kw)} kW`);

/**
 * Alternating up and repair times of one site, exponentially distributed and rounded up to a second. The site starts up.
 *
 * All draws come from the site's own stream and depend on nothing else, so scripted outages, weights and other sites do not
 * change them (docs/model/connection-point.md#stochastic-outages).
 */
export class OutageClock extends Copyable {
  private readonly spec: StochasticOutages;
  private readonly random: RandomStream;
  /** The next outage: `startMs <= t && t < endMs`. */
  startMs: EpochMs;
  endMs: EpochMs;

  constructor(spec: StochasticOutages, random: RandomStream, fromMs: EpochMs) {
    super();
    this.spec = spec;
    this.random = random;
    this.startMs = fromMs;
    this.endMs = fromMs;
    this.advance();
  }

  /** Draws the next outage. */
  advance(): void {
    this.startMs = this.endMs + this.draw(this.spec.meanUpMs);
    this.endMs = this.startMs + this.draw(this.spec.meanRepairMs);
  }

  private draw(meanMs: number): number {
    return Math.max(MS_PER_SECOND, Math.ceil(this.random.nextExponential(meanMs) / MS_PER_SECOND) * MS_PER_SECOND);
  }
}
