import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { GeneratorComponent } from "../../site/components/generator/generatorComponent.ts";
import { LIMITING_FACTOR } from "../../site/components/segment.ts";
import type { CompositeResource } from "../../site/composite/compositeResource.ts";
import { BatteryRegisters } from "../../site/meters/batteryRegisters.ts";
import { COMPONENT_REGISTER, REGISTER } from "../../site/meters/energyRegisters.ts";
import { baselineKwh, curtailmentRegister } from "../../site/meters/meterRules.ts";
import type { Site } from "../../site/site.ts";
import { type DeviationIntegrals, integrateDeviation, SegmentSum } from "../settlement/segmentSum.ts";
import { componentRegisterBase, computeSumRegisters, registerCount } from "./componentRegisters.ts";
import { EnergyPaths } from "./energyPaths.ts";
import type { SiteMeter } from "./siteMeter.ts";

/**
 * Energy of a site of several components: paths by component, and what the site has as a whole.
 *
 * Walks the law from one change of any component's curve to the next. Where a reading ends within such a piece only its
 * part is added to what is read, so that a register does not depend on when it is read.
 */
export class CompositeMeter extends Copyable implements SiteMeter {
  readonly site: Site;
  readonly batteries: readonly BatteryRegisters[];
  private readonly resource: CompositeResource;
  private readonly energyPaths: EnergyPaths;
  /** Up to `accumulatedToMs`, the end of a piece or of a law. */
  private readonly walkedRegisters: Float64Array;
  private readonly latestRegisters: Float64Array;
  private latestMs: EpochMs = Number.NaN;
  private walkedMs: EpochMs;
  /** When the present law began, and the baseline's register there. */
  private trajectoryStartMs: EpochMs;
  private baselineKwh: number;
  private readonly deviation = new SegmentSum();
  private readonly deviationIntegrals: DeviationIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };

  constructor(site: Site, unit: CompositeResource, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.resource = unit;
    this.energyPaths = new EnergyPaths(unit.components, unit.segments);
    const count = registerCount(site);
    assert(from === null || from.length === count, "registers to go on from are those of this site");
    this.walkedRegisters = from === null ? new Float64Array(count) : from.slice();
    this.latestRegisters = this.walkedRegisters.slice();
    this.walkedMs = startMs;
    this.trajectoryStartMs = startMs;
    this.baselineKwh = this.walkedRegisters[REGISTER.baseline];
    this.batteries = unit.batteries.map((lane) => new BatteryRegisters(lane.component));
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
    for (const book of this.batteries) book.integrate(this.trajectoryStartMs, atMs);
    this.walkedMs = atMs;
    this.trajectoryStartMs = atMs;
    this.latestMs = Number.NaN;
  }

  /** Adds all pieces that end by an instant; where one goes on past it, it is the one that `fill` has just told. */
  private walkTo(atMs: EpochMs): void {
    while (this.walkedMs < atMs) {
      const endMs = this.resource.computeSegments(this.walkedMs);
      if (atMs < endMs) return;
      this.addInterval(endMs - this.walkedMs, this.walkedRegisters);
      this.walkedMs = endMs;
    }
  }

  private baselineKwhAt(atMs: EpochMs): number {
    return this.trajectoryStartMs < atMs
      ? this.baselineKwh + baselineKwh(this.site, this.trajectoryStartMs, atMs)
      : this.baselineKwh;
  }

  /** Adds the first `spanMs` of the piece that `fill` has just told. */
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

  /** What output control takes of what sun, rating and connection point would allow; it is the only cap here. */
  private addCurtailedEnergy(spanMs: number, registers: Float64Array): void {
    const { components: parts, segments: powers } = this.resource;
    const leaf = curtailmentRegister(this.site) - REGISTER.fitCurtailed + COMPONENT_REGISTER.fitCurtailed;
    for (let k = 0; k < parts.length; k++) {
      const part = parts[k];
      if (part.role !== "variable" || powers[k].limitedBy !== LIMITING_FACTOR.outputControl) continue;
      const atMs = this.walkedMs;
      const allowedKwh = this.allowedKwh(k, part, atMs, spanMs);
      const sentKwh = (-powers[k].kw * spanMs) / MS_PER_HOUR;
      registers[componentRegisterBase(k) + leaf] += Math.max(0, allowedKwh - sentKwh);
    }
  }

  /** ∫min(potential, room at the connection point) from an instant on, while its output is capped. */
  private allowedKwh(k: number, { availableKw }: GeneratorComponent, fromMs: EpochMs, spanMs: number): number {
    const toMs = fromMs + spanMs;
    const room = this.resource.exportHeadrooms[k];
    if (room.kw === Number.POSITIVE_INFINITY) return availableKw.integrate(fromMs, toMs);
    let kwh = 0;
    let atMs = fromMs;
    while (atMs < toMs) {
      const endMs = Math.min(toMs, availableKw.nextChangeMs(atMs));
      const slope = availableKw.slopeAt(availableKw.indexAt(atMs));
      const over = this.deviation;
      over.clear();
      over.add(1, availableKw.valueAt(atMs), slope, 0, 0);
      kwh += availableKw.integrate(atMs, endMs);
      // min(potential, room) = potential − (potential − room)⁺.
      over.addShifted(-1, room, atMs - room.originMs);
      integrateDeviation(over, endMs - atMs, 0, this.deviationIntegrals);
      kwh -= this.deviationIntegrals.shortfallKwh;
      atMs = endMs;
    }
    return kwh;
  }
}
