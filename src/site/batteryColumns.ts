import { Copyable } from "../base/copyState.ts";
import { floorToTenths } from "../base/rounding.ts";
import { type EpochMs, MS_PER_HOUR } from "../base/time.ts";
import { BOUND_KWH, SAME, storedMaxKwh, storedMinKwh } from "../device/batteryCapability.ts";
import type { BatterySpec } from "../device/batterySpec.ts";
import { shareBeyond } from "../device/stepFold.ts";
import type { BatteryUnit } from "./batteryUnit.ts";
import { BINDS, type Stretch } from "./stretch.ts";

/** What batteries of a bank are to do, by the index of their sites. */
export interface BatteryTargets {
  readonly baselineKw: Float64Array;
  readonly deltaKw: Float64Array;
  /** When the law begins. */
  readonly startMs: Float64Array;
  /** 1 where one law has ended and the next has not begun. */
  readonly unsettled: Uint8Array;
}

/** Members of a VPP; columns have one entry for each. */
export interface AskedMembers {
  readonly sites: Int32Array;
  readonly weights: Float64Array;
  readonly baselineKw: Float64Array;
}

/** Those of them that share a request. */
export interface SharerLists {
  /** By member: 0 for those that do not, 1 for those that do by a battery that stands in a bank. */
  readonly marks: Uint8Array;
  /** Place among the members, weight, and tenths of kW that it can take, of each sharer. */
  readonly sharers: Int32Array;
  readonly weights: Float64Array;
  readonly capsTenths: Int32Array;
}

/**
 * Batteries without taper, ramp and self-discharge, in columns instead of objects: such a battery has one power until its
 * store is full or empty, and none after. The numbers are those of `planPlainBattery` and `BatteryUnit`, and its registers
 * those of `BatteryMeter` and `BatteryBook`, to the last digit.
 *
 * All columns have an entry for each site of the world, by its index; those of other sites mean nothing.
 */
export class BatteryColumns extends Copyable {
  readonly storedKwh: Float64Array;
  /** kW at the grid point until `boundMs`, auxiliaries included. */
  readonly kw: Float64Array;
  readonly storedKwhPerMs: Float64Array;
  /** When the store is full or empty, and how long after the start; real numbers, `Infinity` where it does not get there. */
  readonly boundMs: Float64Array;
  readonly boundAfterMs: Float64Array;
  readonly auxiliaryKw: Float64Array;
  readonly fullKwh: Float64Array;
  readonly emptyKwh: Float64Array;
  /** The most that the cells may take in and give out, grid limits included. */
  private readonly importKw: Float64Array;
  private readonly exportKw: Float64Array;
  /** Of them, what the VPP may count with: nothing goes out where power must not flow back. */
  private readonly marketedExportKw: Float64Array;
  private readonly chargeKwhPerKwMs: Float64Array;
  private readonly dischargeKwhPerKwMs: Float64Array;
  /** Up to the last change of law: kWh at the grid point, and of the reported baseline. */
  readonly importKwh: Float64Array;
  readonly exportKwh: Float64Array;
  readonly baselineKwh: Float64Array;
  /** kWh at the AC side of the cells. */
  readonly cellInKwh: Float64Array;
  readonly cellOutKwh: Float64Array;
  /** How empty and how full the stores were, and for how long beyond the two below. */
  readonly lowestKwh: Float64Array;
  readonly highestKwh: Float64Array;
  readonly storedKwhMs: Float64Array;
  readonly atMinMs: Float64Array;
  readonly atMaxMs: Float64Array;
  /** Stored energies from which on a store counts as full, and as empty. */
  readonly countsFullKwh: Float64Array;
  readonly countsEmptyKwh: Float64Array;
  /** A single one to be planned. */
  private readonly one = new Int32Array(1);

  constructor(length: number) {
    super();
    const column = () => new Float64Array(length);
    this.storedKwh = column();
    this.kw = column();
    this.storedKwhPerMs = column();
    this.boundMs = column();
    this.boundAfterMs = column();
    this.auxiliaryKw = column();
    this.fullKwh = column();
    this.emptyKwh = column();
    this.importKw = column();
    this.exportKw = column();
    this.marketedExportKw = column();
    this.chargeKwhPerKwMs = column();
    this.dischargeKwhPerKwMs = column();
    this.importKwh = column();
    this.exportKwh = column();
    this.baselineKwh = column();
    this.cellInKwh = column();
    this.cellOutKwh = column();
    this.lowestKwh = column();
    this.highestKwh = column();
    this.storedKwhMs = column();
    this.atMinMs = column();
    this.atMaxMs = column();
    this.countsFullKwh = column();
    this.countsEmptyKwh = column();
  }

  /** Notes what of a battery never changes. @param mayFlowBack  whether power may go out of its site */
  measure(index: number, unit: BatteryUnit, mayFlowBack: boolean): void {
    const spec: BatterySpec = unit.spec;
    this.auxiliaryKw[index] = spec.auxiliaryKw;
    this.fullKwh[index] = storedMaxKwh(spec);
    this.emptyKwh[index] = storedMinKwh(spec);
    this.importKw[index] = Math.min(spec.importMaxKw, unit.importLimitKw);
    this.exportKw[index] = Math.min(spec.exportMaxKw, unit.gridExportKw);
    this.marketedExportKw[index] = mayFlowBack ? this.exportKw[index] : 0;
    this.chargeKwhPerKwMs[index] = spec.chargeEfficiency / MS_PER_HOUR;
    this.dischargeKwhPerKwMs[index] = 1 / spec.dischargeEfficiency / MS_PER_HOUR;
  }

  /**
   * Ends the laws of these batteries: stores and registers are brought to the instant. The loop calls nothing, and looks up
   * each column once: it runs for every battery of every award.
   */
  close(indices: Int32Array, count: number, { baselineKw, startMs, unsettled }: BatteryTargets, atMs: EpochMs): void {
    const { boundMs, kw, auxiliaryKw, storedKwh, storedKwhPerMs, importKwh, exportKwh, baselineKwh } = this;
    const { cellInKwh, cellOutKwh, lowestKwh, highestKwh, storedKwhMs, atMinMs, atMaxMs } = this;
    const { countsFullKwh, countsEmptyKwh } = this;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      const spanMs = atMs - startMs[index];
      unsettled[index] = 1;
      startMs[index] = atMs;
      const fromKwh = storedKwh[index];
      const toKwh = fromKwh + storedKwhPerMs[index] * spanMs;
      storedKwh[index] = atMs < boundMs[index] ? toKwh : this.boundKwh(index);
      if (spanMs <= 0) continue;
      baselineKwh[index] += (baselineKw[index] * spanMs) / MS_PER_HOUR;
      if (boundMs[index] < atMs) {
        this.foldBound(index, fromKwh, spanMs);
        continue;
      }
      const kwh = (kw[index] * spanMs) / MS_PER_HOUR;
      if (kwh > 0) importKwh[index] += kwh;
      else exportKwh[index] -= kwh;
      const cellKwh = ((kw[index] - auxiliaryKw[index]) * spanMs) / MS_PER_HOUR;
      if (cellKwh > 0) cellInKwh[index] += cellKwh;
      else cellOutKwh[index] -= cellKwh;
      const low = Math.min(fromKwh, toKwh);
      const high = Math.max(fromKwh, toKwh);
      if (low < lowestKwh[index]) lowestKwh[index] = low;
      if (high > highestKwh[index]) highestKwh[index] = high;
      storedKwhMs[index] += 0.5 * (fromKwh + toKwh) * spanMs;
      const overKwh = high - countsFullKwh[index];
      if (overKwh >= 0) atMaxMs[index] += shareBeyond(overKwh, high - low) * spanMs;
      const underKwh = countsEmptyKwh[index] - low;
      if (underKwh >= 0) atMinMs[index] += shareBeyond(underKwh, high - low) * spanMs;
    }
  }

  /** One power until the store is full or empty, then what the auxiliaries take. */
  private foldBound(index: number, fromKwh: number, spanMs: number): void {
    const workMs = this.boundAfterMs[index];
    const restMs = spanMs - workMs;
    this.importKwh[index] += this.boundImportKwh(index, spanMs);
    this.exportKwh[index] += this.boundExportKwh(index);
    const cellKwMs = (this.kw[index] - this.auxiliaryKw[index]) * workMs;
    if (0 < cellKwMs) this.cellInKwh[index] += cellKwMs / MS_PER_HOUR;
    else this.cellOutKwh[index] -= cellKwMs / MS_PER_HOUR;
    const toKwh = fromKwh + this.storedKwhPerMs[index] * workMs;
    const boundKwh = this.boundKwh(index);
    this.lowestKwh[index] = Math.min(this.lowestKwh[index], fromKwh, toKwh, boundKwh);
    this.highestKwh[index] = Math.max(this.highestKwh[index], fromKwh, toKwh, boundKwh);
    this.storedKwhMs[index] += 0.5 * (fromKwh + toKwh) * workMs + boundKwh * restMs;
    const low = Math.min(fromKwh, toKwh);
    const high = Math.max(fromKwh, toKwh);
    const overKwh = high - this.countsFullKwh[index];
    const underKwh = this.countsEmptyKwh[index] - low;
    const maxMs = overKwh >= 0 ? shareBeyond(overKwh, high - low) * workMs : 0;
    const minMs = underKwh >= 0 ? shareBeyond(underKwh, high - low) * workMs : 0;
    this.atMaxMs[index] += maxMs + (this.countsFullKwh[index] <= boundKwh ? restMs : 0);
    this.atMinMs[index] += minMs + (boundKwh <= this.countsEmptyKwh[index] ? restMs : 0);
  }

  private boundImportKwh(index: number, spanMs: number): number {
    const { kw, auxiliaryKw, boundAfterMs } = this;
    const workMs = boundAfterMs[index];
    const workKwMs = kw[index] <= 0 ? 0 : kw[index] * workMs;
    return (workKwMs + auxiliaryKw[index] * (spanMs - workMs)) / MS_PER_HOUR;
  }

  private boundExportKwh(index: number): number {
    const { kw, boundAfterMs } = this;
    return (0 <= kw[index] ? 0 : -kw[index] * boundAfterMs[index]) / MS_PER_HOUR;
  }

  /** Cumulative kWh in less kWh out, at an instant of the present law. */
  netImportKwh(index: number, startMs: EpochMs, atMs: EpochMs): number {
    const spanMs = atMs - startMs;
    let importKwh = this.importKwh[index];
    let exportKwh = this.exportKwh[index];
    if (this.boundMs[index] < atMs) {
      importKwh += this.boundImportKwh(index, spanMs);
      exportKwh += this.boundExportKwh(index);
    } else {
      const kwh = (this.kw[index] * spanMs) / MS_PER_HOUR;
      if (kwh > 0) importKwh += kwh;
      else exportKwh -= kwh;
    }
    return importKwh - exportKwh;
  }

  /** The bound that the store of a battery at work goes to. */
  boundKwh(index: number): number {
    return 0 < this.storedKwhPerMs[index] ? this.fullKwh[index] : this.emptyKwh[index];
  }

  /** kW at an instant of the present law. */
  kwAt(index: number, atMs: EpochMs): number {
    return atMs < this.boundMs[index] ? this.kw[index] : this.auxiliaryKw[index];
  }

  /** As `Unit.stretchAt`; what binds is not told. */
  stretchAt(index: number, startMs: EpochMs, atMs: EpochMs, out: Stretch): void {
    const isAtBound = this.boundMs[index] <= atMs;
    out.originMs = isAtBound ? this.boundMs[index] : startMs;
    out.endMs = isAtBound ? Number.POSITIVE_INFINITY : this.boundMs[index];
    out.kw = this.kwAt(index, atMs);
    out.kwPerMs = 0;
    out.kwPerMs2 = 0;
    out.ratePerMs = 0;
    out.binds = BINDS.free;
    out.keeps = 0;
  }

  /**
   * Lists the members that are marked, in order, with their weights; for those with batteries here also by how many tenths
   * of kW they can leave their baselines, at least 0. @see vpp/capability.ts
   *
   * @param up  whether they are to take more, or to give more
   * @returns how many
   */
  listSharers({ sites, weights, baselineKw }: AskedMembers, up: boolean, lists: SharerLists): number {
    const { storedKwh, fullKwh, emptyKwh, importKw, marketedExportKw } = this;
    const { marks, sharers, weights: sharing, capsTenths } = lists;
    let count = 0;
    for (let i = 0; i < sites.length; i++) {
      if (marks[i] === 0) continue;
      if (marks[i] === 1) {
        const index = sites[i];
        const baseKw = baselineKw[i];
        const fromKwh = storedKwh[index];
        let freeKw: number;
        if (up) freeKw = (fullKwh[index] - BOUND_KWH <= fromKwh ? 0 : importKw[index]) - baseKw;
        else freeKw = (fromKwh <= emptyKwh[index] + BOUND_KWH ? 0 : marketedExportKw[index]) + baseKw;
        capsTenths[count] = floorToTenths(Math.max(0, freeKw));
      }
      sharing[count] = weights[i];
      sharers[count++] = i;
    }
    return count;
  }

  /** As `plan`, for one that is unsettled. @returns whether it goes on */
  planOne(index: number, targets: BatteryTargets): boolean {
    this.one[0] = index;
    return this.plan(this.one, 1, targets) === 1;
  }

  /**
   * As `planPlainBattery`, for those of these batteries that are unsettled; where it is no such case they stay so. The
   * loop calls nothing, and looks up each column once: it runs for every battery of every award.
   *
   * @returns how many of them go on
   */
  plan(indices: Int32Array, count: number, targets: BatteryTargets): number {
    const { baselineKw, deltaKw, startMs, unsettled } = targets;
    const { storedKwh, kw, storedKwhPerMs, boundMs, boundAfterMs, auxiliaryKw, fullKwh, emptyKwh } = this;
    const { importKw, exportKw, chargeKwhPerKwMs, dischargeKwhPerKwMs } = this;
    let planned = 0;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      if (unsettled[index] === 0) continue;
      const targetKw = baselineKw[index] + deltaKw[index];
      const wantedKw = Math.abs(targetKw);
      // A target within rounding of 0, or none, is the general planner's.
      if (!(SAME < wantedKw) && targetKw !== 0) continue;
      const charging = 0 < targetKw;
      const capKw = charging ? importKw[index] : exportKw[index];
      const fromKwh = storedKwh[index];
      const boundKwh = charging ? fullKwh[index] : emptyKwh[index];
      const isAtBound = charging ? boundKwh - BOUND_KWH <= fromKwh : fromKwh <= boundKwh + BOUND_KWH;
      if (wantedKw <= SAME || capKw <= SAME || isAtBound) {
        kw[index] = auxiliaryKw[index];
        storedKwhPerMs[index] = 0;
        boundMs[index] = Number.POSITIVE_INFINITY;
        boundAfterMs[index] = Number.POSITIVE_INFINITY;
      } else {
        const flowingKw = Math.min(wantedKw, capKw);
        const kwhPerMs = (charging ? chargeKwhPerKwMs[index] : dischargeKwhPerKwMs[index]) * flowingKw;
        const afterMs = Math.abs(boundKwh - fromKwh) / kwhPerMs;
        const signedKwhPerMs = charging ? kwhPerMs : -kwhPerMs;
        if (SAME < Math.abs(fromKwh + signedKwhPerMs * afterMs - boundKwh)) continue;
        kw[index] = (charging ? flowingKw : -flowingKw) + auxiliaryKw[index];
        storedKwhPerMs[index] = signedKwhPerMs;
        boundMs[index] = startMs[index] + afterMs;
        boundAfterMs[index] = afterMs;
      }
      unsettled[index] = 0;
      planned++;
    }
    return planned;
  }
}
