import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { LIMITING_FACTOR } from "../../engine/device/curve/limitingFactor.ts";
import type { VariablePart } from "../../engine/site/components/parts.ts";
import type { CompositeResource } from "../../engine/site/composite/compositeResource.ts";
import { BatteryRegisters } from "../../engine/site/meters/batteryRegisters.ts";
import { COMPONENT_REGISTER, REGISTER } from "../../engine/site/meters/energyRegisters.ts";
import { baselineKwh, curtailmentRegister } from "../../engine/site/meters/meterRegisters.ts";
import type { ResourceMeter } from "../../engine/site/meters/resourceMeter.ts";
import type { Site } from "../../engine/site/site.ts";
import { type DeviationIntegrals, integrateDeviation, SegmentSum } from "../settlement/segmentSum.ts";
import { componentRegisterBase, computeSumRegisters, registerCount } from "./componentRegisters.ts";
import { EnergyPaths } from "./energyPaths.ts";

/** The meter of a site, of one component or several. */
export type SiteMeter = ResourceMeter<Site>;

/**
 * Energy of a site of several components: energy paths by component, and the registers of the whole site.
 *
 * Integrates the trajectory in intervals, each of which ends where a component's segment ends. A reading within an
 * interval adds the partial energy to the reading only, so that registers do not depend on reading times.
 */
export class CompositeMeter extends Copyable implements SiteMeter {
  readonly site: Site;
  readonly batteries: readonly BatteryRegisters[];
  countsBaseline = true;
  private readonly resource: CompositeResource;
  private readonly energyPaths: EnergyPaths;
  /** Energy up to `walkedMs`, the end of an interval or of a trajectory. */
  private readonly walkedRegisters: Float64Array;
  private readonly latestRegisters: Float64Array;
  private latestMs: EpochMs = Number.NaN;
  private walkedMs: EpochMs;
  /** Start of the present trajectory, and the baseline register at that instant. */
  private trajectoryStartMs: EpochMs;
  private baselineKwh: number;
  private readonly deviation = new SegmentSum();
  private readonly deviationIntegrals: DeviationIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };

  constructor(site: Site, resource: CompositeResource, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.resource = resource;
    this.energyPaths = new EnergyPaths(resource.components, resource.segments);
    const count = registerCount(site);
    assert(from === null || from.length === count, "initial registers must match the register count of the site");
    this.walkedRegisters = from === null ? new Float64Array(count) : from.slice();
    this.latestRegisters = this.walkedRegisters.slice();
    this.walkedMs = startMs;
    this.trajectoryStartMs = startMs;
    this.baselineKwh = this.walkedRegisters[REGISTER.baseline];
    this.batteries = resource.batteries.map((controller) => new BatteryRegisters(controller.component));
  }

  read(atMs: EpochMs): Float64Array {
    if (atMs === this.latestMs) return this.latestRegisters;
    const latest = this.latestRegisters;
    this.latestMs = atMs;
    this.walkTo(atMs);
    latest.set(this.walkedRegisters);
    if (this.walkedMs < atMs) this.addInterval(atMs - this.walkedMs, latest);
    latest[REGISTER.baseline] = this.baselineKwhAt(atMs);
    computeSumRegisters(this.site, latest);
    return latest;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.trajectoryStartMs) return;
    this.walkTo(atMs);
    if (this.walkedMs < atMs) this.addInterval(atMs - this.walkedMs, this.walkedRegisters);
    this.baselineKwh = this.baselineKwhAt(atMs);
    this.walkedRegisters[REGISTER.baseline] = this.baselineKwh;
    for (const battery of this.batteries) battery.integrate(this.trajectoryStartMs, atMs);
    this.walkedMs = atMs;
    this.trajectoryStartMs = atMs;
    this.latestMs = Number.NaN;
  }

  /** Adds all intervals that end by an instant. The segments of an interval that ends later are left in `resource.segments`. */
  private walkTo(atMs: EpochMs): void {
    while (this.walkedMs < atMs) {
      const endMs = this.resource.computeSegments(this.walkedMs);
      if (atMs < endMs) return;
      this.addInterval(endMs - this.walkedMs, this.walkedRegisters);
      this.walkedMs = endMs;
    }
  }

  private baselineKwhAt(atMs: EpochMs): number {
    return this.countsBaseline && this.trajectoryStartMs < atMs
      ? this.baselineKwh + baselineKwh(this.site, this.trajectoryStartMs, atMs)
      : this.baselineKwh;
  }

  /** Adds the energy of the first `spanMs` of the interval in `resource.segments`. */
  private addInterval(spanMs: number, registers: Float64Array): void {
    if (!this.site.isInService) return;
    this.energyPaths.addEnergy(spanMs, registers, componentRegisterBase(0));
    if (this.site.outputControls.length > 0) this.addCurtailedEnergy(spanMs, registers);
    if (this.site.reduction.reducing) registers[REGISTER.drDelivered] += this.belowBaselineKwh(spanMs);
  }

  /** ∫max(0, baseline − power) at the connection point. */
  private belowBaselineKwh(spanMs: number): number {
    const below = this.deviation;
    below.clear();
    below.kw = this.site.reportedBaselineKw(this.walkedMs);
    for (const power of this.resource.segments) below.addMerged(-1, power);
    integrateDeviation(below, spanMs, 0, this.deviationIntegrals);
    return this.deviationIntegrals.shortfallKwh;
  }

  /** Adds the energy curtailed by output control, relative to the limits of weather, rating and connection point. */
  private addCurtailedEnergy(spanMs: number, registers: Float64Array): void {
    const { components, segments } = this.resource;
    const register = curtailmentRegister(this.site) - REGISTER.fitCurtailed + COMPONENT_REGISTER.fitCurtailed;
    for (let k = 0; k < components.length; k++) {
      const component = components[k];
      if (component.role !== "variable" || segments[k].limitedBy !== LIMITING_FACTOR.outputControl) continue;
      const atMs = this.walkedMs;
      const allowedKwh = this.allowedKwh(k, component, atMs, spanMs);
      const sentKwh = (-segments[k].kw * spanMs) / MS_PER_HOUR;
      registers[componentRegisterBase(k) + register] += Math.max(0, allowedKwh - sentKwh);
    }
  }

  /** ∫min(potential, headroom at the connection point) in kWh, for a plant under output control. */
  private allowedKwh(k: number, { availableKw }: VariablePart, fromMs: EpochMs, spanMs: number): number {
    const toMs = fromMs + spanMs;
    const headroom = this.resource.exportHeadrooms[k];
    if (headroom.kw === Number.POSITIVE_INFINITY) return availableKw.integrate(fromMs, toMs);
    let kwh = 0;
    let atMs = fromMs;
    while (atMs < toMs) {
      const endMs = Math.min(toMs, availableKw.nextChangeMs(atMs));
      const slope = availableKw.slopeAt(availableKw.indexAt(atMs));
      const over = this.deviation;
      over.clear();
      over.kw = availableKw.valueAt(atMs);
      over.kwPerMs = slope;
      kwh += availableKw.integrate(atMs, endMs);
      // min(potential, headroom) = potential − (potential − headroom)⁺.
      over.addShifted(-1, headroom, atMs - headroom.originMs);
      integrateDeviation(over, endMs - atMs, 0, this.deviationIntegrals);
      kwh -= this.deviationIntegrals.shortfallKwh;
      atMs = endMs;
    }
    return kwh;
  }
}
