import { toThousandths } from "../base/rounding.ts";
import type { EpochMs } from "../base/time.ts";
import { MS_PER_MINUTE } from "../base/time.ts";
import type { Site } from "../site/site.ts";
import type { OutageSpan, SiteRow } from "./runRecord.ts";
import { BatteryMeter, createMeter, LEAF, type SiteMeter } from "./siteMeter.ts";

/** What every site did over the run: its energy registers, and how long it was away. */
export class SiteLedger {
  readonly meters: readonly SiteMeter[];
  readonly outages: OutageSpan[] = [];
  readonly #closedMs: Float64Array;
  readonly #outMs: Float64Array;
  readonly #plannedMs: Float64Array;
  readonly #startMs: EpochMs;

  constructor(sites: readonly Site[], startMs: EpochMs) {
    this.meters = sites.map((site) => createMeter(site, startMs));
    this.#closedMs = new Float64Array(sites.length).fill(startMs);
    this.#outMs = new Float64Array(sites.length);
    this.#plannedMs = new Float64Array(sites.length);
    this.#startMs = startMs;
  }

  /** When a site's present law began. */
  lawBeganMs(site: Site): EpochMs {
    return this.#closedMs[site.index];
  }

  /** The site's law ends here. */
  close(site: Site, atMs: EpochMs): void {
    const { index } = site;
    const spanMs = atMs - this.#closedMs[index];
    if (spanMs <= 0) return;
    this.meters[index].close(atMs);
    this.#closedMs[index] = atMs;
    if (site.inService) return;
    this.#outMs[index] += spanMs;
    if (site.maintenanceCount > 0) this.#plannedMs[index] += spanMs;
    this.#addOutage(site, atMs - spanMs, atMs);
  }

  #addOutage(site: Site, startMs: EpochMs, endMs: EpochMs): void {
    const planned = site.maintenanceCount > 0;
    const last = this.#lastOutage.get(site);
    if (last !== undefined && this.outages[last].endMs === startMs && this.outages[last].planned === planned)
      this.outages[last] = { ...this.outages[last], endMs };
    else {
      this.#lastOutage.set(site, this.outages.length);
      this.outages.push({ site: site.spec.name, startMs, endMs, planned });
    }
  }

  readonly #lastOutage = new Map<Site, number>();

  /** Share of the time, planned maintenance apart, that a site was in service, in %; 100 when all of it was planned. */
  availabilityPct(site: Site, endMs: EpochMs): number {
    const spanMs = endMs - this.#startMs;
    const dueMs = spanMs - this.#plannedMs[site.index];
    return dueMs === 0 ? 100 : (100 * (spanMs - this.#outMs[site.index])) / dueMs;
  }

  plannedOutagePct(site: Site, endMs: EpochMs): number {
    return (100 * this.#plannedMs[site.index]) / (endMs - this.#startMs);
  }

  row(site: Site, endMs: EpochMs, vpp: string | null): SiteRow {
    const meter = this.meters[site.index];
    const registers = meter.read(endMs);
    const kwh = (leaf: number) => toThousandths(registers[leaf]) / 1000;
    const resourceType = site.unit.kind === "dispatchable" ? "generator" : site.unit.kind;
    const isGenerator = resourceType === "generator";
    const reasons = [LEAF.fitCurtailed, LEAF.nonFirmCurtailed, LEAF.manualCurtailed, LEAF.otherCurtailed];
    return {
      site: site.spec.name,
      resourceType,
      vpp,
      importKwh: kwh(LEAF.import),
      exportKwh: kwh(LEAF.export),
      ...batteryFigures(meter, endMs - this.#startMs),
      availabilityPct: this.availabilityPct(site, endMs),
      plannedOutagePct: this.plannedOutagePct(site, endMs),
      curtailedKwh: isGenerator ? reasons.reduce((sum, leaf) => sum + toThousandths(registers[leaf]), 0) / 1000 : null,
      fitCurtailedKwh: isGenerator ? kwh(LEAF.fitCurtailed) : null,
      nonFirmCurtailedKwh: isGenerator ? kwh(LEAF.nonFirmCurtailed) : null,
      manualCurtailedKwh: isGenerator ? kwh(LEAF.manualCurtailed) : null,
      drDeliveredKwh: site.unit.kind === "consumer" ? kwh(LEAF.drDelivered) : null,
    };
  }
}

function batteryFigures(meter: SiteMeter, spanMs: number) {
  if (!(meter instanceof BatteryMeter))
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
  const { spec, law } = meter.unit;
  const pct = (kwh: number) => (100 * kwh) / spec.ratedCapKwh;
  return {
    throughputKwh: meter.cellInKwh + meter.cellOutKwh,
    equivalentFullCycles: meter.cellOutKwh / spec.dischargeEfficiency / spec.ratedCapKwh,
    socMinPct: pct(meter.storedMinKwh),
    socMeanPct: pct(meter.storedKwhMs / spanMs),
    socMaxPct: pct(meter.storedMaxKwh),
    socFinalPct: pct(law.storedKwhAt(meter.site.advancedMs)),
    minutesAtSocMin: meter.atMinMs / MS_PER_MINUTE,
    minutesAtSocMax: meter.atMaxMs / MS_PER_MINUTE,
    cyclesByDepth: meter.cycles.counts(),
  };
}
