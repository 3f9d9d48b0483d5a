import { Copyable } from "../../base/copyState.ts";
import { toThousandths } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import { kindOf } from "../../engine/site/components/registry.ts";
import type { BatteryRegisters } from "../../engine/site/meters/batteryRegisters.ts";
import type { ComponentMeter } from "../../engine/site/meters/componentMeter.ts";
import { COMPONENT_REGISTER, REGISTER } from "../../engine/site/meters/energyRegisters.ts";
import { newTrajectoryEnergy } from "../../engine/site/meters/resourceMeter.ts";
import { TrajectoryCache } from "../../engine/site/sharedTrajectories.ts";
import type { Site } from "../../engine/site/site.ts";
import { resourceTypeOf } from "../../engine/vpp/vppSpec.ts";
import type { OutageSpan } from "../runRecord.ts";
import type { ComponentRow, SiteRow } from "../siteRow.ts";
import { componentRegisterBase, computeSumRegisters } from "./componentRegisters.ts";
import { CompositeMeter, type SiteMeter } from "./compositeMeter.ts";

class EndedTrajectory extends Copyable {
  trajectoryNumber = 0;
  endMs: EpochMs = Number.NaN;
  readonly energy = newTrajectoryEnergy();
}

/** What is metered beside the energy of the key figures. */
interface MeteringOptions {
  /** For the rows of sites. */
  readonly countsCycles: boolean;
  readonly countsBaselines: boolean;
}

/** Energy registers and outages of all sites over a run. */
export class SiteLedger extends Copyable {
  readonly meters: readonly SiteMeter[];
  readonly outages: OutageSpan[] = [];
  private readonly closedMs: Float64Array;
  private readonly outOfServiceMs: Float64Array;
  private readonly plannedOutageMs: Float64Array;
  private readonly startMs: EpochMs;
  /** Energy of the shared trajectories that ended last. */
  private readonly endedTrajectories = new TrajectoryCache(() => new EndedTrajectory());

  constructor(sites: readonly Site[], startMs: EpochMs, { countsCycles, countsBaselines }: MeteringOptions) {
    super();
    this.meters = sites.map((site) => createMeter(site, startMs));
    for (const meter of this.meters) {
      meter.countsBaseline = countsBaselines;
      if (!countsCycles) for (const battery of meter.batteries) battery.cycleCounter = null;
    }
    this.closedMs = new Float64Array(sites.length).fill(startMs);
    this.outOfServiceMs = new Float64Array(sites.length);
    this.plannedOutageMs = new Float64Array(sites.length);
    this.startMs = startMs;
  }

  /** Start of the present trajectory of a site. */
  trajectoryStartMs(site: Site): EpochMs {
    return this.closedMs[site.index];
  }

  /** Closes the site's trajectory at an instant. */
  close(site: Site, atMs: EpochMs): void {
    const { index } = site;
    const spanMs = atMs - this.closedMs[index];
    if (spanMs <= 0) return;
    const { trajectoryNumber, isInService } = site.record;
    if (trajectoryNumber === 0) this.meters[index].close(atMs);
    else this.closeShared(this.meters[index] as ComponentMeter<Site>, trajectoryNumber, atMs);
    this.closedMs[index] = atMs;
    if (isInService) return;
    this.outOfServiceMs[index] += spanMs;
    if (site.activeMaintenanceCount > 0) this.plannedOutageMs[index] += spanMs;
    this.addOutage(site, atMs - spanMs, atMs);
  }

  /** Closes a trajectory that other sites may share: its energy is computed for one of them. */
  private closeShared(meter: ComponentMeter<Site>, trajectoryNumber: number, atMs: EpochMs): void {
    const ended = this.endedTrajectories.slotOf(trajectoryNumber);
    if (ended.trajectoryNumber === trajectoryNumber && ended.endMs === atMs)
      return meter.closeWithEnergy(atMs, ended.energy);
    meter.closeAndMeasure(atMs, ended.energy);
    ended.trajectoryNumber = trajectoryNumber;
    ended.endMs = atMs;
  }

  private addOutage(site: Site, startMs: EpochMs, endMs: EpochMs): void {
    const planned = site.activeMaintenanceCount > 0;
    const last = this.lastOutageIndex.get(site);
    if (last !== undefined && this.outages[last].endMs === startMs && this.outages[last].planned === planned)
      this.outages[last] = { ...this.outages[last], endMs };
    else {
      this.lastOutageIndex.set(site, this.outages.length);
      this.outages.push({ site: site.spec.name, startMs, endMs, planned });
    }
  }

  private readonly lastOutageIndex = new Map<Site, number>();

  /** Time in service as a share of the time without planned maintenance, in %; 100 if all of the run was maintenance. */
  availabilityPct(site: Site, endMs: EpochMs): number {
    const spanMs = endMs - this.startMs;
    const dueMs = spanMs - this.plannedOutageMs[site.index];
    return dueMs === 0 ? 100 : (100 * (spanMs - this.outOfServiceMs[site.index])) / dueMs;
  }

  plannedOutagePct(site: Site, endMs: EpochMs): number {
    return (100 * this.plannedOutageMs[site.index]) / (endMs - this.startMs);
  }

  siteRow(site: Site, endMs: EpochMs, vpp: string | null): SiteRow {
    const meter = this.meters[site.index];
    const thousandths = meter.read(endMs).map(toThousandths);
    computeSumRegisters(site, thousandths);
    const kwh = (register: number) => thousandths[register] / 1000;
    const isGenerator = site.spec.components.some((component) => kindOf(component).accounting.hasCurtailment);
    const reasons = [
      REGISTER.fitCurtailed,
      REGISTER.nonFirmCurtailed,
      REGISTER.manualCurtailed,
      REGISTER.otherCurtailed,
    ];
    return {
      site: site.spec.name,
      resourceType: resourceTypeOf(site.spec.components),
      vpp,
      importKwh: kwh(REGISTER.import),
      exportKwh: kwh(REGISTER.export),
      ...batteryFigures(meter, endMs - this.startMs),
      availabilityPct: this.availabilityPct(site, endMs),
      plannedOutagePct: this.plannedOutagePct(site, endMs),
      curtailedKwh: isGenerator ? reasons.reduce((sum, register) => sum + thousandths[register], 0) / 1000 : null,
      fitCurtailedKwh: isGenerator ? kwh(REGISTER.fitCurtailed) : null,
      nonFirmCurtailedKwh: isGenerator ? kwh(REGISTER.nonFirmCurtailed) : null,
      manualCurtailedKwh: isGenerator ? kwh(REGISTER.manualCurtailed) : null,
      drDeliveredKwh: site.resource.hasLoad ? kwh(REGISTER.drDelivered) : null,
      money: null,
      components: componentRows(site, thousandths),
    };
  }
}

/** Figures of all batteries of a site; the state of charge of several is total stored energy by total capacity. */
function batteryFigures({ batteries, site }: SiteMeter, spanMs: number) {
  if (batteries.length === 0)
    return {
      throughputKwh: null,
      equivalentFullCycles: null,
      socMinPct: null,
      socMeanPct: null,
      socMaxPct: null,
      socFinalPct: null,
      minutesAtSocMin: null,
      minutesAtSocMax: null,
      cyclesByDepth: null,
    };
  const sum = (of: (battery: BatteryRegisters) => number) =>
    batteries.reduce((total, battery) => total + of(battery), 0);
  const ratedKwh = sum(({ component }) => component.ratedSpec.ratedCapKwh);
  const cycles = batteries.flatMap((battery) =>
    battery.cycleCounter === null ? [] : [battery.cycleCounter.countCycles()],
  );
  const isCounted = cycles.length > 0;
  const pct = (kwh: number, { component }: BatteryRegisters) => (100 * kwh) / component.ratedSpec.ratedCapKwh;
  return {
    throughputKwh: sum((battery) => battery.cellInKwh + battery.cellOutKwh),
    equivalentFullCycles: sum((battery) => battery.cellOutKwh / battery.component.spec.dischargeEfficiency) / ratedKwh,
    socMinPct: Math.min(...batteries.map((battery) => pct(battery.storedMinKwh, battery))),
    socMeanPct: isCounted ? (100 * sum((battery) => battery.storedKwhMs / spanMs)) / ratedKwh : null,
    socMaxPct: Math.max(...batteries.map((battery) => pct(battery.storedMaxKwh, battery))),
    socFinalPct: (100 * sum(({ component }) => component.trajectory.storedKwhAt(site.advancedToMs))) / ratedKwh,
    minutesAtSocMin: isCounted ? sum((battery) => battery.atMinMs) / MS_PER_MINUTE : null,
    minutesAtSocMax: isCounted ? sum((battery) => battery.atMaxMs) / MS_PER_MINUTE : null,
    cyclesByDepth: isCounted ? cycles[0].map((_, k) => cycles.reduce((total, counts) => total + counts[k], 0)) : null,
  };
}

/** Energy paths of each component; `null` for a site of one. */
function componentRows({ resource }: Site, thousandths: Float64Array): readonly ComponentRow[] | null {
  if (resource.composite === null) return null;
  return resource.components.map((component, k) => {
    const kwh = (register: number) => thousandths[componentRegisterBase(k) + register] / 1000;
    return {
      componentId: component.spec.componentId,
      kind: component.kind,
      fromGeneratorKwh: kwh(COMPONENT_REGISTER.fromGenerator),
      fromGridKwh: kwh(COMPONENT_REGISTER.fromGrid),
      toLoadKwh: kwh(COMPONENT_REGISTER.toLoad),
      toBatteryKwh: kwh(COMPONENT_REGISTER.toBattery),
      toGridKwh: kwh(COMPONENT_REGISTER.toGrid),
    };
  });
}

/** @param from  initial registers, valid at the start of a trajectory; `null` at the start of a run */
export function createMeter(site: Site, startMs: EpochMs, from: Float64Array | null = null): SiteMeter {
  const { resource } = site;
  return resource.composite === null
    ? kindOf(resource).createMeter(resource, site, startMs, from)
    : new CompositeMeter(site, resource, startMs, from);
}
