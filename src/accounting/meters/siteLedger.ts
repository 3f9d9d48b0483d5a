import { Copyable } from "../../base/copyState.ts";
import { toThousandths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import { MS_PER_MINUTE } from "../../base/time.ts";
import { kindOf } from "../../site/components/registry.ts";
import type { BatteryRegisters } from "../../site/meters/batteryRegisters.ts";
import { COMPONENT_REGISTER, REGISTER } from "../../site/meters/energyRegisters.ts";
import type { Site } from "../../site/site.ts";
import { resourceTypeOf } from "../../vpp/resourceTypeOf.ts";
import type { OutageSpan } from "../runRecord.ts";
import type { ComponentRow, SiteRow } from "../siteRow.ts";
import { componentRegisterBase, computeSumRegisters } from "./componentRegisters.ts";
import { createMeter } from "./createMeter.ts";
import type { SiteMeter } from "./siteMeter.ts";

/** What every site did over the run: its energy registers, and how long it was away. */
export class SiteLedger extends Copyable {
  readonly meters: readonly SiteMeter[];
  readonly outages: OutageSpan[] = [];
  private readonly closedMs: Float64Array;
  private readonly outOfServiceMs: Float64Array;
  private readonly plannedOutageMs: Float64Array;
  private readonly startMs: EpochMs;

  /** @param countsCycles  whether the rows tell the cycles of batteries */
  constructor(sites: readonly Site[], startMs: EpochMs, countsCycles = true) {
    super();
    this.meters = sites.map((site) => createMeter(site, startMs));
    if (!countsCycles) for (const { batteries } of this.meters) for (const book of batteries) book.cycleCounter = null;
    this.closedMs = new Float64Array(sites.length).fill(startMs);
    this.outOfServiceMs = new Float64Array(sites.length);
    this.plannedOutageMs = new Float64Array(sites.length);
    this.startMs = startMs;
  }

  /** When the present law of a site that stands by itself began. */
  trajectoryStartMs(site: Site): EpochMs {
    return this.closedMs[site.index];
  }

  /** A site in service goes on with a law that began at an instant; somebody else kept its books until then. */
  resume({ index }: Site, lawBeganMs: EpochMs): void {
    this.closedMs[index] = lawBeganMs;
  }

  /** The site's law ends here. */
  close(site: Site, atMs: EpochMs): void {
    const { index } = site;
    const spanMs = atMs - this.closedMs[index];
    if (spanMs <= 0) return;
    this.meters[index].close(atMs);
    this.closedMs[index] = atMs;
    if (site.isInService) return;
    this.outOfServiceMs[index] += spanMs;
    if (site.activeMaintenanceCount > 0) this.plannedOutageMs[index] += spanMs;
    this.addOutage(site, atMs - spanMs, atMs);
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

  /** Share of the time, planned maintenance apart, that a site was in service, in %; 100 when all of it was planned. */
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
    const kwh = (leaf: number) => thousandths[leaf] / 1000;
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
      curtailedKwh: isGenerator ? reasons.reduce((sum, leaf) => sum + thousandths[leaf], 0) / 1000 : null,
      fitCurtailedKwh: isGenerator ? kwh(REGISTER.fitCurtailed) : null,
      nonFirmCurtailedKwh: isGenerator ? kwh(REGISTER.nonFirmCurtailed) : null,
      manualCurtailedKwh: isGenerator ? kwh(REGISTER.manualCurtailed) : null,
      drDeliveredKwh: site.resource.hasLoad ? kwh(REGISTER.drDelivered) : null,
      components: componentRows(site, thousandths),
    };
  }
}

/** What the batteries of a site come to together; of several the state of charge is that of all they store. */
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
  const sum = (of: (book: BatteryRegisters) => number) => batteries.reduce((total, book) => total + of(book), 0);
  const ratedKwh = sum(({ component: unit }) => unit.spec.ratedCapKwh);
  const cycles = batteries.flatMap((book) => (book.cycleCounter === null ? [] : [book.cycleCounter.countCycles()]));
  const pct = (kwh: number, { component: unit }: BatteryRegisters) => (100 * kwh) / unit.spec.ratedCapKwh;
  return {
    throughputKwh: sum((book) => book.cellInKwh + book.cellOutKwh),
    equivalentFullCycles: sum((book) => book.cellOutKwh / book.component.spec.dischargeEfficiency) / ratedKwh,
    socMinPct: Math.min(...batteries.map((book) => pct(book.storedMinKwh, book))),
    socMeanPct: (100 * sum((book) => book.storedKwhMs / spanMs)) / ratedKwh,
    socMaxPct: Math.max(...batteries.map((book) => pct(book.storedMaxKwh, book))),
    socFinalPct: (100 * sum(({ component: unit }) => unit.trajectory.storedKwhAt(site.advancedToMs))) / ratedKwh,
    minutesAtSocMin: sum((book) => book.atMinMs) / MS_PER_MINUTE,
    minutesAtSocMax: sum((book) => book.atMaxMs) / MS_PER_MINUTE,
    cyclesByDepth:
      cycles.length === 0 ? null : cycles[0].map((_, k) => cycles.reduce((total, counts) => total + counts[k], 0)),
  };
}

/** Energy paths of each component; `null` for a site of one. */
function componentRows({ resource: unit }: Site, thousandths: Float64Array): readonly ComponentRow[] | null {
  if (unit.composite === null) return null;
  return unit.components.map((part, k) => {
    const kwh = (leaf: number) => thousandths[componentRegisterBase(k) + leaf] / 1000;
    return {
      componentId: part.spec.componentId,
      kind: part.kind,
      fromGeneratorKwh: kwh(COMPONENT_REGISTER.fromGenerator),
      fromGridKwh: kwh(COMPONENT_REGISTER.fromGrid),
      toLoadKwh: kwh(COMPONENT_REGISTER.toLoad),
      toBatteryKwh: kwh(COMPONENT_REGISTER.toBattery),
      toGridKwh: kwh(COMPONENT_REGISTER.toGrid),
    };
  });
}
