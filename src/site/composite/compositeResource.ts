import { assert } from "../../base/assert.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Series } from "../../series/model/series.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import { BaseResource } from "../components/baseResource.ts";
import {
  CAPABILITY_LIMIT,
  type DeltaRequest,
  type FcrCapabilityQuery,
  type Load,
  type ResourceSite,
} from "../components/capabilities.ts";
import type { ConsumerComponent } from "../components/consumer/consumerComponent.ts";
import type { GeneratorComponent } from "../components/generator/generatorComponent.ts";
import { type Component, kindOf } from "../components/registry.ts";
import { copySegment, LIMITING_FACTOR, newSegment, type Segment } from "../components/segment.ts";
import { type OperatingConditions, PLAN_SETPOINT, type ReplanMs, type Setpoint } from "../components/setpoint.ts";
import { isSameFcrSetpoint } from "../frequency/fcrSetpoint.ts";
import { ratedPowerKw } from "../frequency/ratedPowerKw.ts";
import { newResourceSnapshot, type ResourceSnapshot } from "../siteSnapshot.ts";
import type { SiteSpec } from "../siteSpec.ts";
import { capToExportLimit } from "./capToExportLimit.ts";
import { ComponentController, type ComponentHeadroom } from "./componentController.ts";
import type { BatteryController, ComponentGroup, PlantController } from "./componentGroup.ts";
import { type ComponentSetpoint, isSameComponentSetpoints, NO_COMPONENT_SETPOINTS } from "./componentSetpoints.ts";
import {
  compositeExportKw,
  compositeHeadroomKw,
  compositeReductionKw,
  isCompositeCompatible,
  isStorageLimited,
} from "./compositeCapability.ts";
import {
  allocateFcr,
  fcrCapacityShares,
  hasSameFcrCapacities,
  oneSidedFcrCapacityKw,
  providersFcrCapacityKw,
} from "./compositeFcrCapacity.ts";
import { controlComponents } from "./controlComponents.ts";
import { availableBatteriesKw, availablePlantsKw, type DispatchOptions, dispatchDelta } from "./dispatchDelta.ts";
import { addSegment, resetSum, shiftOrigin } from "./segmentSum.ts";

type AnyController =
  | BatteryController
  | PlantController
  | ComponentController<ConsumerComponent>
  | ComponentController<GeneratorComponent>;

const INDIVIDUALLY_CONTROLLED: { readonly own: true } = { own: true };
const isSiteControlled = ({
  isIndividuallyControlled: isOwn,
}: {
  readonly isIndividuallyControlled: boolean;
}): boolean => !isOwn;

/**
 * Several components behind one connection point: their sum, what each is told of the site's delta, and who yields
 * where the connection point is too narrow.
 *
 * Without an instruction batteries and plants idle, loads draw and PV and wind send what they can; a battery of a site
 * with `control: track` holds the meter at the site's plan, and under an instruction at baseline + delta
 * (docs/model/connection-point.md#no-instruction, #control-mode). Where the export limit binds (0 without reverse flow) first batteries discharge less, then plants give less,
 * then PV and wind send less, the last one listed first. Where the import limit binds batteries charge less and pumps
 * take less; a load is never cut. @see docs/model/connection-point.md#composite
 */
export class CompositeResource extends BaseResource implements ComponentGroup {
  readonly kind = "multi_component";
  readonly spec: SiteSpec;
  /** In the order of the components. */
  readonly components: readonly Component[];
  readonly batteries: readonly BatteryController[];
  readonly plants: readonly PlantController[];
  readonly consumers: readonly ComponentController<ConsumerComponent>[];
  siteControlledBatteries: readonly BatteryController[];
  siteControlledPlants: readonly PlantController[];
  siteControlledConsumers: readonly ComponentController<ConsumerComponent>[];
  readonly generators: readonly GeneratorComponent[];
  /** The same with the set-points that they are told by themselves; as a part of a site they are told nothing. */
  private readonly pvPlants: readonly ComponentController<GeneratorComponent>[];
  /** Those that hold the site's width of frequency response: batteries and plants that may be sold. */
  readonly fcrProviders: readonly (BatteryController | PlantController)[];
  readonly importMaxKw: number;
  /** 0 where nothing may be sent. */
  readonly exportMaxKw: number;
  /** The most and the least that loads, auxiliaries, PV and wind can come to. */
  readonly maxUncontrolledKw: number;
  readonly minUncontrolledKw: number;
  /** Share of the rated output that may be sent, 0..1; the site keeps it up to date. */
  outputLimit = 1;
  /** Own plan of the site, which a tracking battery holds when nobody instructs. */
  plan: Series | number;
  /** Each part's curve from `fill`'s instant on, in the order of the components. */
  readonly segments: readonly Segment[];
  /** Of each part, for PV and wind: what may be sent of it from `fill`'s instant on, in kW, given the others. */
  readonly exportHeadrooms: readonly Segment[];
  private readonly generatorIndexes: readonly number[];
  /** In the order of the components. */
  private readonly controllers: readonly AnyController[];
  private readonly exportHeadroom = newSegment();
  private isServing = true;
  private setpoint: Setpoint = PLAN_SETPOINT;
  private componentSetpoints: readonly ComponentSetpoint[] = NO_COMPONENT_SETPOINTS;
  private isReducing = false;
  /** Of each holder in the site's response, 0..1. */
  private fcrShares: readonly number[] = [];
  /** kW of the site's delta that no component could take when it was divided. */
  private undispatchedKw = 0;
  /** Whether a battery or plant is held back by the connection point: 1 above, -1 below its target, 0 not. */
  connectionLimitSign = 0;

  constructor(spec: SiteSpec, baseline: SiteBaseline) {
    super();
    this.spec = spec;
    this.plan = baseline.planKw;
    const { constraints, capability, components, link } = spec;
    this.importMaxKw = constraints.siteImportMaxKw;
    this.exportMaxKw = capability.reverseFlowAllowed ? constraints.siteExportMaxKw : 0;
    const batteries: BatteryController[] = [];
    const plants: PlantController[] = [];
    const consumers: ComponentController<ConsumerComponent>[] = [];
    const arrays: ComponentController<GeneratorComponent>[] = [];
    const newRoom = (): ComponentHeadroom => ({
      ...constraints,
      siteImportMaxKw: Number.POSITIVE_INFINITY,
      siteExportMaxKw: Number.POSITIVE_INFINITY,
    });
    this.components = components.map((component) => {
      const room = newRoom();
      const unit = kindOf(component).createPart(component, room);
      switch (unit.role) {
        case "storage":
          batteries.push(new ComponentController(unit, room, link.latencyMs));
          break;
        case "dispatchable":
          plants.push(new ComponentController(unit, room, link.latencyMs));
          break;
        case "load":
          consumers.push(new ComponentController(unit, room, link.latencyMs));
          break;
        case "variable":
          arrays.push(new ComponentController(unit, room, link.latencyMs));
          break;
      }
      return unit;
    });
    const generators = arrays.map(({ component: unit }) => unit);
    this.pvPlants = arrays;
    this.siteControlledBatteries = batteries;
    this.siteControlledPlants = plants;
    this.siteControlledConsumers = consumers;
    this.batteries = batteries;
    const auxiliaryKw = sumOf(batteries, ({ component: unit }) => unit.spec.auxiliaryKw);
    this.maxUncontrolledKw = auxiliaryKw + sumOf(consumers, ({ component: unit }) => unit.spec.maxDemandKw);
    this.minUncontrolledKw = auxiliaryKw - sumOf(generators, ({ spec: { ratedOutputKw } }) => ratedOutputKw);
    this.plants = plants;
    this.consumers = consumers;
    this.generators = generators;
    this.fcrProviders = [...batteries, ...plants].filter(({ component }) => component.isFcrProvider);
    this.segments = components.map(newSegment);
    this.exportHeadrooms = components.map(newSegment);
    for (const room of this.exportHeadrooms) resetSum(room, 0, Number.POSITIVE_INFINITY);
    const lanes: readonly AnyController[] = [...batteries, ...plants, ...consumers, ...arrays];
    this.controllers = this.components.map((part) => lanes.find(({ component: unit }) => unit === part)!);
    this.generatorIndexes = this.components.flatMap((part, k) => (part.role === "variable" ? [k] : []));
  }

  get composite(): this {
    return this;
  }

  /** The site's delta is divided first: no load follows it by itself. */
  get load(): null {
    return null;
  }

  get hasLoad(): boolean {
    return this.consumers.length > 0;
  }

  loads(): readonly Load[] {
    return this.consumers.map(({ component }) => component);
  }

  get hasUncontrolledLoad(): boolean {
    return true;
  }

  /** State of charge of all that the batteries store, in %; `null` without one. */
  override socPctAt(atMs: EpochMs): number | null {
    if (this.batteries.length === 0) return null;
    let storedKwh = 0;
    let ratedKwh = 0;
    for (const { component: battery } of this.batteries) {
      storedKwh += battery.trajectory.storedKwhAt(atMs);
      ratedKwh += battery.spec.ratedCapKwh;
    }
    return (100 * storedKwh) / ratedKwh;
  }

  /** Of the first sensor. */
  override get irradiance(): Series | null {
    return this.generators.find(({ spec }) => spec.irradianceWm2 !== null)?.spec.irradianceWm2 ?? null;
  }

  override applyBaseline({ planKw }: SiteBaseline): void {
    this.plan = planKw;
  }

  /** Components get their amounts by themselves; only the response is the site's. */
  isSetpointChange(a: Setpoint, b: Setpoint): boolean {
    return !isSameFcrSetpoint(a.fcr, b.fcr);
  }

  headroomKw(site: ResourceSite, baselineKw: number, up: boolean, atMs: EpochMs): number {
    this.outputLimit = site.outputLimit;
    return compositeHeadroomKw(this, site, { baselineKw, up, atMs });
  }

  override gridImportAvailableKw({ advancedToMs }: ResourceSite): number {
    return Math.min(this.importMaxKw, availableBatteriesKw(this, true, advancedToMs));
  }

  gridExportAvailableKw({ outputLimit }: ResourceSite, atMs: EpochMs): number {
    this.outputLimit = outputLimit;
    return compositeExportKw(this, atMs);
  }

  override dispatchableUpAvailableKw(_site: ResourceSite, atMs: EpochMs): number {
    return availablePlantsKw(this, true, atMs);
  }

  override reductionAvailableKw(site: ResourceSite, sku: Sku | null, atMs: EpochMs): number {
    return compositeReductionKw(this, site, sku, atMs);
  }

  takesDelta(_site: ResourceSite, _baselineKw: number, { direction, sku }: DeltaRequest): boolean {
    return isCompositeCompatible(this, direction, sku);
  }

  capabilityLimit(_site: ResourceSite, up: boolean): number {
    return isStorageLimited(this, up) ? CAPABILITY_LIMIT.energy : CAPABILITY_LIMIT.power;
  }

  override get canRespond(): boolean {
    return this.fcrProviders.length > 0;
  }

  fcrHeadroomKw({ outputLimit }: ResourceSite, { baselineKw, atMs }: FcrCapabilityQuery, up: boolean): number {
    this.outputLimit = outputLimit;
    return oneSidedFcrCapacityKw(this, baselineKw, up, atMs);
  }

  override fcrSustainableKw({ energyTestMinutes, atMs }: FcrCapabilityQuery): number {
    return this.isTracking && energyTestMinutes === 0
      ? Number.POSITIVE_INFINITY
      : providersFcrCapacityKw(this, energyTestMinutes, atMs);
  }

  override isFcrEnergyLimited({ energyTestMinutes, atMs }: FcrCapabilityQuery, upKw: number, downKw: number): boolean {
    if (isStorageLimited(this, true) || isStorageLimited(this, false)) return true;
    const testedKw = providersFcrCapacityKw(this, energyTestMinutes, atMs);
    return testedKw < Math.min(upKw, downKw, providersFcrCapacityKw(this, 0, atMs));
  }

  get inService(): boolean {
    return this.isServing;
  }

  get isTracking(): boolean {
    return this.spec.control === "track" && this.siteControlledBatteries.length > 0;
  }

  /** A part has not heard yet what it was told. */
  override get hasPendingChange(): boolean {
    return this.nextEffectMs() < Number.POSITIVE_INFINITY;
  }

  private nextEffectMs(): EpochMs {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const lane of this.batteries) nextMs = Math.min(nextMs, lane.nextEffectMs);
    for (const lane of this.plants) nextMs = Math.min(nextMs, lane.nextEffectMs);
    for (const lane of this.consumers) nextMs = Math.min(nextMs, lane.nextEffectMs);
    for (const lane of this.pvPlants) nextMs = Math.min(nextMs, lane.nextEffectMs);
    return nextMs;
  }

  advance(atMs: EpochMs): void {
    for (const part of this.components) part.advance(atMs);
  }

  /**
   * Divides what the site is told over its components, when that has changed; nobody takes over later from one that
   * cannot go on (docs/model/battery.md#empty-during-instruction). Components that are told something by themselves are left out.
   *
   * @returns whether a load is to be reduced
   */
  applySetpoint(told: Setpoint, own: readonly ComponentSetpoint[], division: DispatchOptions): boolean {
    const { atMs } = division;
    const was = this.setpoint;
    const sameParts = isSameComponentSetpoints(own, this.componentSetpoints);
    const same =
      sameParts &&
      told.isInstructed === was.isInstructed &&
      told.deltaKw === was.deltaKw &&
      told.baselineKw === was.baselineKw;
    const sameResponse = sameParts && isSameFcrSetpoint(told.fcr, was.fcr);
    if (same && sameResponse) return this.isReducing;
    this.setpoint = told;
    if (!sameParts) this.assignComponentSetpoints(own);
    if (!sameParts || !hasSameFcrCapacities(told.fcr, was.fcr)) this.fcrShares = fcrCapacityShares(this, atMs);
    if (!sameResponse) allocateFcr(this, told.fcr, this.fcrShares, atMs);
    if (same) return this.isReducing;
    this.undispatchedKw = dispatchDelta(this, told, division);
    if (!sameParts) this.applyComponentSetpoints(atMs);
    this.isReducing = this.consumers.some((lane) => lane.hasSetpoint);
    return this.isReducing;
  }

  private assignComponentSetpoints(own: readonly ComponentSetpoint[]): void {
    this.componentSetpoints = own;
    for (const lane of this.controllers)
      lane.isIndividuallyControlled = own.some(({ componentId }) => componentId === lane.component.spec.componentId);
    this.updateSiteControlled();
  }

  private updateSiteControlled(): void {
    this.siteControlledBatteries = this.batteries.filter(isSiteControlled);
    this.siteControlledPlants = this.plants.filter(isSiteControlled);
    this.siteControlledConsumers = this.consumers.filter(isSiteControlled);
  }

  /** A battery, a plant or an array gets its power, a load by how much to go down. */
  private applyComponentSetpoints(atMs: EpochMs): void {
    for (const lane of this.pvPlants) if (!lane.isIndividuallyControlled) lane.applySetpoint(Number.NaN, atMs);
    for (const { componentId, baselineKw, deltaKw, fcr } of this.componentSetpoints) {
      const lane = this.controllers.find(({ component: unit }) => unit.spec.componentId === componentId)!;
      const { component: unit } = lane;
      if (unit.load === null) lane.applySetpoint(baselineKw + deltaKw, atMs);
      else if (deltaKw < 0) lane.applySetpoint(Math.max(deltaKw, -unit.load.spec.maxDrReductionKw), atMs);
      else lane.release();
      const share = fcr === null ? 0 : ratedPowerKw([unit.spec]) / ratedPowerKw(this.spec.components);
      lane.applyFcrAllocation(fcr === null ? null : { share, fcr }, atMs);
    }
  }

  /** What the k-th component is told. */
  controllerOf(k: number): AnyController {
    return this.controllers[k];
  }

  /** Whether a component answers the frequency by itself. */
  override get hasComponentFcr(): boolean {
    return this.componentSetpoints.some(({ fcr }) => fcr !== null);
  }

  /** kW by which the loads are told to go down. */
  get reductionKw(): number {
    let kw = 0;
    for (const lane of this.consumers) kw -= lane.setpointKw;
    return kw;
  }

  beginReduction(): void {
    for (const lane of this.consumers) if (lane.hasSetpoint) lane.component.beginReduction();
  }

  /** The reduction is over since `endMs`; loads let go at once. */
  endReduction(endMs: EpochMs): void {
    for (const { component: unit } of this.consumers) unit.endReduction(endMs);
  }

  /** What the present laws of the parts began with. */
  captureState(out: ResourceSnapshot): void {
    out.parts = this.components.map((part, k) => {
      const origin = newResourceSnapshot();
      part.captureState(origin);
      const lane = this.controllers[k];
      const toldKw = lane.hasSetpoint ? lane.setpointKw : Number.NaN;
      return {
        ...origin,
        kw: lane.effectiveKw,
        toldKw,
        response: lane.fcrAllocation,
        ...(lane.isIndividuallyControlled ? INDIVIDUALLY_CONTROLLED : {}),
      };
    });
  }

  /** Goes back to where a law began; `follow` then gives it again. */
  restore({ parts }: ResourceSnapshot, atMs: EpochMs): void {
    assert(
      parts !== null && parts.length === this.components.length,
      "a law of several components has an origin for each",
    );
    parts.forEach((origin, k) => {
      this.components[k].restore({ ...origin, parts: null }, atMs);
      this.controllers[k].restore(origin);
    });
    this.updateSiteControlled();
  }

  /** Begins a new law for all parts: they follow what `tell` gave them. @returns when to look at the site again */
  planTrajectory(atMs: EpochMs, _target: Setpoint, around: OperatingConditions): ReplanMs {
    this.isServing = around.inService;
    this.connectionLimitSign = 0;
    for (const lane of this.batteries) lane.activatePending(atMs);
    for (const lane of this.plants) lane.activatePending(atMs);
    for (const lane of this.consumers) {
      lane.activatePending(atMs);
      lane.setpoint.isInstructed = lane.effectiveKw < 0;
      lane.setpoint.deltaKw = lane.effectiveKw < 0 ? lane.effectiveKw : 0;
      lane.component.planTrajectory(atMs, lane.setpoint, around);
    }
    for (const lane of this.pvPlants) {
      lane.activatePending(atMs);
      lane.setpoint.isInstructed = !Number.isNaN(lane.effectiveKw);
      lane.setpoint.deltaKw = lane.effectiveKw;
      lane.component.planTrajectory(atMs, lane.setpoint, around);
    }
    return Math.min(this.nextEffectMs(), controlComponents(this, atMs, around));
  }

  /**
   * Fills `powers` with what flows from an instant on, all told from that instant.
   *
   * @returns until when all of it holds
   */
  computeSegments(atMs: EpochMs): EpochMs {
    const { components: parts, segments: powers } = this;
    const room = this.exportHeadroom;
    resetSum(room, atMs, this.exportMaxKw);
    for (let k = 0; k < parts.length; k++) {
      const part = parts[k];
      if (part.role === "variable") continue;
      part.segmentAt(atMs, powers[k]);
      shiftOrigin(powers[k], atMs);
      addSegment(room, powers[k]);
    }
    let endMs = room.endMs;
    for (const k of this.generatorIndexes) {
      parts[k].segmentAt(atMs, powers[k]);
      endMs = Math.min(endMs, powers[k].endMs);
      if (this.exportMaxKw === Number.POSITIVE_INFINITY || !this.isServing) continue;
      copySegment(room, this.exportHeadrooms[k]);
      endMs = Math.min(endMs, capToExportLimit(powers[k], room));
    }
    return Math.min(endMs, room.endMs);
  }

  /** The sum of all parts as one curve, and what keeps the site from what it was told. */
  segmentAt(atMs: EpochMs, out: Segment): void {
    const endMs = this.computeSegments(atMs);
    resetSum(out, atMs, 0);
    for (const power of this.segments) addSegment(out, power);
    out.kw = out.kw || 0;
    out.endMs = Math.min(out.endMs, endMs);
    this.setLimitingFactor(out, this.segments);
  }

  /** The first of the parts' limits in the order of docs/model/accounting.md#delivery-layer that holds the power back from the delta. */
  setLimitingFactor(out: Segment, powers: readonly Segment[]): void {
    out.limitedBy = LIMITING_FACTOR.load;
    out.deviationSign = 0;
    const direction = Math.sign(this.setpoint.deltaKw);
    for (const { limitedBy: binds, deviationSign: keeps } of powers) applyLimit(out, binds, keeps, direction);
    if (this.connectionLimitSign !== 0)
      applyLimit(out, LIMITING_FACTOR.powerLimit, this.connectionLimitSign, direction);
    if (this.undispatchedKw > 0) applyLimit(out, LIMITING_FACTOR.powerLimit, -direction, direction);
  }
}

/** Takes a limit for the one that binds if it comes before what is known to bind, and does not push the way of the delta. */
function applyLimit(out: Segment, binds: number, keeps: number, direction: number): void {
  const best = out.limitedBy === LIMITING_FACTOR.load ? LIMITING_FACTOR.weather : out.limitedBy;
  if (binds === LIMITING_FACTOR.none || best <= binds || keeps * direction > 0) return;
  out.limitedBy = binds;
  out.deviationSign = keeps;
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}
