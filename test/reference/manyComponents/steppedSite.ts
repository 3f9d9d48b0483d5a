// One site of several components, moved forward a fraction of a second at a time: docs/model/connection-point.md#division word by word, with none
// of the closed forms of the simulator. All powers are AC kW, import positive.
import type { BatterySpec } from "../../../src/engine/device/battery/batterySpec.ts";
import type { ConsumerSpec } from "../../../src/engine/device/consumer/consumerSpec.ts";
import type { DispatchableSpec } from "../../../src/engine/device/dispatchable/dispatchableSpec.ts";
import type { VariableGeneratorSpec } from "../../../src/engine/device/generator/generatorSpec.ts";
import type { Series } from "../../../src/engine/series/model/series.ts";
import type { ComponentSpec } from "../../../src/engine/site/components/registry.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";

/** What acts on the site at an instant. */
export interface SteppedInputs {
  /** Delta dispatched to the site, and the baseline beside it; `null`: none. */
  readonly setpoint: { readonly deltaKw: number; readonly baselineKw: number } | null;
  readonly isInService: boolean;
  /** 0..1 of rated output. */
  readonly outputLimitShare: number;
  /** Own plan, which a tracking battery holds. */
  readonly planKw: number;
  /** FCR capacities that the site holds, and the frequency; absent: none. */
  readonly fcr?: { readonly shares: readonly FcrShare[]; readonly frequencyHz: number };
}

/** One award's FCR capacity. A compound's response and the delta that it has called never leave ±limit together. */
export interface FcrShare {
  readonly capacityKw: number;
  readonly deltaKw: number;
  readonly limitKw: number;
}

/** kWh by component and path. */
export interface EnergyPaths {
  fromGenerator: number;
  fromGrid: number;
  toLoad: number;
  toBattery: number;
  toGrid: number;
  curtailed: number;
}

const newEnergyPaths = (): EnergyPaths => ({
  fromGenerator: 0,
  fromGrid: 0,
  toLoad: 0,
  toBattery: 0,
  toGrid: 0,
  curtailed: 0,
});

interface SteppedComponent<Spec extends ComponentSpec> {
  readonly spec: Spec;
  readonly paths: EnergyPaths;
  kw: number;
  storedKwh: number;
  shareKw: number;
  /** Share of the site's frequency response, 0..1. */
  fcrShare: number;
}

const SAME = 1e-6;
const NO_SHARES: readonly FcrShare[] = [];

export class SteppedSite {
  readonly components: readonly SteppedComponent<ComponentSpec>[];
  private readonly site: SiteSpec;
  private readonly batteries: SteppedComponent<BatterySpec>[] = [];
  private readonly plants: SteppedComponent<DispatchableSpec>[] = [];
  private readonly loads: SteppedComponent<ConsumerSpec>[] = [];
  private readonly generators: SteppedComponent<VariableGeneratorSpec>[] = [];
  private setpoint: SteppedInputs["setpoint"] = null;
  private isStarting = true;
  private fcrShares: readonly FcrShare[] = NO_SHARES;
  /** kWh that the response has moved. */
  upKwh = 0;
  downKwh = 0;

  constructor(site: SiteSpec) {
    this.site = site;
    this.components = site.components.map((spec) => {
      const storedKwh = storedAtStart(spec);
      const part = { spec, paths: newEnergyPaths(), kw: 0, storedKwh, shareKw: 0, fcrShare: 0 };
      if (spec.kind === "battery") this.batteries.push(part as SteppedComponent<BatterySpec>);
      else if (spec.kind === "dispatchable") this.plants.push(part as SteppedComponent<DispatchableSpec>);
      else if (spec.kind === "consumer") this.loads.push(part as SteppedComponent<ConsumerSpec>);
      else this.generators.push(part as SteppedComponent<VariableGeneratorSpec>);
      return part;
    });
  }

  get kw(): number {
    return this.components.reduce((sum, { kw }) => sum + kw, 0);
  }

  /** Moves over [atMs, atMs + stepMs). */
  step(atMs: number, stepMs: number, outside: SteppedInputs): void {
    const { setpoint, isInService, outputLimitShare } = outside;
    if (!isSameSetpoint(setpoint, this.setpoint)) this.allocateDelta(setpoint, atMs, outputLimitShare);
    this.setpoint = setpoint;
    const sharesBefore = this.fcrShares;
    this.fcrShares = outside.fcr?.shares ?? NO_SHARES;
    if (!areSameCapacities(this.fcrShares, sharesBefore)) this.allocateFcr(outputLimitShare);
    if (!isInService) {
      this.isStarting = false;
      for (const part of this.components) part.kw = 0;
      return;
    }
    const middleMs = atMs + stepMs / 2;
    const hours = stepMs / 3_600_000;
    for (const part of this.loads)
      part.kw = Math.max(0, Math.min(part.spec.loadKw.valueAt(middleMs), part.spec.maxDemandKw) + part.shareKw);
    for (const part of this.generators) part.kw = -this.generationKw(part.spec, middleMs, outputLimitShare);
    const auxiliaryKw = this.batteries.reduce((sum, { spec }) => sum + spec.auxiliaryKw, 0);
    let othersKw = auxiliaryKw + total(this.loads) + total(this.generators);
    const { constraints } = this.site;
    const exportMaxKw = this.site.capability.reverseFlowAllowed ? kwAt(constraints.siteExportMaxKw, atMs) : 0;
    const importMaxKw = kwAt(constraints.siteImportMaxKw, atMs);
    const requestedKw = outside.fcr === undefined ? 0 : this.responseKw(outside.fcr.frequencyHz);
    for (const part of this.plants) {
      const givesKw = Math.min(part.spec.ratedOutputKw * outputLimitShare, Math.max(0, exportMaxKw + othersKw));
      const takesKw = Math.min(part.spec.reservoir?.pumpMaxKw ?? 0, Math.max(0, importMaxKw - othersKw));
      const wantedKw = part.shareKw + part.fcrShare * requestedKw;
      stepDispatchable(part, Math.max(-givesKw, Math.min(takesKw, wantedKw)), hours);
      this.addResponse(part.kw, part.shareKw, part.fcrShare * requestedKw, hours);
      othersKw += part.kw;
    }
    this.stepBatteries(othersKw, { exportMaxKw, importMaxKw }, stepMs, outside);
    let roomKw = exportMaxKw + auxiliaryKw + total(this.loads) + total(this.plants) + total(this.batteries);
    for (const part of this.generators) {
      const sunKw = Math.min(part.spec.generationKw.valueAt(middleMs), part.spec.ratedOutputKw);
      const allowedKw = Math.max(0, Math.min(sunKw, roomKw));
      part.kw = -Math.min(-part.kw, allowedKw) || 0;
      part.paths.curtailed += (allowedKw + part.kw) * hours;
      roomKw += part.kw;
    }
    for (const part of this.batteries) part.kw += part.spec.auxiliaryKw;
    this.addPaths(hours);
    for (const part of this.batteries) part.kw -= part.spec.auxiliaryKw;
  }

  private generationKw(spec: VariableGeneratorSpec, atMs: number, outputLimitShare: number): number {
    return Math.min(spec.generationKw.valueAt(atMs), spec.ratedOutputKw * outputLimitShare, spec.ratedOutputKw);
  }

  /** Batteries by what they can, plants, loads (docs/model/connection-point.md#division). */
  private allocateDelta(setpoint: SteppedInputs["setpoint"], atMs: number, outputLimitShare: number): void {
    for (const part of this.components) part.shareKw = 0;
    if (setpoint === null || setpoint.deltaKw === 0) return;
    const sign = Math.sign(setpoint.deltaKw);
    let leftKw = Math.abs(setpoint.deltaKw);
    const can = this.batteries.map((part) => capabilityKw(part, sign, outputLimitShare));
    const canSum = can.reduce((sum, kw) => sum + kw, 0);
    if (this.site.control === "track" && this.batteries.length > 0) {
      const auxiliaryKw = this.batteries.reduce((sum, { spec }) => sum + spec.auxiliaryKw, 0);
      const loadKw = this.loads.reduce(
        (sum, { spec }) => sum + Math.min(spec.loadKw.valueAt(atMs), spec.maxDemandKw),
        0,
      );
      const sunKw = this.generators.reduce((sum, { spec }) => sum + this.generationKw(spec, atMs, outputLimitShare), 0);
      const neededKw = sign * (setpoint.baselineKw + setpoint.deltaKw - (auxiliaryKw + loadKw - sunKw));
      leftKw = Math.min(leftKw, Math.max(0, neededKw - canSum));
    } else {
      const takenKw = Math.min(leftKw, canSum);
      // What nobody can do is the batteries', by rating: they do of it what they come to be able to.
      const plantsKw = this.plants.reduce(
        (sum, part) => sum + dispatchableCapabilityKw(part, sign, outputLimitShare),
        0,
      );
      const shedKw = sign > 0 ? 0 : this.loads.reduce((sum, { spec }) => sum + reducibleKw(spec), 0);
      const restKw = Math.max(0, leftKw - takenKw - plantsKw - shedKw);
      const rated = this.batteries.map(({ spec }) => (sign > 0 ? spec.importMaxKw : spec.exportMaxKw));
      this.batteries.forEach((part, k) => {
        const ofCan = canSum > 0 ? (takenKw * can[k]) / canSum : 0;
        part.shareKw = sign * (ofCan + (restKw * rated[k]) / added(rated));
      });
      leftKw -= takenKw;
    }
    for (const part of this.plants) {
      const kw = Math.min(leftKw, dispatchableCapabilityKw(part, sign, outputLimitShare));
      part.shareKw = sign * kw;
      leftKw -= kw;
    }
    for (const part of this.loads) {
      const kw = sign > 0 ? 0 : Math.min(leftKw, reducibleKw(part.spec));
      part.shareKw = -kw;
      leftKw -= kw;
    }
  }

  private stepBatteries(
    othersKw: number,
    { exportMaxKw, importMaxKw }: { exportMaxKw: number; importMaxKw: number },
    stepMs: number,
    { setpoint, outputLimitShare, planKw, fcr }: SteppedInputs,
  ): void {
    const exportRoomKw = Math.max(0, exportMaxKw + othersKw);
    const importRoomKw = Math.max(0, importMaxKw - othersKw);
    const requestedKw = fcr === undefined ? 0 : this.responseKw(fcr.frequencyHz);
    const needKw = (goalKw: number) => Math.max(-exportMaxKw, Math.min(importMaxKw, goalKw)) - othersKw;
    const holdsMeter = this.site.control === "track";
    // The run starts without a ramp, with the meter at the plan (docs/model/battery.md#run-start).
    const startKw = holdsMeter && this.isStarting ? this.meterTargets(needKw(planKw), 0) : null;
    this.isStarting = false;
    startKw?.forEach((kw, k) => {
      this.batteries[k].kw = kw;
    });
    let wanted = this.batteries.map(({ shareKw }) => shareKw);
    if (holdsMeter) {
      const goalKw = setpoint === null ? planKw : setpoint.baselineKw + setpoint.deltaKw;
      wanted = this.meterTargets(needKw(goalKw), requestedKw);
    }
    const amounts = wanted;
    wanted = wanted.map((kw, k) => kw + this.batteries[k].fcrShare * requestedKw);
    // Who cannot go further takes no room from the others.
    const within = (kw: number, k: number) => {
      const part = this.batteries[k];
      return Math.max(-capabilityKw(part, -1, outputLimitShare), Math.min(capabilityKw(part, 1, outputLimitShare), kw));
    };
    const ramped = this.batteries.map(({ kw, spec: { rampKwPerS } }, k) => {
      const step = rampKwPerS === null ? Number.POSITIVE_INFINITY : (rampKwPerS * stepMs) / 1000;
      return within(Math.max(kw - step, Math.min(kw + step, wanted[k])), k);
    });
    const able = wanted.map(within);
    // Limits act at once where ramps do not. Who is on its ramp takes no more room than it needs.
    const exported = clampToLimits(ramped, able, -1, exportRoomKw);
    const imported = clampToLimits(ramped, able, 1, importRoomKw);
    this.batteries.forEach((part, k) => {
      stepReservoir(part, imported[k] - exported[k], stepMs / 3_600_000);
      this.addResponse(part.kw, amounts[k], part.fcrShare * requestedKw, stepMs / 3_600_000);
    });
  }

  /**
   * Of what the meter needs, by what each can do now. One at its bound can do nothing, but where its response draws it
   * away it takes up to that, and stays; found by raising a common level until all is taken.
   */
  private meterTargets(needKw: number, requestedKw: number): number[] {
    const sign = Math.sign(needKw);
    const slopesKw = this.batteries.map((part) => taperLimitKw(part, sign, 1));
    const ceilingsKw = this.batteries.map((part) =>
      capabilityKw(part, sign, 1) > 0 ? Number.POSITIVE_INFINITY : Math.max(0, -sign * part.fcrShare * requestedKw),
    );
    const takenKw = (level: number, k: number) => Math.min(level * slopesKw[k], ceilingsKw[k]);
    const level = commonLevel(Math.abs(needKw), 1e6, slopesKw.length, takenKw);
    return slopesKw.map((_, k) => sign * takenKw(level, k));
  }

  /** By what each battery and pumped storage that may can do to both sides. */
  private allocateFcr(outputLimitShare: number): void {
    const holders = [...this.batteries, ...this.plants];
    const can = holders.map((part) => {
      if (!part.spec.fcrCapable) return 0;
      return part.spec.kind === "battery"
        ? Math.min(
            capabilityKw(part as SteppedComponent<BatterySpec>, 1, outputLimitShare),
            capabilityKw(part as SteppedComponent<BatterySpec>, -1, outputLimitShare),
          )
        : Math.min(
            dispatchableCapabilityKw(part as SteppedComponent<DispatchableSpec>, 1, outputLimitShare),
            dispatchableCapabilityKw(part as SteppedComponent<DispatchableSpec>, -1, outputLimitShare),
          );
    });
    const sum = can.reduce((all, one) => all + one, 0);
    holders.forEach((part, k) => {
      part.fcrShare = this.fcrShares.length > 0 && sum > 0 ? can[k] / sum : 0;
    });
  }

  /** docs/model/frequency-response.md#droop: P times the deviation beyond the dead band over the droop, within each FCR capacity. */
  private responseKw(hz: number): number {
    const { freqRefHz, upDeadbandHz, lowDeadbandHz, upDroopPct, lowDroopPct } = this.site.fcr;
    const importKw = this.batteries.map(({ spec }) => (spec.fcrCapable ? spec.importMaxKw : 0));
    const exportKw = this.batteries.map(({ spec }) => (spec.fcrCapable ? spec.exportMaxKw : 0));
    const pumpKw = this.plants.map(({ spec }) => (spec.fcrCapable ? (spec.reservoir?.pumpMaxKw ?? 0) : 0));
    const outputKw = this.plants.map(({ spec }) => (spec.fcrCapable ? spec.ratedOutputKw : 0));
    const ratedKw = Math.max(added([...importKw, ...pumpKw]), added([...exportKw, ...outputKw]));
    const above = hz - freqRefHz - upDeadbandHz;
    const below = freqRefHz - lowDeadbandHz - hz;
    let requestedKw = 0;
    if (above > 0) requestedKw = (ratedKw * above) / freqRefHz / (upDroopPct / 100);
    if (below > 0) requestedKw = -(ratedKw * below) / freqRefHz / (lowDroopPct / 100);
    return added(
      this.fcrShares.map(({ capacityKw, deltaKw, limitKw }) => {
        const alone = Math.max(-capacityKw, Math.min(capacityKw, requestedKw));
        return Math.max(-limitKw, Math.min(limitKw, deltaKw + alone)) - deltaKw;
      }),
    );
  }

  /** What a battery or plant gave of its response: at a limit its amount gives way first, down to nothing. */
  private addResponse(kw: number, amountKw: number, requestedKw: number, hours: number): void {
    if (requestedKw > 0) this.upKwh += Math.max(0, Math.min(requestedKw, kw - Math.min(0, amountKw))) * hours;
    if (requestedKw < 0) this.downKwh += Math.max(0, Math.min(-requestedKw, Math.max(0, amountKw) - kw)) * hours;
  }

  private addPaths(hours: number): void {
    const loadKw = total(this.loads);
    const isStore = ({ spec }: SteppedComponent<DispatchableSpec>) => spec.reservoir !== null;
    const stores = [...this.batteries, ...this.plants.filter(isStore)];
    const chargingKw = stores.reduce((sum, { kw }) => sum + Math.max(0, kw), 0);
    const givingKw = stores.reduce((sum, { kw }) => sum + Math.max(0, -kw), 0);
    const sources = [...this.generators, ...this.plants.filter((plant) => !isStore(plant))];
    const generationKw = -total(sources);
    const sunToLoad = Math.min(generationKw, loadKw);
    const sunToStore = Math.min(generationKw - sunToLoad, chargingKw);
    const storeToLoad = Math.min(givingKw, loadKw - sunToLoad);
    const storeToStore = Math.min(givingKw - storeToLoad, chargingKw - sunToStore);
    const give = (part: SteppedComponent<ComponentSpec>, sumKw: number, toLoad: number, toStore: number) => {
      if (part.kw >= 0) return;
      const share = (-part.kw / sumKw) * hours;
      part.paths.toLoad += share * toLoad;
      part.paths.toBattery += share * toStore;
      part.paths.toGrid += share * (sumKw - toLoad - toStore);
    };
    for (const part of sources) give(part, generationKw, sunToLoad, sunToStore);
    for (const part of stores) {
      give(part, givingKw, storeToLoad, storeToStore);
      if (part.kw <= 0) continue;
      const share = (part.kw / chargingKw) * hours;
      part.paths.fromGenerator += share * (sunToStore + storeToStore);
      part.paths.fromGrid += share * (chargingKw - sunToStore - storeToStore);
    }
    for (const part of this.loads)
      if (part.kw > 0) part.paths.fromGrid += (part.kw / loadKw) * (loadKw - sunToLoad - storeToLoad) * hours;
  }
}

const isSameSetpoint = (a: SteppedInputs["setpoint"], b: SteppedInputs["setpoint"]): boolean =>
  a?.deltaKw === b?.deltaKw && a?.baselineKw === b?.baselineKw;

const areSameCapacities = (a: readonly FcrShare[], b: readonly FcrShare[]): boolean =>
  a.length === b.length && a.every(({ capacityKw }, k) => capacityKw === b[k].capacityKw);

const kwAt = (limit: Series | number, atMs: number): number =>
  typeof limit === "number" ? limit : limit.valueAt(atMs);

const total = (parts: readonly { readonly kw: number }[]): number => parts.reduce((sum, { kw }) => sum + kw, 0);

const reducibleKw = ({ drCapable, maxDrReductionKw }: ConsumerSpec): number => (drCapable ? maxDrReductionKw : 0);

const window = ({ ratedCapKwh, socOpMinPct, socOpMaxPct }: BatterySpec) =>
  [(ratedCapKwh * socOpMinPct) / 100, (ratedCapKwh * socOpMaxPct) / 100] as const;

function capabilityKw(part: SteppedComponent<BatterySpec>, sign: number, outputLimitShare: number): number {
  const [emptyKwh, fullKwh] = window(part.spec);
  const isShut = sign > 0 ? fullKwh - SAME <= part.storedKwh : part.storedKwh <= emptyKwh + SAME;
  return isShut ? 0 : taperLimitKw(part, sign, outputLimitShare);
}

/** Rating less taper; output control caps what is sent. */
function taperLimitKw(
  { spec, storedKwh }: SteppedComponent<BatterySpec>,
  sign: number,
  outputLimitShare: number,
): number {
  const soc = (100 * storedKwh) / spec.ratedCapKwh;
  const points = (spec.powerTaper ?? []).map(({ socPct, importFraction, exportFraction }) => ({
    socPct,
    fraction: sign > 0 ? importFraction : exportFraction,
  }));
  let fraction = points.length === 0 ? 1 : points[0].fraction;
  for (let k = 0; k < points.length; k++) {
    const [low, high] = [points[k], points[k + 1]];
    if (soc < low.socPct) break;
    fraction = low.fraction;
    if (high !== undefined && soc < high.socPct)
      fraction += ((high.fraction - low.fraction) * (soc - low.socPct)) / (high.socPct - low.socPct);
  }
  return sign > 0
    ? spec.importMaxKw * fraction
    : Math.min(spec.exportMaxKw * fraction, spec.exportMaxKw * Math.min(1, outputLimitShare));
}

/** What a plant can give, or its pump take. */
function dispatchableCapabilityKw(
  { spec, storedKwh }: SteppedComponent<DispatchableSpec>,
  sign: number,
  outputLimitShare: number,
): number {
  const { reservoir, ratedOutputKw } = spec;
  if (sign > 0) return reservoir === null || reservoir.capacityKwh - SAME <= storedKwh ? 0 : reservoir.pumpMaxKw;
  return reservoir !== null && storedKwh <= SAME ? 0 : ratedOutputKw * outputLimitShare;
}

/** Power that keeps a reservoir within its bounds until the end of the step. */
function stepDispatchable(part: SteppedComponent<DispatchableSpec>, wantedKw: number, hours: number): void {
  const { reservoir } = part.spec;
  part.kw = wantedKw || 0;
  if (reservoir === null) return;
  const { capacityKwh, pumpingEfficiency, generatingEfficiency } = reservoir;
  const mostInKw = Math.max(0, capacityKwh - part.storedKwh) / pumpingEfficiency / hours;
  const mostOutKw = (Math.max(0, part.storedKwh) * generatingEfficiency) / hours;
  part.kw = Math.max(-mostOutKw, Math.min(mostInKw, wantedKw)) || 0;
  part.storedKwh += part.kw * hours * (part.kw > 0 ? pumpingEfficiency : 1 / generatingEfficiency);
}

function storedAtStart(spec: ComponentSpec): number {
  if (spec.kind === "battery") return (spec.ratedCapKwh * spec.initialSocPct) / 100;
  if (spec.kind !== "dispatchable" || spec.reservoir === null) return 0;
  return (spec.reservoir.capacityKwh * spec.reservoir.initialFillPct) / 100;
}

/** Powers that way, cut so that they sum up to the room at most: a common level of what each wants, found by raising it. */
function clampToLimits(ramped: readonly number[], wanted: readonly number[], sign: number, roomKw: number): number[] {
  const would = ramped.map((kw) => Math.max(0, sign * kw));
  if (added(would) <= roomKw) return would;
  const slopesKw = would.map((kw, k) => Math.max(kw, sign * wanted[k]));
  const takenKw = (level: number, k: number) => Math.min(would[k], level * slopesKw[k]);
  let high = 1;
  while (added(would.map((_, k) => takenKw(high, k))) < roomKw) high *= 2;
  const level = commonLevel(roomKw, high, would.length, takenKw);
  return would.map((_, k) => takenKw(level, k));
}

/** The level, up to `high`, at which `count` components together take `allKw`. */
function commonLevel(
  allKw: number,
  high: number,
  count: number,
  takenKw: (level: number, k: number) => number,
): number {
  let above = high;
  let below = 0;
  for (let halving = 0; halving < 60; halving++) {
    const level = (below + above) / 2;
    let sumKw = 0;
    for (let k = 0; k < count; k++) sumKw += takenKw(level, k);
    if (sumKw < allKw) below = level;
    else above = level;
  }
  return below;
}

const added = (values: readonly number[]): number => values.reduce((sum, kw) => sum + kw, 0);

/** Power that keeps the store within its window until the end of the step. */
function stepReservoir(part: SteppedComponent<BatterySpec>, wantedKw: number, hours: number): void {
  const { spec } = part;
  const [emptyKwh, fullKwh] = window(spec);
  const mostInKw = Math.max(0, fullKwh - part.storedKwh) / spec.chargeEfficiency / hours;
  const mostOutKw = (Math.max(0, part.storedKwh - emptyKwh) * spec.dischargeEfficiency) / hours;
  const kw = Math.max(-mostOutKw, Math.min(mostInKw, wantedKw));
  part.kw = kw;
  part.storedKwh += kw * hours * (kw > 0 ? spec.chargeEfficiency : 1 / spec.dischargeEfficiency);
}
