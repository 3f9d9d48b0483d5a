import { Copyable } from "../../base/copyState.ts";
import { floorToTenths } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import {
  EQUALITY_TOLERANCE,
  STORAGE_BOUND_TOLERANCE_KWH,
  storedMaxKwh,
  storedMinKwh,
} from "../../device/battery/batteryCapability.ts";
import { fractionBeyond } from "../../device/curve/integrateSteppedTrajectory.ts";
import type { BatchBattery } from "../components/capabilities.ts";
import { LIMITING_FACTOR, type Segment, setLinearSegment } from "../components/segment.ts";
import type { Site } from "../site.ts";

/** What batteries of a bank are to do, by the index of their sites. */
export interface BatterySetpoints {
  readonly baselineKw: Float64Array;
  readonly deltaKw: Float64Array;
  /** When the law begins. */
  readonly startMs: Float64Array;
  /** 1 where one law has ended and the next has not begun. */
  readonly replanDue: Uint8Array;
}

/** Members of a VPP; columns have one entry for each. */
export interface MemberColumns {
  readonly siteIndices: Int32Array;
  readonly weights: Float64Array;
  readonly baselineKw: Float64Array;
}

/** Those of them that share a request. */
export interface BatteryParticipantLists {
  /** By member: 0 for those that do not, 1 for those that do by a battery of the bank, 2 for those that do otherwise. */
  readonly participation: Uint8Array;
  /** Place among the members, weight, and tenths of kW that it can take, of each sharer. */
  readonly participants: Int32Array;
  readonly weights: Float64Array;
  readonly capabilityTenths: Int32Array;
}

/**
 * A battery without taper, ramp and self-discharge: it has one power until its store is full or empty, and none after. Its
 * numbers are those of `planConstantPower` and `BatteryComponent`, its registers those of `BatteryMeter` and `BatteryRegisters`, to the
 * last digit.
 */
export class BatchedBattery extends Copyable {
  storedKwh = Number.NaN;
  /** kW at the grid point until `boundMs`, auxiliaries included. */
  powerKw = Number.NaN;
  storedKwhPerMs = Number.NaN;
  /** When the store is full or empty, and how long after the start; real numbers, `Infinity` where it does not get there. */
  boundMs = Number.NaN;
  boundAfterMs = Number.NaN;
  auxiliaryKw = Number.NaN;
  fullKwh = Number.NaN;
  emptyKwh = Number.NaN;
  /** The most that the cells may take in and give out, grid limits included. */
  importMaxKw = Number.NaN;
  exportMaxKw = Number.NaN;
  /** Of it, what the VPP may count with: nothing goes out where power must not flow back. */
  marketedExportKw = Number.NaN;
  chargeKwhPerKwMs = Number.NaN;
  dischargeKwhPerKwMs = Number.NaN;
  /** Up to the last change of law: kWh at the grid point, and of the reported baseline. */
  importKwh = Number.NaN;
  exportKwh = Number.NaN;
  baselineKwh = Number.NaN;
  /** kWh at the AC side of the cells. */
  cellInKwh = Number.NaN;
  cellOutKwh = Number.NaN;
  /** How empty and how full the store was, and for how long beyond the two below. */
  lowestStoredKwh = Number.NaN;
  highestStoredKwh = Number.NaN;
  storedKwhMs = Number.NaN;
  atMinDurationMs = Number.NaN;
  atMaxDurationMs = Number.NaN;
  /** Stored energies from which on the store counts as full, and as empty. */
  fullThresholdKwh = Number.NaN;
  emptyThresholdKwh = Number.NaN;

  /** Notes what never changes. @param mayFlowBack  whether power may go out of its site */
  setRatings({ spec, importLimitKw, gridExportKw }: BatchBattery, mayFlowBack: boolean): void {
    this.auxiliaryKw = spec.auxiliaryKw;
    this.fullKwh = storedMaxKwh(spec);
    this.emptyKwh = storedMinKwh(spec);
    this.importMaxKw = Math.min(spec.importMaxKw, importLimitKw);
    this.exportMaxKw = Math.min(spec.exportMaxKw, gridExportKw);
    this.marketedExportKw = mayFlowBack ? this.exportMaxKw : 0;
    this.chargeKwhPerKwMs = spec.chargeEfficiency / MS_PER_HOUR;
    this.dischargeKwhPerKwMs = 1 / spec.dischargeEfficiency / MS_PER_HOUR;
  }

  /** The bound that the store goes to while the battery is at work. */
  get boundKwh(): number {
    return 0 < this.storedKwhPerMs ? this.fullKwh : this.emptyKwh;
  }

  /** Adds up one power until the store was full or empty, then what the auxiliaries took. */
  integrateToBound(fromKwh: number, spanMs: number): void {
    const { boundKwh } = this;
    const workMs = this.boundAfterMs;
    const restMs = spanMs - workMs;
    this.importKwh += this.boundImportKwh(spanMs);
    this.exportKwh += this.boundExportKwh;
    const cellKwMs = (this.powerKw - this.auxiliaryKw) * workMs;
    if (0 < cellKwMs) this.cellInKwh += cellKwMs / MS_PER_HOUR;
    else this.cellOutKwh -= cellKwMs / MS_PER_HOUR;
    const toKwh = fromKwh + this.storedKwhPerMs * workMs;
    this.lowestStoredKwh = Math.min(this.lowestStoredKwh, fromKwh, toKwh, boundKwh);
    this.highestStoredKwh = Math.max(this.highestStoredKwh, fromKwh, toKwh, boundKwh);
    this.storedKwhMs += 0.5 * (fromKwh + toKwh) * workMs + boundKwh * restMs;
    const low = Math.min(fromKwh, toKwh);
    const high = Math.max(fromKwh, toKwh);
    const overKwh = high - this.fullThresholdKwh;
    const underKwh = this.emptyThresholdKwh - low;
    const maxMs = overKwh >= 0 ? fractionBeyond(overKwh, high - low) * workMs : 0;
    const minMs = underKwh >= 0 ? fractionBeyond(underKwh, high - low) * workMs : 0;
    this.atMaxDurationMs += maxMs + (this.fullThresholdKwh <= boundKwh ? restMs : 0);
    this.atMinDurationMs += minMs + (boundKwh <= this.emptyThresholdKwh ? restMs : 0);
  }

  private boundImportKwh(spanMs: number): number {
    const workMs = this.boundAfterMs;
    const workKwMs = this.powerKw <= 0 ? 0 : this.powerKw * workMs;
    return (workKwMs + this.auxiliaryKw * (spanMs - workMs)) / MS_PER_HOUR;
  }

  private get boundExportKwh(): number {
    return (0 <= this.powerKw ? 0 : -this.powerKw * this.boundAfterMs) / MS_PER_HOUR;
  }

  /** Cumulative kWh in less kWh out, at an instant of the present law. */
  netImportKwh(startMs: EpochMs, atMs: EpochMs): number {
    const spanMs = atMs - startMs;
    let { importKwh, exportKwh } = this;
    if (this.boundMs < atMs) {
      importKwh += this.boundImportKwh(spanMs);
      exportKwh += this.boundExportKwh;
    } else {
      const kwh = (this.powerKw * spanMs) / MS_PER_HOUR;
      if (kwh > 0) importKwh += kwh;
      else exportKwh -= kwh;
    }
    return importKwh - exportKwh;
  }

  /** As `Unit.segmentAt`; what binds is not told. */
  segmentAt(startMs: EpochMs, atMs: EpochMs, out: Segment): void {
    const isAtBound = this.boundMs <= atMs;
    const fromMs = isAtBound ? this.boundMs : startMs;
    const endMs = isAtBound ? Number.POSITIVE_INFINITY : this.boundMs;
    setLinearSegment(out, fromMs, endMs, isAtBound ? this.auxiliaryKw : this.powerKw, 0, LIMITING_FACTOR.none);
  }
}

/** The batteries of a bank. */
export class BatteryBatch extends Copyable {
  /** By the index of their sites; what stands for other sites means nothing. */
  readonly batteries: readonly BatchedBattery[];
  /** A single one to be planned. */
  private readonly singleIndex = new Int32Array(1);

  constructor(sites: readonly Site[]) {
    super();
    const none = new BatchedBattery();
    this.batteries = sites.map(({ resource: unit, spec }) => {
      if (unit.batchBattery === null) return none;
      const battery = new BatchedBattery();
      battery.setRatings(unit.batchBattery, spec.capability.reverseFlowAllowed);
      return battery;
    });
  }

  /**
   * Ends the laws of these batteries: stores and registers are brought to the instant. The loop is flat:
   * it runs for every battery of every award.
   */
  closeTrajectories(
    indices: Int32Array,
    count: number,
    { baselineKw, startMs, replanDue: unsettled }: BatterySetpoints,
    atMs: EpochMs,
  ): void {
    const { batteries: each } = this;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      const battery = each[index];
      const spanMs = atMs - startMs[index];
      unsettled[index] = 1;
      startMs[index] = atMs;
      const fromKwh = battery.storedKwh;
      const toKwh = fromKwh + battery.storedKwhPerMs * spanMs;
      battery.storedKwh = atMs < battery.boundMs ? toKwh : battery.boundKwh;
      if (spanMs <= 0) continue;
      battery.baselineKwh += (baselineKw[index] * spanMs) / MS_PER_HOUR;
      if (battery.boundMs < atMs) {
        battery.integrateToBound(fromKwh, spanMs);
        continue;
      }
      const kwh = (battery.powerKw * spanMs) / MS_PER_HOUR;
      if (kwh > 0) battery.importKwh += kwh;
      else battery.exportKwh -= kwh;
      const cellKwh = ((battery.powerKw - battery.auxiliaryKw) * spanMs) / MS_PER_HOUR;
      if (cellKwh > 0) battery.cellInKwh += cellKwh;
      else battery.cellOutKwh -= cellKwh;
      const low = Math.min(fromKwh, toKwh);
      const high = Math.max(fromKwh, toKwh);
      if (low < battery.lowestStoredKwh) battery.lowestStoredKwh = low;
      if (high > battery.highestStoredKwh) battery.highestStoredKwh = high;
      battery.storedKwhMs += 0.5 * (fromKwh + toKwh) * spanMs;
      const overKwh = high - battery.fullThresholdKwh;
      if (overKwh >= 0) battery.atMaxDurationMs += fractionBeyond(overKwh, high - low) * spanMs;
      const underKwh = battery.emptyThresholdKwh - low;
      if (underKwh >= 0) battery.atMinDurationMs += fractionBeyond(underKwh, high - low) * spanMs;
    }
  }

  /**
   * Lists the members that are marked, in order, with their weights; for those with batteries here also by how many tenths
   * of kW they can leave their baselines, at least 0. @see vpp/allocation/capability.ts
   *
   * @param up  whether they are to take more, or to give more
   * @returns how many
   */
  listParticipants(
    { siteIndices: sites, weights, baselineKw }: MemberColumns,
    up: boolean,
    lists: BatteryParticipantLists,
  ): number {
    const { batteries: each } = this;
    const { participation: marks, participants: sharers, weights: sharing, capabilityTenths: capsTenths } = lists;
    let count = 0;
    for (let i = 0; i < sites.length; i++) {
      if (marks[i] === 0) continue;
      if (marks[i] === 1) {
        const index = sites[i];
        const battery = each[index];
        const baseKw = baselineKw[i];
        const fromKwh = battery.storedKwh;
        let freeKw: number;
        if (up) freeKw = (battery.fullKwh - STORAGE_BOUND_TOLERANCE_KWH <= fromKwh ? 0 : battery.importMaxKw) - baseKw;
        else
          freeKw = (fromKwh <= battery.emptyKwh + STORAGE_BOUND_TOLERANCE_KWH ? 0 : battery.marketedExportKw) + baseKw;
        capsTenths[count] = floorToTenths(Math.max(0, freeKw));
      }
      sharing[count] = weights[i];
      sharers[count++] = i;
    }
    return count;
  }

  /** As `plan`, for one that is unsettled. @returns whether it goes on */
  planOne(index: number, targets: BatterySetpoints): boolean {
    this.singleIndex[0] = index;
    return this.plan(this.singleIndex, 1, targets) === 1;
  }

  /**
   * As `planConstantPower`, for those of these batteries that are unsettled; where it is no such case they stay so. The
   * loop calls nothing: it runs for every battery of every award.
   *
   * @returns how many of them go on
   */
  plan(indices: Int32Array, count: number, targets: BatterySetpoints): number {
    const { batteries: each } = this;
    const { baselineKw, deltaKw, startMs, replanDue: unsettled } = targets;
    let planned = 0;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      const battery = each[index];
      if (unsettled[index] === 0) continue;
      const targetKw = baselineKw[index] + deltaKw[index];
      const wantedKw = Math.abs(targetKw);
      // A target within rounding of 0, or none, is the general planner's.
      if (!(EQUALITY_TOLERANCE < wantedKw) && targetKw !== 0) continue;
      const charging = 0 < targetKw;
      const capKw = charging ? battery.importMaxKw : battery.exportMaxKw;
      const fromKwh = battery.storedKwh;
      const boundKwh = charging ? battery.fullKwh : battery.emptyKwh;
      const isAtBound = charging
        ? boundKwh - STORAGE_BOUND_TOLERANCE_KWH <= fromKwh
        : fromKwh <= boundKwh + STORAGE_BOUND_TOLERANCE_KWH;
      if (wantedKw <= EQUALITY_TOLERANCE || capKw <= EQUALITY_TOLERANCE || isAtBound) {
        battery.powerKw = battery.auxiliaryKw;
        battery.storedKwhPerMs = 0;
        battery.boundMs = Number.POSITIVE_INFINITY;
        battery.boundAfterMs = Number.POSITIVE_INFINITY;
      } else {
        const flowingKw = Math.min(wantedKw, capKw);
        const kwhPerMs = (charging ? battery.chargeKwhPerKwMs : battery.dischargeKwhPerKwMs) * flowingKw;
        const afterMs = Math.abs(boundKwh - fromKwh) / kwhPerMs;
        const signedKwhPerMs = charging ? kwhPerMs : -kwhPerMs;
        if (EQUALITY_TOLERANCE < Math.abs(fromKwh + signedKwhPerMs * afterMs - boundKwh)) continue;
        battery.powerKw = (charging ? flowingKw : -flowingKw) + battery.auxiliaryKw;
        battery.storedKwhPerMs = signedKwhPerMs;
        battery.boundMs = startMs[index] + afterMs;
        battery.boundAfterMs = afterMs;
      }
      unsettled[index] = 0;
      planned++;
    }
    return planned;
  }
}
