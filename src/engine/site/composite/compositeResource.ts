import { assert, BugError } from "../../../base/assert.ts";
import { sumOf } from "../../../base/lists.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import { LIMITING_FACTOR } from "../../device/curve/limitingFactor.ts";
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
import type { ComponentSite } from "../components/componentKind.ts";
import type { LoadPart, Part, PlantPart, StoragePart, VariablePart } from "../components/parts.ts";
import { type Component, kindOf } from "../components/registry.ts";
import { copySegment, newSegment, type Segment, shiftOrigin } from "../components/segment.ts";
import { type OperatingConditions, PLAN_SETPOINT, type ReplanMs, type Setpoint } from "../components/setpoint.ts";
import { isSameFcrSetpoint } from "../frequency/fcrSetpoint.ts";
import { ratedPowerKw } from "../frequency/ratedPowerKw.ts";
import type { PowerLimits } from "../siteConstraints.ts";
import { newResourceSnapshot, type ResourceSnapshot } from "../siteSnapshot.ts";
import type { SiteSpec } from "../siteSpec.ts";
import { capToExportLimit } from "./allocateHeadroom.ts";
import { ComponentController, type ComponentHeadroom } from "./componentController.ts";
import type { BatteryController, ComponentGroup, LoadController, PlantController } from "./componentGroup.ts";
import { type ComponentSetpoint, isSameComponentSetpoints, NO_COMPONENT_SETPOINTS } from "./componentSetpoints.ts";
import {
  allocateFcr,
  compositeExportKw,
  compositeHeadroomKw,
  compositeImportKw,
  compositeReductionKw,
  fcrCapacityShares,
  hasSameFcrCapacities,
  isCompositeCompatible,
  isStorageLimited,
  oneSidedFcrCapacityKw,
  providersFcrCapacityKw,
} from "./compositeCapability.ts";
import { applyLimit, controlComponents } from "./controlComponents.ts";
import { availablePartsKw, type DispatchOptions, dispatchDelta } from "./dispatchDelta.ts";
import { addSegment, resetSum } from "./segmentSum.ts";

const INDIVIDUALLY_CONTROLLED: { readonly own: true } = { own: true };
const isSiteControlled = ({ isIndividuallyControlled }: { readonly isIndividuallyControlled: boolean }): boolean =>
  !isIndividuallyControlled;

/**
 * Several components behind one connection point: the sum of their powers, the allocation of the site's delta, and the
 * curtailment order at the limits of the connection point.
 *
 * Without an instruction, batteries and plants idle, loads follow their demand, and PV and wind export their available power.
 * A battery of a site with `control: track` holds the meter at the site's plan, and during an instruction at baseline + delta
 * (docs/model/connection-point.md#no-instruction, docs/model/connection-point.md#control-mode). If the export limit (0 without
 * reverse flow) is reached, batteries are reduced first, then plants, then PV and wind, the last one listed first. If the
 * import limit is reached, battery charging and pumps are reduced; a load is never cut.
 * @see docs/model/connection-point.md#composite
 */
export class CompositeResource extends BaseResource implements ComponentGroup {
  readonly kind = "multi_component";
  readonly spec: SiteSpec;
  readonly components: readonly Component[];
  readonly batteries: readonly BatteryController[];
  readonly plants: readonly PlantController[];
  readonly generatingPlants: readonly PlantController[];
  readonly consumers: readonly LoadController[];
  siteControlledBatteries: readonly BatteryController[];
  siteControlledPlants: readonly PlantController[];
  siteControlledConsumers: readonly LoadController[];
  readonly generators: readonly VariablePart[];
  /** Controllers of PV and wind, which get set-points only from component orders. */
  private readonly generatorControllers: readonly ComponentController<VariablePart>[];
  readonly fcrProviders: readonly (BatteryController | PlantController)[];
  private readonly limits: PowerLimits;
  readonly maxUncontrolledKw: number;
  readonly minUncontrolledKw: number;
  /** Set by the site. */
  outputLimitShare = 1;
  plan: Series | number;
  /** Segment of each component from the instant of `computeSegments` on. */
  readonly segments: readonly Segment[];
  /** Export headroom of each PV and wind component from the instant of `computeSegments` on, in kW; unused for other roles. */
  readonly exportHeadrooms: readonly Segment[];
  private readonly generatorIndexes: readonly number[];
  private readonly controllers: readonly ComponentController[];
  private readonly exportHeadroom = newSegment();
  private isServing = true;
  isStarting = true;
  private setpoint: Setpoint = PLAN_SETPOINT;
  private componentSetpoints: readonly ComponentSetpoint[] = NO_COMPONENT_SETPOINTS;
  private isReducing = false;
  /** Share of each FCR provider in the site's response, 0..1. */
  private fcrShares: readonly number[] = [];
  /** Part of the site's delta in kW that could not be allocated to any component. */
  private undispatchedKw = 0;
  connectionLimitSign = 0;

  constructor(spec: SiteSpec, { baseline, limits }: Pick<ComponentSite, "baseline" | "limits">) {
    super();
    this.spec = spec;
    this.plan = baseline.planKw;
    this.limits = limits;
    const { components, link } = spec;
    const batteries: BatteryController[] = [];
    const plants: PlantController[] = [];
    const consumers: LoadController[] = [];
    const generatorControllers: ComponentController<VariablePart>[] = [];
    const controllers: ComponentController[] = [];
    this.components = components.map((componentSpec) => {
      const headroom: ComponentHeadroom = {
        siteImportMaxKw: Number.POSITIVE_INFINITY,
        siteExportMaxKw: Number.POSITIVE_INFINITY,
      };
      const kind = kindOf(componentSpec);
      const component = kind.createPart(componentSpec, headroom);
      const delayMs = link.latencyMs + kind.operation.responseDelayMs(componentSpec);
      const control = <T extends Part>(part: T, others: ComponentController<T>[]): void => {
        const controller = new ComponentController(part, headroom, delayMs);
        others.push(controller);
        controllers.push(controller);
      };
      if (component.role === "storage") control<StoragePart>(component, batteries);
      else if (component.role === "plant") control<PlantPart>(component, plants);
      else if (component.role === "load") control<LoadPart>(component, consumers);
      else if (component.role === "variable") control<VariablePart>(component, generatorControllers);
      else throw new BugError(`a component of the kind ${component.kind} has its site to itself`);
      return component;
    });
    for (const { component } of batteries) component.startAt(0);
    this.controllers = controllers;
    const generators = generatorControllers.map(({ component }) => component);
    this.generatorControllers = generatorControllers;
    this.siteControlledBatteries = batteries;
    this.siteControlledPlants = plants;
    this.siteControlledConsumers = consumers;
    this.batteries = batteries;
    const auxiliaryKw = sumOf(batteries, ({ component }) => component.spec.auxiliaryKw);
    this.maxUncontrolledKw =
      auxiliaryKw +
      sumOf(consumers, ({ component }) => component.spec.maxDemandKw) +
      sumOf(plants, ({ component }) => component.naturalMaxKw);
    this.minUncontrolledKw = auxiliaryKw - sumOf(generators, ({ spec: { ratedOutputKw } }) => ratedOutputKw);
    this.plants = plants;
    this.generatingPlants = plants.filter(({ component }) => component.naturalKw === null);
    this.consumers = consumers;
    this.generators = generators;
    this.fcrProviders = [...batteries, ...plants].filter(({ component }) => component.isFcrProvider);
    this.segments = components.map(newSegment);
    this.exportHeadrooms = components.map(newSegment);
    for (const headroom of this.exportHeadrooms) resetSum(headroom, 0, Number.POSITIVE_INFINITY);
    this.generatorIndexes = this.components.flatMap((component, k) => (component.role === "variable" ? [k] : []));
  }

  get importMaxKw(): number {
    return this.limits.siteImportMaxKw;
  }

  get exportMaxKw(): number {
    return this.spec.capability.reverseFlowAllowed ? this.limits.siteExportMaxKw : 0;
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
    return this.generators.find(({ irradiance }) => irradiance !== null)?.irradiance ?? null;
  }

  override shadeTo(share: number): void {
    for (const component of this.components) component.shadeTo(share);
  }

  override expectInput(atMs: EpochMs): void {
    for (const component of this.components) component.expectInput(atMs, null);
  }

  override applyBaseline({ planKw }: SiteBaseline): void {
    this.plan = planKw;
  }

  /** Components get their amounts by themselves; only the response is the site's. */
  isSetpointChange(a: Setpoint, b: Setpoint): boolean {
    return !isSameFcrSetpoint(a.fcr, b.fcr);
  }

  headroomKw(site: ResourceSite, baselineKw: number, up: boolean, atMs: EpochMs, hours = 0): number {
    this.outputLimitShare = site.outputLimitShare;
    return compositeHeadroomKw(this, site, { baselineKw, up, atMs, hours });
  }

  override gridImportAvailableKw({ advancedToMs }: ResourceSite): number {
    return compositeImportKw(this, advancedToMs);
  }

  gridExportAvailableKw({ outputLimitShare }: ResourceSite, atMs: EpochMs): number {
    this.outputLimitShare = outputLimitShare;
    return compositeExportKw(this, atMs);
  }

  override dispatchableUpAvailableKw(_site: ResourceSite, atMs: EpochMs): number {
    return availablePartsKw(this, this.plants, true, atMs);
  }

  override reductionAvailableKw(site: ResourceSite, sku: Sku | null, atMs: EpochMs): number {
    return compositeReductionKw(this, site, sku, atMs);
  }

  takesDelta(_site: ResourceSite, _baselineKw: number, { direction, sku }: DeltaRequest): boolean {
    return isCompositeCompatible(this, direction, sku);
  }

  capabilityLimit(site: ResourceSite, up: boolean, baselineKw: number): number {
    const { energy, power, outputControl } = CAPABILITY_LIMIT;
    if (isStorageLimited(this, up)) return energy;
    this.outputLimitShare = 1;
    const uncontrolledKw = compositeHeadroomKw(this, site, { baselineKw, up, atMs: site.advancedToMs, hours: 0 });
    return this.headroomKw(site, baselineKw, up, site.advancedToMs) < uncontrolledKw ? outputControl : power;
  }

  override get canRespond(): boolean {
    return this.fcrProviders.length > 0;
  }

  fcrHeadroomKw({ outputLimitShare }: ResourceSite, { baselineKw, atMs }: FcrCapabilityQuery, up: boolean): number {
    this.outputLimitShare = outputLimitShare;
    return oneSidedFcrCapacityKw(this, baselineKw, up, atMs);
  }

  override fcrSustainableKw({ energyTestMinutes, atMs }: FcrCapabilityQuery): number {
    return this.isTracking && energyTestMinutes === 0
      ? Number.POSITIVE_INFINITY
      : providersFcrCapacityKw(this, energyTestMinutes, atMs);
  }

  override get isAtFcrBound(): boolean {
    return isStorageLimited(this, true) || isStorageLimited(this, false);
  }

  get inService(): boolean {
    return this.isServing;
  }

  get isTracking(): boolean {
    return this.spec.control === "track" && this.siteControlledBatteries.length > 0;
  }

  /** Whether a set-point of a component has not taken effect yet. */
  override get hasPendingChange(): boolean {
    return this.nextEffectMs() < Number.POSITIVE_INFINITY;
  }

  private nextEffectMs(): EpochMs {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const controller of this.controllers) nextMs = Math.min(nextMs, controller.nextEffectMs);
    return nextMs;
  }

  advance(atMs: EpochMs): void {
    for (const component of this.components) component.advance(atMs);
  }

  /**
   * Allocates a changed set-point of the site to its components. If a component later cannot continue, the others do not take
   * over (docs/model/battery.md#empty-during-instruction). Components with a set-point of their own are left out.
   *
   * @returns whether a load is reduced
   */
  applySetpoint(
    setpoint: Setpoint,
    componentSetpoints: readonly ComponentSetpoint[],
    options: DispatchOptions,
  ): boolean {
    const { atMs } = options;
    const previous = this.setpoint;
    const sameComponentSetpoints = isSameComponentSetpoints(componentSetpoints, this.componentSetpoints);
    const same =
      sameComponentSetpoints &&
      setpoint.isInstructed === previous.isInstructed &&
      setpoint.deltaKw === previous.deltaKw &&
      setpoint.baselineKw === previous.baselineKw;
    const sameResponse = sameComponentSetpoints && isSameFcrSetpoint(setpoint.fcr, previous.fcr);
    if (same && sameResponse) return this.isReducing;
    this.setpoint = setpoint;
    if (!sameComponentSetpoints) this.assignComponentSetpoints(componentSetpoints);
    if (!sameComponentSetpoints || !hasSameFcrCapacities(setpoint.fcr, previous.fcr))
      this.fcrShares = fcrCapacityShares(this, atMs);
    if (!sameResponse) allocateFcr(this, setpoint.fcr, this.fcrShares, atMs);
    if (same) return this.isReducing;
    this.undispatchedKw = dispatchDelta(this, setpoint, options);
    if (!sameComponentSetpoints) this.applyComponentSetpoints(atMs);
    this.isReducing = this.consumers.some((controller) => controller.hasSetpoint);
    return this.isReducing;
  }

  private assignComponentSetpoints(componentSetpoints: readonly ComponentSetpoint[]): void {
    this.componentSetpoints = componentSetpoints;
    for (const controller of this.controllers)
      controller.isIndividuallyControlled = componentSetpoints.some(
        ({ componentId }) => componentId === controller.component.spec.componentId,
      );
    this.updateSiteControlled();
  }

  private updateSiteControlled(): void {
    this.siteControlledBatteries = this.batteries.filter(isSiteControlled);
    this.siteControlledPlants = this.plants.filter(isSiteControlled);
    this.siteControlledConsumers = this.consumers.filter(isSiteControlled);
  }

  /** Sends the set-points of single components: the power of a battery, plant or generator, the reduction of a load. */
  private applyComponentSetpoints(atMs: EpochMs): void {
    for (const controller of this.generatorControllers)
      if (!controller.isIndividuallyControlled) controller.applySetpoint(Number.NaN, atMs);
    for (const { componentId, baselineKw, deltaKw, fcr } of this.componentSetpoints) {
      const { components } = this.spec;
      const k = components.findIndex((component) => component.componentId === componentId);
      assert(k >= 0, "a component set-point names a component of its site");
      const controller = this.controllers[k];
      const setpointKw = controller.component.individualSetpointKw(baselineKw, deltaKw);
      if (setpointKw === null) controller.release();
      else controller.applySetpoint(setpointKw, atMs);
      const share = fcr === null ? 0 : ratedPowerKw([components[k]]) / ratedPowerKw(components);
      controller.applyFcrAllocation(fcr === null ? null : { share, fcr }, atMs);
    }
  }

  /** The controller of the k-th component. */
  controllerOf(k: number): ComponentController {
    return this.controllers[k];
  }

  /** Whether a component has an FCR order of its own. */
  override get hasComponentFcr(): boolean {
    return this.componentSetpoints.some(({ fcr }) => fcr !== null);
  }

  /** Sum of the loads' reduction set-points in kW. */
  get reductionKw(): number {
    let kw = 0;
    for (const controller of this.consumers) kw -= controller.setpointKw;
    return kw;
  }

  beginReduction(): void {
    for (const controller of this.consumers) if (controller.hasSetpoint) controller.component.beginReduction();
  }

  /** Ends the reduction of the loads, which has been over since `endMs`. */
  endReduction(endMs: EpochMs): void {
    for (const { component } of this.consumers) component.endReduction(endMs);
  }

  /** Saves the state at the start of the components' current trajectories. */
  captureState(out: ResourceSnapshot): void {
    out.parts = this.components.map((component, k) => {
      const origin = newResourceSnapshot();
      component.captureState(origin);
      const controller = this.controllers[k];
      const setpointKw = controller.hasSetpoint ? controller.setpointKw : Number.NaN;
      return {
        ...origin,
        kw: controller.effectiveKw,
        setpointKw,
        response: controller.fcrAllocation,
        ...(controller.isIndividuallyControlled ? INDIVIDUALLY_CONTROLLED : {}),
      };
    });
  }

  /** Restores the state at the start of a trajectory; `planTrajectory` then plans it again. */
  restore({ parts }: ResourceSnapshot, atMs: EpochMs): void {
    assert(
      parts !== null && parts.length === this.components.length,
      "a snapshot of a composite has one entry per component",
    );
    parts.forEach((origin, k) => {
      this.components[k].restore({ ...origin, parts: null }, atMs);
      this.controllers[k].restore(origin);
    });
    this.updateSiteControlled();
    this.isStarting = false;
  }

  /** Plans new trajectories of all components for their set-points. @returns when the site must be replanned */
  planTrajectory(atMs: EpochMs, _target: Setpoint, conditions: OperatingConditions): ReplanMs {
    this.isServing = conditions.inService;
    this.connectionLimitSign = 0;
    for (const controller of this.controllers) controller.activatePending(atMs);
    for (const controller of this.consumers) {
      controller.setpoint.isInstructed = controller.effectiveKw < 0;
      controller.setpoint.deltaKw = controller.effectiveKw < 0 ? controller.effectiveKw : 0;
      controller.planTrajectory(atMs, conditions);
    }
    for (const controller of this.generatorControllers) {
      controller.setpoint.isInstructed = !Number.isNaN(controller.effectiveKw);
      controller.setpoint.deltaKw = controller.effectiveKw;
      controller.planTrajectory(atMs, conditions);
    }
    let nextMs = Math.min(this.nextEffectMs(), controlComponents(this, atMs, conditions));
    for (const { replanMs } of this.controllers) nextMs = Math.min(nextMs, replanMs);
    this.isStarting = false;
    return nextMs;
  }

  /**
   * Fills `segments` with the powers from an instant on, with that instant as their origin.
   *
   * @returns until when all segments are valid
   */
  computeSegments(atMs: EpochMs): EpochMs {
    const { components, segments } = this;
    const headroom = this.exportHeadroom;
    resetSum(headroom, atMs, this.exportMaxKw);
    for (let k = 0; k < components.length; k++) {
      const component = components[k];
      if (component.role === "variable") continue;
      component.segmentAt(atMs, segments[k]);
      shiftOrigin(segments[k], atMs);
      addSegment(headroom, segments[k]);
    }
    let endMs = headroom.endMs;
    for (const k of this.generatorIndexes) {
      components[k].segmentAt(atMs, segments[k]);
      endMs = Math.min(endMs, segments[k].endMs);
      if (this.exportMaxKw === Number.POSITIVE_INFINITY || !this.isServing) continue;
      copySegment(headroom, this.exportHeadrooms[k]);
      endMs = Math.min(endMs, capToExportLimit(segments[k], headroom));
    }
    return Math.min(endMs, headroom.endMs);
  }

  /** The sum of all components as one segment, with the site's limiting factor. */
  segmentAt(atMs: EpochMs, out: Segment): void {
    const endMs = this.computeSegments(atMs);
    resetSum(out, atMs, 0);
    for (const power of this.segments) addSegment(out, power);
    out.kw = out.kw || 0;
    out.endMs = Math.min(out.endMs, endMs);
    this.setLimitingFactor(out, this.segments);
  }

  /** Sets the first limiting factor, in the order of docs/model/accounting.md#delivery-layer, that keeps the site from its delta. */
  setLimitingFactor(out: Segment, segments: readonly Segment[]): void {
    out.limitedBy = LIMITING_FACTOR.load;
    out.deviationSign = 0;
    const direction = Math.sign(this.setpoint.deltaKw);
    for (const { limitedBy, deviationSign } of segments) applyLimit(out, limitedBy, deviationSign, direction);
    if (this.connectionLimitSign !== 0)
      applyLimit(out, LIMITING_FACTOR.powerLimit, this.connectionLimitSign, direction);
    if (this.undispatchedKw > 0) applyLimit(out, LIMITING_FACTOR.powerLimit, -direction, direction);
  }
}
