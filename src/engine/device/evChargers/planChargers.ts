import { assert } from "../../../base/assert.ts";
import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { type ConnectionLimits, NO_LAXITY_MS } from "./chargersCapability.ts";
import { type ChargersState, NO_SESSION, nextSessionEventMs } from "./chargersState.ts";
import { CHARGERS_LIMIT, type ChargersLimit, type ChargersTrajectory } from "./chargersTrajectory.ts";
import {
  BOUND_KWH,
  chargeMaxKw,
  dischargeMaxKw,
  type EvChargersSpec,
  energyMinKwh,
  fullRateKwhPerMs,
} from "./evChargersSpec.ts";
import { LaxityShare } from "./laxityShare.ts";
import { spreadKw } from "./undisturbedPlan.ts";

/** What the chargers are to do from an instant on. */
export interface ChargersPlanInput extends ConnectionLimits {
  /** A whole ms. */
  readonly startMs: EpochMs;
  /** AC power of all connectors together, import positive; `null`: the plan. */
  readonly setpointKw: number | null;
  readonly inService: boolean;
}

/** Powers and energies nearer than this are equal. */
const SAME = 1e-9;
/** What would happen this near to the end of a plan is left to the next one. */
const NEAR_END_MS = 1e-4;
/** After so many segments a plan ends at the next whole ms: set-points often change before. */
const SEGMENTS_MAX = 16;
const NEVER = Number.POSITIVE_INFINITY;

/** Plans the chargers of one component. Owns the arrays that it works with, so that planning allocates nothing. */
export class ChargersPlanner extends Copyable {
  private readonly spec: EvChargersSpec;
  private setpointKw: number | null = null;
  private importLimitKw = NEVER;
  private exportLimitKw = NEVER;
  /** Connectors with a car. */
  private readonly cars: Int32Array;
  private carCount = 0;
  // By connector, of the connected car.
  private readonly chargeKw: Float64Array;
  private readonly dischargeKw: Float64Array;
  private readonly planKw: Float64Array;
  /** kWh per ms of charging at full power. */
  private readonly fullRateKwhPerMs: Float64Array;
  private readonly minKwh: Float64Array;
  private readonly wantedKwh: Float64Array;
  private readonly capacityKwh: Float64Array;
  /** Departure in ms after the plan's start. */
  private readonly departureAfterMs: Float64Array;
  // The present segment.
  private afterMs = 0;
  private readonly storedKwh: Float64Array;
  private readonly laxityMs: Float64Array;
  private readonly kw: Float64Array;
  private readonly storedKwhPerMs: Float64Array;
  private readonly charging: LaxityShare;
  private readonly discharging: LaxityShare;

  constructor(spec: EvChargersSpec) {
    super();
    const count = spec.connectors.length;
    for (const { chargeMaxKw } of spec.connectors) assert(0 < chargeMaxKw, "a connector can charge");
    this.spec = spec;
    this.cars = new Int32Array(count);
    this.chargeKw = new Float64Array(count);
    this.dischargeKw = new Float64Array(count);
    this.planKw = new Float64Array(count);
    this.fullRateKwhPerMs = new Float64Array(count);
    this.minKwh = new Float64Array(count);
    this.wantedKwh = new Float64Array(count);
    this.capacityKwh = new Float64Array(count);
    this.departureAfterMs = new Float64Array(count);
    this.storedKwh = new Float64Array(count);
    this.laxityMs = new Float64Array(count);
    this.kw = new Float64Array(count);
    this.storedKwhPerMs = new Float64Array(count);
    this.charging = new LaxityShare(count);
    this.discharging = new LaxityShare(count);
  }

  /**
   * Plans until the next arrival or departure, or less: fills `out` with segments, each with one power of every car.
   *
   * @returns `out.endMs`, when the chargers are to be planned again; `Infinity`: not before something else changes
   * @see docs/model/ev-chargers.md#following
   */
  plan(state: ChargersState, input: ChargersPlanInput, out: ChargersTrajectory): EpochMs {
    const { startMs, importLimitKw, exportLimitKw } = input;
    assert(Number.isSafeInteger(startMs), "a plan starts at a whole ms");
    assert(0 <= importLimitKw && 0 <= exportLimitKw, "limits of the chargers' power are at least 0");
    this.setpointKw = input.setpointKw;
    this.importLimitKw = importLimitKw;
    this.exportLimitKw = exportLimitKw;
    this.load(state, startMs);
    out.begin(startMs);
    let endAfterMs = nextSessionEventMs(this.spec, state) - startMs;
    out.endMs = startMs + endAfterMs;
    if (!input.inService) {
      out.append(0, this.kw, this.storedKwh, this.storedKwhPerMs, CHARGERS_LIMIT.none);
      return out.endMs;
    }
    const segmentsMost = SEGMENTS_MAX + 64 + 16 * this.carCount;
    while (this.afterMs < endAfterMs) {
      assert(out.segmentCount < segmentsMost, () => `${this.spec.componentId}: a plan has ${segmentsMost} segments`);
      const limit = this.choosePowers();
      out.append(this.afterMs, this.kw, this.storedKwh, this.storedKwhPerMs, limit);
      const nextAfterMs = this.afterMs + this.nextEventMs();
      if (endAfterMs - NEAR_END_MS <= nextAfterMs) break;
      this.move(nextAfterMs);
      if (SEGMENTS_MAX <= out.segmentCount) endAfterMs = Math.min(endAfterMs, Math.ceil(nextAfterMs));
    }
    out.endMs = startMs + endAfterMs;
    return out.endMs;
  }

  private load(state: ChargersState, startMs: EpochMs): void {
    const { spec, storedKwh } = this;
    this.afterMs = 0;
    this.carCount = 0;
    storedKwh.set(state.storedKwh);
    this.kw.fill(0);
    this.storedKwhPerMs.fill(0);
    for (let c = 0; c < storedKwh.length; c++) {
      if (state.sessionAt[c] === NO_SESSION) continue;
      const session = spec.sessions[state.sessionAt[c]];
      this.cars[this.carCount++] = c;
      this.chargeKw[c] = chargeMaxKw(spec, session);
      this.dischargeKw[c] = dischargeMaxKw(spec, session);
      this.planKw[c] = spec.plan === "spread" ? spreadKw(spec, session) : this.chargeKw[c];
      this.fullRateKwhPerMs[c] = fullRateKwhPerMs(spec, session);
      this.minKwh[c] = energyMinKwh(spec, session);
      this.wantedKwh[c] = session.energyWantedKwh;
      this.capacityKwh[c] = session.capacityKwh;
      this.departureAfterMs[c] = session.departureMs - startMs;
    }
  }

  private choosePowers(): ChargersLimit {
    const { cars, carCount, laxityMs } = this;
    for (let k = 0; k < carCount; k++) {
      const c = cars[k];
      const neededMs = (this.wantedKwh[c] - this.storedKwh[c]) / this.fullRateKwhPerMs[c];
      laxityMs[c] = this.departureAfterMs[c] - this.afterMs - neededMs;
      this.kw[c] = 0;
    }
    this.charging.begin();
    this.discharging.begin();
    const limit = this.setpointKw === null ? this.followPlan() : this.followSetpoint(this.setpointKw);
    this.setRates();
    return limit;
  }

  private followPlan(): ChargersLimit {
    const { cars, carCount, charging } = this;
    for (let k = 0; k < carCount; k++) {
      const c = cars[k];
      if (!this.isBelowWanted(c)) continue;
      const maxKw = this.hasLaxity(c) ? this.planKw[c] : this.chargeKw[c];
      charging.add(c, this.laxityMs[c], maxKw, this.chargeKw[c]);
    }
    const sharedKw = charging.share(this.importLimitKw);
    for (let k = 0; k < carCount; k++) if (this.isBelowWanted(cars[k])) this.kw[cars[k]] = charging.kw[cars[k]];
    return sharedKw < charging.sumMaxKw - SAME ? CHARGERS_LIMIT.connectionPoint : CHARGERS_LIMIT.none;
  }

  private followSetpoint(setpointKw: number): ChargersLimit {
    const allowedKw = Math.max(-this.exportLimitKw, Math.min(setpointKw, this.importLimitKw));
    const requiredKw = this.requiredKw();
    const kw = allowedKw < requiredKw ? this.reduceTo(allowedKw, requiredKw) : this.chargeAt(allowedKw, requiredKw);
    if (Math.abs(kw - setpointKw) <= SAME) return CHARGERS_LIMIT.none;
    if (Math.abs(kw - allowedKw) <= SAME) return CHARGERS_LIMIT.connectionPoint;
    return this.limitOf(kw < setpointKw, requiredKw);
  }

  /** What keeps the power from a set-point that the connection point allows. */
  private limitOf(isTooLow: boolean, requiredKw: number): ChargersLimit {
    if (this.carCount === 0) return CHARGERS_LIMIT.noCar;
    if (!isTooLow && SAME < requiredKw) return CHARGERS_LIMIT.departure;
    for (let k = 0; k < this.carCount; k++) {
      const c = this.cars[k];
      const isAtBound = isTooLow ? this.isFull(c) : 0 < this.dischargeKw[c] && this.isAtMin(c);
      if (isAtBound) return CHARGERS_LIMIT.storedEnergy;
    }
    return CHARGERS_LIMIT.carPower;
  }

  /** Power of the cars that must charge now. */
  private requiredKw(): number {
    let sumKw = 0;
    for (let k = 0; k < this.carCount; k++) if (this.mustCharge(this.cars[k])) sumKw += this.chargeKw[this.cars[k]];
    return sumKw;
  }

  /** Cars that must charge do; then those below their wanted energy by laxity; then the rest, all at the same share. */
  private chargeAt(powerKw: number, requiredKw: number): number {
    const { cars, carCount, charging, kw, chargeKw } = this;
    for (let k = 0; k < carCount; k++) {
      const c = cars[k];
      if (this.mustCharge(c)) kw[c] = chargeKw[c];
      else if (this.isBelowWanted(c)) charging.add(c, this.laxityMs[c], chargeKw[c], chargeKw[c]);
    }
    const sharedKw = charging.share(powerKw - requiredKw);
    let surplusMaxKw = 0;
    for (let k = 0; k < carCount; k++) {
      const c = cars[k];
      if (!this.isBelowWanted(c)) surplusMaxKw += this.isFull(c) ? 0 : chargeKw[c];
      else if (!this.mustCharge(c)) kw[c] = charging.kw[c];
    }
    const surplusKw = Math.min(powerKw - requiredKw - sharedKw, surplusMaxKw);
    if (surplusKw <= SAME) return requiredKw + sharedKw;
    for (let k = 0; k < carCount; k++) {
      const c = cars[k];
      if (!this.isBelowWanted(c) && !this.isFull(c)) kw[c] = (surplusKw / surplusMaxKw) * chargeKw[c];
    }
    return requiredKw + sharedKw + surplusKw;
  }

  /** Less than the cars take that must charge: two-way cars make up for it, those with the most laxity first. */
  private reduceTo(powerKw: number, requiredKw: number): number {
    const { cars, carCount, charging, discharging, kw, spec } = this;
    const efficiency = spec.chargeEfficiency * spec.dischargeEfficiency;
    for (let k = 0; k < carCount; k++) {
      const c = cars[k];
      if (this.mustCharge(c)) charging.add(c, this.laxityMs[c], this.chargeKw[c], this.chargeKw[c]);
      else if (this.canDischarge(c))
        discharging.add(c, -this.laxityMs[c], this.dischargeKw[c], efficiency * this.chargeKw[c]);
    }
    const givenKw = discharging.share(requiredKw - powerKw);
    const takenKw = charging.share(Math.min(requiredKw, this.importLimitKw + givenKw));
    for (let k = 0; k < carCount; k++) {
      const c = cars[k];
      if (this.mustCharge(c)) kw[c] = charging.kw[c];
      else if (this.canDischarge(c)) kw[c] = -discharging.kw[c] || 0;
    }
    return takenKw - givenKw;
  }

  private setRates(): void {
    const { chargeEfficiency, dischargeEfficiency } = this.spec;
    for (let k = 0; k < this.carCount; k++) {
      const c = this.cars[k];
      const kw = this.kw[c];
      this.storedKwhPerMs[c] = (kw <= 0 ? kw / dischargeEfficiency : kw * chargeEfficiency) / MS_PER_HOUR;
    }
  }

  /** How long the present powers hold. */
  private nextEventMs(): number {
    let nextMs = Math.min(this.charging.meetMs, this.discharging.meetMs);
    for (let k = 0; k < this.carCount; k++) {
      const c = this.cars[k];
      const rate = this.storedKwhPerMs[c];
      if (rate !== 0) nextMs = Math.min(nextMs, (this.boundKwh(c, rate) - this.storedKwh[c]) / rate);
      nextMs = Math.min(nextMs, this.laxityEndMs(c, rate));
    }
    return nextMs;
  }

  /** The stored energy at which a car's power changes. */
  private boundKwh(c: number, rate: number): number {
    if (rate < 0) return this.minKwh[c];
    return this.isBelowWanted(c) ? this.wantedKwh[c] : this.capacityKwh[c];
  }

  /** When a car comes to have no laxity, if that changes its power. */
  private laxityEndMs(c: number, rate: number): number {
    const matters = this.setpointKw === null ? this.spec.plan === "spread" : this.spec.departure === "protected";
    if (!matters || !this.hasLaxity(c) || (0 <= rate && !this.isBelowWanted(c))) return NEVER;
    const lossPerMs = 1 - rate / this.fullRateKwhPerMs[c];
    return lossPerMs <= 0 ? NEVER : this.laxityMs[c] / lossPerMs;
  }

  private move(afterMs: number): void {
    const spanMs = afterMs - this.afterMs;
    for (let k = 0; k < this.carCount; k++) {
      const c = this.cars[k];
      const rate = this.storedKwhPerMs[c];
      if (rate === 0) continue;
      const boundKwh = this.boundKwh(c, rate);
      const kwh = this.storedKwh[c] + rate * spanMs;
      this.storedKwh[c] = Math.abs(kwh - boundKwh) <= SAME ? boundKwh : kwh;
    }
    this.afterMs = afterMs;
  }

  private isBelowWanted(c: number): boolean {
    return this.storedKwh[c] < this.wantedKwh[c] - BOUND_KWH;
  }

  private isFull(c: number): boolean {
    return this.capacityKwh[c] - BOUND_KWH <= this.storedKwh[c];
  }

  private isAtMin(c: number): boolean {
    return this.storedKwh[c] <= this.minKwh[c] + BOUND_KWH;
  }

  private hasLaxity(c: number): boolean {
    return NO_LAXITY_MS < this.laxityMs[c];
  }

  private mustCharge(c: number): boolean {
    return this.spec.departure === "protected" && this.isBelowWanted(c) && !this.hasLaxity(c);
  }

  private canDischarge(c: number): boolean {
    return 0 < this.dischargeKw[c] && !this.isAtMin(c);
  }
}
