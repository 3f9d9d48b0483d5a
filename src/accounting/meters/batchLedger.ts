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

/** Energy of the trajectory shared by a group of equal generators or loads, computed for one of them and reused. */
class GroupEnergy extends Copyable {
  /** Number of the trajectory that ended last, its end, and its energy. */
  endedTrajectory = 0;
  endedMs: EpochMs = Number.NaN;
  readonly energy = newTrajectoryEnergy();
  /** Number of the trajectory whose delivery was read last, the period, and the kW; `Infinity` where it varies. */
  deliveredTrajectory = 0;
  fromMs: EpochMs = Number.NaN;
  toMs: EpochMs = Number.NaN;
  deliveredKw = Number.NaN;
}

/**
 * Registers of batched sites. The registers of batteries are copied into the batch on entry and back on eviction;
 * generators and loads continue to use their own meters.
 *
 * Cycles are not counted, so this ledger serves only runs without site rows.
 */
export class BatchLedger extends Copyable implements BatchObserver {
  batch!: SiteBatch;
  private batteries!: BatteryBatch;
  /** By group of the trajectory cache. */
  private groupEnergies: readonly GroupEnergy[] = [];
  private readonly siteLedger: SiteLedger;
  private readonly segment = newSegment();

  constructor(ledger: SiteLedger) {
    super();
    this.siteLedger = ledger;
  }

  onBatchCreated(batch: SiteBatch): void {
    this.batch = batch;
    this.batteries = batch.batteries;
    this.groupEnergies = Array.from({ length: batch.trajectoryCache.groupCount }, () => new GroupEnergy());
  }

  onBatched(site: Site): void {
    const { index } = site;
    if (this.batch.batchedBatteries[index] === 0) return;
    const battery = this.batteries.batteries[index];
    const { batteryRegisters, closedRegisters } = this.meterOf(site);
    battery.importKwh = closedRegisters[REGISTER.import];
    battery.exportKwh = closedRegisters[REGISTER.export];
    battery.baselineKwh = closedRegisters[REGISTER.baseline];
    battery.cellInKwh = batteryRegisters.cellInKwh;
    battery.cellOutKwh = batteryRegisters.cellOutKwh;
    battery.lowestStoredKwh = batteryRegisters.storedMinKwh;
    battery.highestStoredKwh = batteryRegisters.storedMaxKwh;
    battery.storedKwhMs = batteryRegisters.storedKwhMs;
    battery.atMinDurationMs = batteryRegisters.atMinMs;
    battery.atMaxDurationMs = batteryRegisters.atMaxMs;
    battery.fullThresholdKwh = batteryRegisters.fullThresholdKwh;
    battery.emptyThresholdKwh = batteryRegisters.emptyThresholdKwh;
  }

  onTrajectoryEnd({ index }: Site, orderKw: number, atMs: EpochMs): void {
    if (atMs <= this.batch.startMs[index]) return;
    const { trajectoryNumbers, groups } = this.batch.trajectoryCache;
    const trajectoryNumber = trajectoryNumbers[index];
    const groupEnergy = this.groupEnergies[groups[index]];
    const meter = this.siteLedger.meters[index] as SharedTrajectoryMeter<Site>;
    if (groupEnergy.endedTrajectory === trajectoryNumber && groupEnergy.endedMs === atMs)
      meter.closeWithEnergy(atMs, groupEnergy.energy);
    else {
      meter.closeAndMeasure(atMs, orderKw, groupEnergy.energy);
      groupEnergy.endedTrajectory = trajectoryNumber;
      groupEnergy.endedMs = atMs;
    }
  }

  /**
   * Fills `out` with the power that batched members deliver to a running instruction, over a period within their present
   * trajectories. Signed kW relative to the baseline; `Infinity` where it varies; 0 without participation in the delta; NaN
   * for members that are not batched.
   *
   * @returns the sum, which is finite only if all members are batched and deliver constant power
   */
  readDeliveredKw(instruction: Instruction, fromMs: EpochMs, toMs: EpochMs, out: Float64Array): number {
    const { orderNumber: number, membership } = instruction;
    const { siteIndices: sites } = membership;
    const table = instruction.table as DispatchTable;
    const { batched, batchedBatteries, orderNumbers, baselineKw } = this.batch;
    const { batteries } = this.batteries;
    let sumKw = 0;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      let deliveredKw = 0;
      if (batched[index] === 0) deliveredKw = Number.NaN;
      else if (orderNumbers[index] === number && table.deltaStatus(i) === DISPATCH_OUTCOME.dispatched) {
        if (batchedBatteries[index] === 0) deliveredKw = this.resourceDeliveredKw(index, fromMs, toMs);
        else {
          const { boundMs, powerKw: kw, auxiliaryKw } = batteries[index];
          if (boundMs <= fromMs) deliveredKw = auxiliaryKw - baselineKw[index];
          else deliveredKw = boundMs < toMs ? Number.POSITIVE_INFINITY : kw - baselineKw[index];
        }
      }
      out[i] = deliveredKw;
      sumKw += deliveredKw;
    }
    return sumKw;
  }

  /** `readDeliveredKw` for a generator or a load that executes the instruction. */
  private resourceDeliveredKw(index: number, fromMs: EpochMs, toMs: EpochMs): number {
    const { trajectoryNumbers, groups } = this.batch.trajectoryCache;
    const trajectoryNumber = trajectoryNumbers[index];
    const groupEnergy = this.groupEnergies[groups[index]];
    if (
      groupEnergy.deliveredTrajectory !== trajectoryNumber ||
      groupEnergy.fromMs !== fromMs ||
      groupEnergy.toMs !== toMs
    ) {
      groupEnergy.deliveredTrajectory = trajectoryNumber;
      groupEnergy.fromMs = fromMs;
      groupEnergy.toMs = toMs;
      groupEnergy.deliveredKw = this.constantDeliveredKw(index, fromMs, toMs);
    }
    return groupEnergy.deliveredKw;
  }

  private constantDeliveredKw(index: number, fromMs: EpochMs, toMs: EpochMs): number {
    const { segment } = this;
    const { site } = this.siteLedger.meters[index];
    site.resource.segmentAt(fromMs, segment);
    const untilMs = Math.min(segment.endMs, this.baselineUntilMs(site, fromMs));
    if (untilMs < toMs || !isSteady(segment)) return Number.POSITIVE_INFINITY;
    return segment.kw - this.baselineKw(site, fromMs);
  }

  /** The reported baseline of a batched site, in kW; for a load, always that of its slot. */
  baselineKw(site: Site, atMs: EpochMs): number {
    return site.resource.load !== null ? site.reportedBaselineKw(atMs) : this.batch.baselineKw[site.index];
  }

  /** End of the period in which the reported baseline is constant. */
  baselineUntilMs(site: Site, atMs: EpochMs): EpochMs {
    return site.resource.load !== null ? baselineUntilMs(site, atMs) : Number.POSITIVE_INFINITY;
  }

  /** Cumulative import minus export of a batched site, in kWh, at an instant of the present trajectory. */
  netImportKwh(index: number, atMs: EpochMs): number {
    const { startMs, batchedBatteries, baselineKw } = this.batch;
    if (batchedBatteries[index] === 1) return this.batteries.batteries[index].netImportKwh(startMs[index], atMs);
    const registers = this.siteLedger.meters[index].read(atMs, baselineKw[index]);
    return registers[REGISTER.import] - registers[REGISTER.export];
  }

  onEvicted(site: Site, trajectoryStartMs: EpochMs): void {
    const { index } = site;
    this.siteLedger.resume(site, trajectoryStartMs);
    if (this.batch.batchedBatteries[index] === 0) return;
    const battery = this.batteries.batteries[index];
    const meter = this.meterOf(site);
    const { batteryRegisters, closedRegisters } = meter;
    closedRegisters[REGISTER.import] = battery.importKwh;
    closedRegisters[REGISTER.export] = battery.exportKwh;
    closedRegisters[REGISTER.baseline] = battery.baselineKwh;
    batteryRegisters.cellInKwh = battery.cellInKwh;
    batteryRegisters.cellOutKwh = battery.cellOutKwh;
    batteryRegisters.storedMinKwh = battery.lowestStoredKwh;
    batteryRegisters.storedMaxKwh = battery.highestStoredKwh;
    batteryRegisters.storedKwhMs = battery.storedKwhMs;
    batteryRegisters.atMinMs = battery.atMinDurationMs;
    batteryRegisters.atMaxMs = battery.atMaxDurationMs;
    meter.resume(trajectoryStartMs);
  }

  /** Evicts a batched site. Must not be called between two trajectories. */
  evictSite(site: Site): void {
    if (this.batch.batched[site.index] === 0) return;
    const isUnsettled = this.batch.evict(site);
    assert(!isUnsettled, "a site must leave the batch during a trajectory, not between two");
  }

  private meterOf(site: Site): BatteryMeter<Site> {
    return this.siteLedger.meters[site.index] as BatteryMeter<Site>;
  }
}
