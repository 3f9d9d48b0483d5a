import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { BatteryBatch } from "../../site/batch/batteryBatch.ts";
import type { BatchObserver, SiteBatch } from "../../site/batch/siteBatch.ts";
import type { BatteryMeter } from "../../site/components/battery/batteryMeter.ts";
import { newSegment } from "../../site/components/segment.ts";
import { REGISTER } from "../../site/meters/energyRegisters.ts";
import { newTrajectoryEnergy, type SharedTrajectoryMeter } from "../../site/meters/resourceMeter.ts";
import type { Site } from "../../site/site.ts";
import { DISPATCH_OUTCOME, type DispatchTable, type Instruction } from "../../vpp/instructions/instruction.ts";
import { baselineUntilMs, isSteady } from "../settlement/varyingMember.ts";
import type { SiteLedger } from "./siteLedger.ts";

/** What is known of the laws of arrays and loads that are alike, worked out for one of those that follow the law. */
class GroupEnergy extends Copyable {
  /** Number of the law that ended last, when, and what it brought. */
  endedTrajectory = 0;
  endedMs: EpochMs = Number.NaN;
  readonly energy = newTrajectoryEnergy();
  /** Number of the law that was asked last what it delivers, over which time, and kW; `Infinity` where that changes. */
  deliveredTrajectory = 0;
  fromMs: EpochMs = Number.NaN;
  toMs: EpochMs = Number.NaN;
  deliveredKw = Number.NaN;
}

/**
 * Registers and books of the sites that stand in a bank. Those of batteries go in and out with them, and are carried on in
 * the bank; arrays and loads go on with the meters they have.
 *
 * Cycles are not counted here: only for runs whose rows nobody wants.
 */
export class BatchLedger extends Copyable implements BatchObserver {
  batch!: SiteBatch;
  private batteries!: BatteryBatch;
  /** By group of the bank. */
  private groupEnergies: readonly GroupEnergy[] = [];
  private readonly siteLedger: SiteLedger;
  private readonly segment = newSegment();

  constructor(ledger: SiteLedger) {
    super();
    this.siteLedger = ledger;
  }

  onBatchCreated(bank: SiteBatch): void {
    this.batch = bank;
    this.batteries = bank.batteries;
    this.groupEnergies = Array.from({ length: bank.trajectoryCache.groupCount }, () => new GroupEnergy());
  }

  onBatched(site: Site): void {
    const { index } = site;
    if (this.batch.batchedBatteries[index] === 0) return;
    const battery = this.batteries.batteries[index];
    const { batteryRegisters: book, closedRegisters } = this.meterOf(site);
    battery.importKwh = closedRegisters[REGISTER.import];
    battery.exportKwh = closedRegisters[REGISTER.export];
    battery.baselineKwh = closedRegisters[REGISTER.baseline];
    battery.cellInKwh = book.cellInKwh;
    battery.cellOutKwh = book.cellOutKwh;
    battery.lowestStoredKwh = book.storedMinKwh;
    battery.highestStoredKwh = book.storedMaxKwh;
    battery.storedKwhMs = book.storedKwhMs;
    battery.atMinDurationMs = book.atMinMs;
    battery.atMaxDurationMs = book.atMaxMs;
    battery.fullThresholdKwh = book.fullThresholdKwh;
    battery.emptyThresholdKwh = book.emptyThresholdKwh;
  }

  onTrajectoryEnd({ index }: Site, orderKw: number, atMs: EpochMs): void {
    if (atMs <= this.batch.startMs[index]) return;
    const { trajectoryNumbers: laws, groups } = this.batch.trajectoryCache;
    const law = laws[index];
    const figures = this.groupEnergies[groups[index]];
    const meter = this.siteLedger.meters[index] as SharedTrajectoryMeter<Site>;
    if (figures.endedTrajectory === law && figures.endedMs === atMs) meter.closeWithEnergy(atMs, figures.energy);
    else {
      meter.closeAndMeasure(atMs, orderKw, figures.energy);
      figures.endedTrajectory = law;
      figures.endedMs = atMs;
    }
  }

  /**
   * What kept members deliver to a running instruction over a time without change of law: kW beyond the baseline, signed, or
   * `Infinity` where it changes; 0 for those that do not take part in its delta. NaN for members that are not kept.
   *
   * @returns their sum, which says nothing (`Infinity` or NaN) unless all members are kept and deliver steadily
   */
  readDeliveredKw(instruction: Instruction, fromMs: EpochMs, toMs: EpochMs, out: Float64Array): number {
    const { orderNumber: number, membership } = instruction;
    const { siteIndices: sites } = membership;
    const table = instruction.table as DispatchTable;
    const { batched: kept, batchedBatteries: keptBatteries, orderNumbers: orders, baselineKw } = this.batch;
    const { batteries: each } = this.batteries;
    let sumKw = 0;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      let deliveredKw = 0;
      if (kept[index] === 0) deliveredKw = Number.NaN;
      else if (orders[index] === number && table.deltaStatus(i) === DISPATCH_OUTCOME.dispatched) {
        if (keptBatteries[index] === 0) deliveredKw = this.resourceDeliveredKw(index, fromMs, toMs);
        else {
          const { boundMs, powerKw: kw, auxiliaryKw } = each[index];
          if (boundMs <= fromMs) deliveredKw = auxiliaryKw - baselineKw[index];
          else deliveredKw = boundMs < toMs ? Number.POSITIVE_INFINITY : kw - baselineKw[index];
        }
      }
      out[i] = deliveredKw;
      sumKw += deliveredKw;
    }
    return sumKw;
  }

  /** The same of an array or a load that executes it. */
  private resourceDeliveredKw(index: number, fromMs: EpochMs, toMs: EpochMs): number {
    const { trajectoryNumbers: laws, groups } = this.batch.trajectoryCache;
    const law = laws[index];
    const figures = this.groupEnergies[groups[index]];
    if (figures.deliveredTrajectory !== law || figures.fromMs !== fromMs || figures.toMs !== toMs) {
      figures.deliveredTrajectory = law;
      figures.fromMs = fromMs;
      figures.toMs = toMs;
      figures.deliveredKw = this.constantDeliveredKw(index, fromMs, toMs);
    }
    return figures.deliveredKw;
  }

  private constantDeliveredKw(index: number, fromMs: EpochMs, toMs: EpochMs): number {
    const { segment: stretch } = this;
    const { site } = this.siteLedger.meters[index];
    site.resource.segmentAt(fromMs, stretch);
    const untilMs = Math.min(stretch.endMs, this.baselineUntilMs(site, fromMs));
    if (untilMs < toMs || !isSteady(stretch)) return Number.POSITIVE_INFINITY;
    return stretch.kw - this.baselineKw(site, fromMs);
  }

  /** The baseline that a kept site reports: a load that of its slot, whatever it executes. */
  baselineKw(site: Site, atMs: EpochMs): number {
    return site.resource.load !== null ? site.reportedBaselineKw(atMs) : this.batch.baselineKw[site.index];
  }

  /** Until when it stays as it is. */
  baselineUntilMs(site: Site, atMs: EpochMs): EpochMs {
    return site.resource.load !== null ? baselineUntilMs(site, atMs) : Number.POSITIVE_INFINITY;
  }

  /** Cumulative kWh in less kWh out of a kept site, at an instant of the present law. */
  netImportKwh(index: number, atMs: EpochMs): number {
    const { startMs, batchedBatteries: keptBatteries, baselineKw } = this.batch;
    if (keptBatteries[index] === 1) return this.batteries.batteries[index].netImportKwh(startMs[index], atMs);
    const registers = this.siteLedger.meters[index].read(atMs, baselineKw[index]);
    return registers[REGISTER.import] - registers[REGISTER.export];
  }

  onEvicted(site: Site, lawBeganMs: EpochMs): void {
    const { index } = site;
    this.siteLedger.resume(site, lawBeganMs);
    if (this.batch.batchedBatteries[index] === 0) return;
    const battery = this.batteries.batteries[index];
    const meter = this.meterOf(site);
    const { batteryRegisters: book, closedRegisters } = meter;
    closedRegisters[REGISTER.import] = battery.importKwh;
    closedRegisters[REGISTER.export] = battery.exportKwh;
    closedRegisters[REGISTER.baseline] = battery.baselineKwh;
    book.cellInKwh = battery.cellInKwh;
    book.cellOutKwh = battery.cellOutKwh;
    book.storedMinKwh = battery.lowestStoredKwh;
    book.storedMaxKwh = battery.highestStoredKwh;
    book.storedKwhMs = battery.storedKwhMs;
    book.atMinMs = battery.atMinDurationMs;
    book.atMaxMs = battery.atMaxDurationMs;
    meter.resume(lawBeganMs);
  }

  /** Has a site that stands in the bank go on by itself; not between two laws. */
  evictSite(site: Site): void {
    if (this.batch.batched[site.index] === 0) return;
    const isUnsettled = this.batch.evict(site);
    assert(!isUnsettled, "a site leaves the bank under the law that holds");
  }

  private meterOf(site: Site): BatteryMeter<Site> {
    return this.siteLedger.meters[site.index] as BatteryMeter<Site>;
  }
}
