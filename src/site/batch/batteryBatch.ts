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

/** Set-points of batched batteries, by site index. */
export interface BatterySetpoints {
  readonly baselineKw: Float64Array;
  readonly deltaKw: Float64Array;
  /** Start of the trajectory. */
  readonly startMs: Float64Array;
  /** 1 if the trajectory has ended and the next one has not been planned. */
  readonly replanDue: Uint8Array;
}

/** Members of a VPP, one entry per member. */
export interface MemberColumns {
  readonly siteIndices: Int32Array;
  readonly weights: Float64Array;
  readonly baselineKw: Float64Array;
}

/** Participants of a request. */
export interface BatteryParticipantLists {
  /** One of `PARTICIPATION` per member: 0 none, 1 with a batched battery, 2 other. */
  readonly participation: Uint8Array;
  /** Per participant: row among the members, weight, and capability in tenths of kW. */
  readonly participants: Int32Array;
  readonly weights: Float64Array;
  readonly capabilityTenths: Int32Array;
}

/**
 * A battery without taper, ramp and self-discharge: its power is constant until it is full or empty, and 0 afterwards. The
 * results are bit-identical to `planConstantPower` and `BatteryComponent`, the registers to `BatteryMeter` and
 * `BatteryRegisters`.
 */
export class BatchedBattery extends Copyable {
  storedKwh = Number.NaN;
  /** kW at the connection point until `boundMs`, auxiliaries included. */
  powerKw = Number.NaN;
  storedKwhPerMs = Number.NaN;
  /** When the battery is full or empty, and how long after the start; not rounded, `Infinity` if never. */
  boundMs = Number.NaN;
  boundAfterMs = Number.NaN;
  auxiliaryKw = Number.NaN;
  fullKwh = Number.NaN;
  emptyKwh = Number.NaN;
  /** Maximum power at the cells in each direction, limits of the connection point included. */
  importMaxKw = Number.NaN;
  exportMaxKw = Number.NaN;
  /** `exportMaxKw`, or 0 without permission for reverse flow. */
  marketedExportKw = Number.NaN;
  chargeKwhPerKwMs = Number.NaN;
  dischargeKwhPerKwMs = Number.NaN;
  /** Registers up to the start of the trajectory: kWh at the connection point, and of the reported baseline. */
  importKwh = Number.NaN;
  exportKwh = Number.NaN;
  baselineKwh = Number.NaN;
  /** kWh at the AC side of the cells. */
  cellInKwh = Number.NaN;
  cellOutKwh = Number.NaN;
  /** Extremes and integral of stored energy, and durations beyond the two thresholds below. */
  lowestStoredKwh = Number.NaN;
  highestStoredKwh = Number.NaN;
  storedKwhMs = Number.NaN;
  atMinDurationMs = Number.NaN;
  atMaxDurationMs = Number.NaN;
  /** Stored energies from which the battery counts as full, and as empty. */
  fullThresholdKwh = Number.NaN;
  emptyThresholdKwh = Number.NaN;

  /** Sets the constants. @param mayFlowBack  whether the site may export */
  setRatings({ spec, importLimitKw, gridExportKw }: BatchBattery, reverseFlowAllowed: boolean): void {
    this.auxiliaryKw = spec.auxiliaryKw;
    this.fullKwh = storedMaxKwh(spec);
    this.emptyKwh = storedMinKwh(spec);
    this.importMaxKw = Math.min(spec.importMaxKw, importLimitKw);
    this.exportMaxKw = Math.min(spec.exportMaxKw, gridExportKw);
    this.marketedExportKw = reverseFlowAllowed ? this.exportMaxKw : 0;
    this.chargeKwhPerKwMs = spec.chargeEfficiency / MS_PER_HOUR;
    this.dischargeKwhPerKwMs = 1 / spec.dischargeEfficiency / MS_PER_HOUR;
  }

  /** The stored energy at which charging or discharging ends. */
  get boundKwh(): number {
    return 0 < this.storedKwhPerMs ? this.fullKwh : this.emptyKwh;
  }

  /** Integrates a trajectory that reached its bound: constant power up to the bound, then auxiliaries only. */
  integrateToBound(fromKwh: number, spanMs: number): void {
    const { boundKwh } = this;
    const activeMs = this.boundAfterMs;
    const idleMs = spanMs - activeMs;
    this.importKwh += this.boundImportKwh(spanMs);
    this.exportKwh += this.boundExportKwh;
    const cellKwMs = (this.powerKw - this.auxiliaryKw) * activeMs;
    if (0 < cellKwMs) this.cellInKwh += cellKwMs / MS_PER_HOUR;
    else this.cellOutKwh -= cellKwMs / MS_PER_HOUR;
    const toKwh = fromKwh + this.storedKwhPerMs * activeMs;
    this.lowestStoredKwh = Math.min(this.lowestStoredKwh, fromKwh, toKwh, boundKwh);
    this.highestStoredKwh = Math.max(this.highestStoredKwh, fromKwh, toKwh, boundKwh);
    this.storedKwhMs += 0.5 * (fromKwh + toKwh) * activeMs + boundKwh * idleMs;
    const low = Math.min(fromKwh, toKwh);
    const high = Math.max(fromKwh, toKwh);
    const overKwh = high - this.fullThresholdKwh;
    const underKwh = this.emptyThresholdKwh - low;
    const maxMs = overKwh >= 0 ? fractionBeyond(overKwh, high - low) * activeMs : 0;
    const minMs = underKwh >= 0 ? fractionBeyond(underKwh, high - low) * activeMs : 0;
    this.atMaxDurationMs += maxMs + (this.fullThresholdKwh <= boundKwh ? idleMs : 0);
    this.atMinDurationMs += minMs + (boundKwh <= this.emptyThresholdKwh ? idleMs : 0);
  }

  private boundImportKwh(spanMs: number): number {
    const activeMs = this.boundAfterMs;
    const activeKwMs = this.powerKw <= 0 ? 0 : this.powerKw * activeMs;
    return (activeKwMs + this.auxiliaryKw * (spanMs - activeMs)) / MS_PER_HOUR;
  }

  private get boundExportKwh(): number {
    return (0 <= this.powerKw ? 0 : -this.powerKw * this.boundAfterMs) / MS_PER_HOUR;
  }

  /** Cumulative net import in kWh at an instant of the current trajectory. */
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

  /** As `BatteryComponent.segmentAt`, without the limiting factor. */
  segmentAt(startMs: EpochMs, atMs: EpochMs, out: Segment): void {
    const isAtBound = this.boundMs <= atMs;
    const fromMs = isAtBound ? this.boundMs : startMs;
    const endMs = isAtBound ? Number.POSITIVE_INFINITY : this.boundMs;
    setLinearSegment(out, fromMs, endMs, isAtBound ? this.auxiliaryKw : this.powerKw, 0, LIMITING_FACTOR.none);
  }
}

/** The batteries of a site batch. */
export class BatteryBatch extends Copyable {
  /** By site index; entries of sites without a battery are unused. */
  readonly batteries: readonly BatchedBattery[];
  /** Argument of `plan` for a single battery. */
  private readonly singleIndex = new Int32Array(1);

  constructor(sites: readonly Site[]) {
    super();
    const unused = new BatchedBattery();
    this.batteries = sites.map(({ resource: { batchBattery }, spec }) => {
      if (batchBattery === null) return unused;
      const battery = new BatchedBattery();
      battery.setRatings(batchBattery, spec.capability.reverseFlowAllowed);
      return battery;
    });
  }

  /**
   * Ends the trajectories of these batteries: integrates stored energies and registers up to the instant. Inlined, because the
   * loop runs for every battery of every award.
   */
  closeTrajectories(
    indices: Int32Array,
    count: number,
    { baselineKw, startMs, replanDue }: BatterySetpoints,
    atMs: EpochMs,
  ): void {
    const { batteries } = this;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      const battery = batteries[index];
      const spanMs = atMs - startMs[index];
      replanDue[index] = 1;
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
   * Lists the marked members in order, with their weights. For batched batteries it also computes the capability: how far they
   * can deviate from their baselines, in tenths of kW, at least 0. @see vpp/allocation/capability.ts
   *
   * @param up  direction: true for more import
   * @returns number of participants
   */
  listParticipants(
    { siteIndices, weights, baselineKw }: MemberColumns,
    up: boolean,
    lists: BatteryParticipantLists,
  ): number {
    const { batteries } = this;
    const { participation, participants, weights: participantWeights, capabilityTenths } = lists;
    let count = 0;
    for (let i = 0; i < siteIndices.length; i++) {
      if (participation[i] === 0) continue;
      if (participation[i] === 1) {
        const battery = batteries[siteIndices[i]];
        const ownBaselineKw = baselineKw[i];
        const fromKwh = battery.storedKwh;
        let capabilityKw: number;
        if (up)
          capabilityKw =
            (battery.fullKwh - STORAGE_BOUND_TOLERANCE_KWH <= fromKwh ? 0 : battery.importMaxKw) - ownBaselineKw;
        else
          capabilityKw =
            (fromKwh <= battery.emptyKwh + STORAGE_BOUND_TOLERANCE_KWH ? 0 : battery.marketedExportKw) + ownBaselineKw;
        capabilityTenths[count] = floorToTenths(Math.max(0, capabilityKw));
      }
      participantWeights[count] = weights[i];
      participants[count++] = i;
    }
    return count;
  }

  /** As `plan`, for one battery. @returns whether it was planned */
  planOne(index: number, setpoints: BatterySetpoints): boolean {
    this.singleIndex[0] = index;
    return this.plan(this.singleIndex, 1, setpoints) === 1;
  }

  /**
   * As `planConstantPower`, for those of the batteries that are due for replanning. Those that it does not apply to stay due.
   * Inlined, because the loop runs for every battery of every award.
   *
   * @returns number of planned batteries
   */
  plan(indices: Int32Array, count: number, setpoints: BatterySetpoints): number {
    const { batteries } = this;
    const { baselineKw, deltaKw, startMs, replanDue } = setpoints;
    let planned = 0;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      const battery = batteries[index];
      if (replanDue[index] === 0) continue;
      const targetKw = baselineKw[index] + deltaKw[index];
      const targetSizeKw = Math.abs(targetKw);
      // Left to the general planner: no target, or a target within tolerance of 0.
      if (!(EQUALITY_TOLERANCE < targetSizeKw) && targetKw !== 0) continue;
      const charging = 0 < targetKw;
      const capKw = charging ? battery.importMaxKw : battery.exportMaxKw;
      const fromKwh = battery.storedKwh;
      const boundKwh = charging ? battery.fullKwh : battery.emptyKwh;
      const isAtBound = charging
        ? boundKwh - STORAGE_BOUND_TOLERANCE_KWH <= fromKwh
        : fromKwh <= boundKwh + STORAGE_BOUND_TOLERANCE_KWH;
      if (targetSizeKw <= EQUALITY_TOLERANCE || capKw <= EQUALITY_TOLERANCE || isAtBound) {
        battery.powerKw = battery.auxiliaryKw;
        battery.storedKwhPerMs = 0;
        battery.boundMs = Number.POSITIVE_INFINITY;
        battery.boundAfterMs = Number.POSITIVE_INFINITY;
      } else {
        const flowingKw = Math.min(targetSizeKw, capKw);
        const kwhPerMs = (charging ? battery.chargeKwhPerKwMs : battery.dischargeKwhPerKwMs) * flowingKw;
        const afterMs = Math.abs(boundKwh - fromKwh) / kwhPerMs;
        const signedKwhPerMs = charging ? kwhPerMs : -kwhPerMs;
        if (EQUALITY_TOLERANCE < Math.abs(fromKwh + signedKwhPerMs * afterMs - boundKwh)) continue;
        battery.powerKw = (charging ? flowingKw : -flowingKw) + battery.auxiliaryKw;
        battery.storedKwhPerMs = signedKwhPerMs;
        battery.boundMs = startMs[index] + afterMs;
        battery.boundAfterMs = afterMs;
      }
      replanDue[index] = 0;
      planned++;
    }
    return planned;
  }
}
