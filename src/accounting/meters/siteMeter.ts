import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../base/time.ts";
import { cappedIntegral } from "../../series/model/cappedIntegral.ts";
import { Series } from "../../series/model/series.ts";
import type { BatteryComponent } from "../../site/components/battery/batteryComponent.ts";
import type { ConsumerComponent } from "../../site/components/consumer/consumerComponent.ts";
import type { DispatchableComponent } from "../../site/components/dispatchable/dispatchableComponent.ts";
import type { GeneratorComponent, OutputAccumulator } from "../../site/components/generator/generatorComponent.ts";
import { newSegment } from "../../site/components/segment.ts";
import { REGISTER, REGISTER_COUNT } from "../../site/meters/energyRegisters.ts";
import type { Site } from "../../site/site.ts";
import { BatteryRegisters } from "./batteryRegisters.ts";
import { baselineKwh, curtailmentRegister } from "./meterRules.ts";
import { TrajectoryWalker } from "./trajectoryWalker.ts";

/**
 * Cumulative energy registers of one site.
 *
 * A register is a sum up to the last change of law plus a closed form since then, so that it depends on what happened
 * and not on when it is read: any cut of a period sums to the whole.
 */
export interface SiteMeter {
  readonly site: Site;
  /** One for each battery of the site. */
  readonly batteries: readonly BatteryRegisters[];
  /**
   * The registers as they stand at an instant of the present law; another call may change what this one gave.
   *
   * @param orderKw  baseline of the order in force, in kW, where somebody else knows what the site executes; NaN where
   *                 there is none. Without it the site knows. Only what may be kept in a bank needs to heed it.
   */
  read(atMs: EpochMs, orderKw?: number): Float64Array;
  /** The present law ends here. */
  close(atMs: EpochMs): void;
}

/** What a meter has added up, and what it read last: a law mostly ends where an interval does, and is read once then. */
class MeterRegisters extends Copyable {
  /** Up to the last change of law. */
  closed = new Float64Array(REGISTER_COUNT);
  private latest = new Float64Array(REGISTER_COUNT);
  private latestMs: EpochMs = Number.NaN;

  /** @param from  what to go on from, copied; all 0 without */
  constructor(from: Float64Array | null) {
    super();
    if (from !== null) this.closed.set(from);
  }

  /** What was read at this instant under the present law, if it was. */
  cachedAt(atMs: EpochMs): Float64Array | null {
    return atMs === this.latestMs ? this.latest : null;
  }

  /** The registers up to the last change of law, to add what came since. */
  beginReading(atMs: EpochMs): Float64Array {
    this.latestMs = atMs;
    const { closed } = this;
    const latest = this.latest;
    for (let k = 0; k < REGISTER_COUNT; k++) latest[k] = closed[k];
    return latest;
  }

  /** The law ended where it was read last. */
  closeLatest(): void {
    const latest = this.latest;
    this.latest = this.closed;
    this.closed = latest;
    this.latestMs = Number.NaN;
  }
}

/** Also keeps what battery reports tell: throughput, cycles, SOC. */
export class BatteryMeter extends Copyable implements SiteMeter {
  readonly site: Site;
  readonly batteries: readonly BatteryRegisters[];
  private readonly component: BatteryComponent;
  readonly batteryRegisters: BatteryRegisters;
  private readonly registers: MeterRegisters;
  private readonly walker = new TrajectoryWalker();
  private trajectoryStartMs: EpochMs;

  constructor(site: Site, unit: BatteryComponent, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new MeterRegisters(from);
    this.component = unit;
    this.trajectoryStartMs = startMs;
    this.batteryRegisters = new BatteryRegisters(unit);
    this.batteries = [this.batteryRegisters];
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.trajectoryStartMs;
    if (atMs <= fromMs) return this.registers.closed;
    return this.registers.cachedAt(atMs) ?? this.addSince(fromMs, atMs, this.registers.beginReading(atMs));
  }

  /** @returns `registers` with what the law has brought since it began */
  private addSince(fromMs: EpochMs, atMs: EpochMs, registers: Float64Array): Float64Array {
    const { trajectory: law } = this.component;
    registers[REGISTER.baseline] += baselineKwh(this.site, fromMs, atMs);
    if (this.batteryRegisters.isSteadyUntil(atMs)) {
      const kwh = (law.constKw[0] * (atMs - fromMs)) / MS_PER_HOUR;
      if (kwh > 0) registers[REGISTER.import] += kwh;
      else registers[REGISTER.export] -= kwh;
      return registers;
    }
    this.walker.read(law, fromMs, atMs);
    registers[REGISTER.import] += this.walker.importKwh;
    registers[REGISTER.export] += this.walker.exportKwh;
    return registers;
  }

  /** What stands in the registers where the last law ended. */
  get closedRegisters(): Float64Array {
    return this.registers.closed;
  }

  /** Goes on with a law that began at an instant, with registers and book as they were then. */
  resume(lawBeganMs: EpochMs): void {
    this.trajectoryStartMs = lawBeganMs;
  }

  close(atMs: EpochMs): void {
    const fromMs = this.trajectoryStartMs;
    if (atMs <= fromMs) return;
    // What nobody has read before need not be kept apart from what was closed.
    if (this.registers.cachedAt(atMs) === null) this.addSince(fromMs, atMs, this.registers.closed);
    else this.registers.closeLatest();
    this.walker.restart();
    this.trajectoryStartMs = atMs;
    this.batteryRegisters.integrate(fromMs, atMs);
  }
}

/** What a law has brought since it began, in kWh. */
export interface TrajectoryEnergy {
  baselineKwh: number;
  importKwh: number;
  exportKwh: number;
  /** Kept back by output control, and by a set-point. */
  outputControlledKwh: number;
  manuallyCurtailedKwh: number;
  drDeliveredKwh: number;
}

export const newTrajectoryEnergy = (): TrajectoryEnergy => ({
  baselineKwh: 0,
  importKwh: 0,
  exportKwh: 0,
  outputControlledKwh: 0,
  manuallyCurtailedKwh: 0,
  drDeliveredKwh: 0,
});

/** The meter of an array or a load, of which a bank may keep many that follow one law. */
export interface SharedTrajectoryMeter extends SiteMeter {
  /**
   * As `close`, at a later instant than the law began at, whether it has been read there or not.
   *
   * @param orderKw  as of `read`
   * @param energy   filled with what the law has brought, as far as meters of this kind add it up
   */
  closeAndMeasure(atMs: EpochMs, orderKw: number, energy: TrajectoryEnergy): void;
  /** The same where what the law has brought is known. */
  closeWithEnergy(atMs: EpochMs, energy: TrajectoryEnergy): void;
}

const NO_BATTERIES: readonly BatteryRegisters[] = [];

export class GeneratorMeter extends Copyable implements SharedTrajectoryMeter {
  readonly site: Site;
  readonly batteries = NO_BATTERIES;
  private readonly component: GeneratorComponent;
  private readonly registers: MeterRegisters;
  private trajectoryStartMs: EpochMs;
  /** Of the capped output since the law began. */
  private readonly outputIntegral: OutputAccumulator;
  /** Filled anew for each reading. */
  private readonly trajectoryEnergy = newTrajectoryEnergy();

  constructor(site: Site, unit: GeneratorComponent, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new MeterRegisters(from);
    this.component = unit;
    this.trajectoryStartMs = startMs;
    this.outputIntegral = { atMs: startMs, exportedKwh: 0 };
  }

  read(atMs: EpochMs, orderKw = Number.NaN): Float64Array {
    if (atMs <= this.trajectoryStartMs) return this.registers.closed;
    const known = this.registers.cachedAt(atMs);
    if (known !== null) return known;
    this.measure(atMs, orderKw, this.trajectoryEnergy);
    return this.addEnergy(this.trajectoryEnergy, this.registers.beginReading(atMs));
  }

  private measure(atMs: EpochMs, orderKw: number, energy: TrajectoryEnergy): void {
    const fromMs = this.trajectoryStartMs;
    energy.baselineKwh = Number.isNaN(orderKw)
      ? baselineKwh(this.site, fromMs, atMs)
      : (orderKw * (atMs - fromMs)) / MS_PER_HOUR;
    energy.exportKwh = 0;
    energy.outputControlledKwh = 0;
    energy.manuallyCurtailedKwh = 0;
    const unit = this.component;
    if (!unit.inService) return;
    const potentialKwh = unit.availableKw.integrate(fromMs, atMs);
    if (unit.capKw === Number.POSITIVE_INFINITY) {
      energy.exportKwh = potentialKwh;
      return;
    }
    const sentKwh = Math.min(unit.exportedKwhUntil(atMs, this.outputIntegral), potentialKwh);
    energy.exportKwh = sentKwh;
    const curtailedKwh = potentialKwh - sentKwh;
    energy.outputControlledKwh = this.outputControlledKwh(curtailedKwh, fromMs, atMs);
    energy.manuallyCurtailedKwh = curtailedKwh - energy.outputControlledKwh;
  }

  /** Output control takes first, down to its cap; the rest is the set-point's. */
  private outputControlledKwh(curtailedKwh: number, fromMs: EpochMs, atMs: EpochMs): number {
    const { outputControlKw, setpointKw: setPointKw, availableKw } = this.component;
    if (outputControlKw === Number.POSITIVE_INFINITY) return 0;
    if (outputControlKw <= setPointKw) return curtailedKwh;
    const aboveKwh = availableKw.integrate(fromMs, atMs) - cappedIntegral(availableKw, outputControlKw, fromMs, atMs);
    return Math.min(curtailedKwh, aboveKwh);
  }

  private addEnergy(energy: TrajectoryEnergy, registers: Float64Array): Float64Array {
    registers[REGISTER.baseline] += energy.baselineKwh;
    registers[REGISTER.export] += energy.exportKwh;
    if (energy.outputControlledKwh !== 0) registers[curtailmentRegister(this.site)] += energy.outputControlledKwh;
    registers[REGISTER.manualCurtailed] += energy.manuallyCurtailedKwh;
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.trajectoryStartMs) return;
    // What was read here still stands in `energy`.
    if (this.registers.cachedAt(atMs) === null) this.measure(atMs, Number.NaN, this.trajectoryEnergy);
    this.closeWithEnergy(atMs, this.trajectoryEnergy);
  }

  closeAndMeasure(atMs: EpochMs, orderKw: number, energy: TrajectoryEnergy): void {
    this.measure(atMs, orderKw, energy);
    this.closeWithEnergy(atMs, energy);
  }

  closeWithEnergy(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.addEnergy(energy, this.registers.closed);
    this.trajectoryStartMs = atMs;
    this.outputIntegral.atMs = atMs;
    this.outputIntegral.exportedKwh = 0;
  }
}

/** A plant that gives what it is told: nothing of its energy is curtailed. */
export class DispatchableMeter extends Copyable implements SiteMeter {
  readonly site: Site;
  readonly batteries = NO_BATTERIES;
  private readonly component: DispatchableComponent;
  private readonly registers: MeterRegisters;
  private readonly walker = new TrajectoryWalker();
  private trajectoryStartMs: EpochMs;

  constructor(site: Site, unit: DispatchableComponent, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new MeterRegisters(from);
    this.component = unit;
    this.trajectoryStartMs = startMs;
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.trajectoryStartMs;
    if (atMs <= fromMs) return this.registers.closed;
    return this.registers.cachedAt(atMs) ?? this.addSince(fromMs, atMs, this.registers.beginReading(atMs));
  }

  private addSince(fromMs: EpochMs, atMs: EpochMs, registers: Float64Array): Float64Array {
    const { trajectory: law } = this.component;
    registers[REGISTER.baseline] += baselineKwh(this.site, fromMs, atMs);
    this.walker.read(law, fromMs, atMs);
    registers[REGISTER.import] += this.walker.importKwh;
    registers[REGISTER.export] += this.walker.exportKwh;
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.trajectoryStartMs) return;
    if (this.registers.cachedAt(atMs) === null) this.addSince(this.trajectoryStartMs, atMs, this.registers.closed);
    else this.registers.closeLatest();
    this.walker.restart();
    this.trajectoryStartMs = atMs;
  }
}

export class ConsumerMeter extends Copyable implements SharedTrajectoryMeter {
  readonly site: Site;
  readonly batteries = NO_BATTERIES;
  private readonly component: ConsumerComponent;
  private readonly registers: MeterRegisters;
  private trajectoryStartMs: EpochMs;
  /** Walks the load since the law began, up to an end of a stretch. */
  private walkedMs: EpochMs;
  private consumedKwh = 0;
  private drDeliveredKwh = 0;
  private readonly segment = newSegment();
  /** Filled anew for each reading. */
  private readonly trajectoryEnergy = newTrajectoryEnergy();

  constructor(site: Site, unit: ConsumerComponent, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new MeterRegisters(from);
    this.component = unit;
    this.trajectoryStartMs = startMs;
    this.walkedMs = startMs;
  }

  read(atMs: EpochMs): Float64Array {
    if (atMs <= this.trajectoryStartMs) return this.registers.closed;
    const known = this.registers.cachedAt(atMs);
    if (known !== null) return known;
    this.measure(atMs, this.trajectoryEnergy);
    return this.addEnergy(this.trajectoryEnergy, this.registers.beginReading(atMs));
  }

  private measure(atMs: EpochMs, energy: TrajectoryEnergy): void {
    energy.baselineKwh = baselineKwh(this.site, this.trajectoryStartMs, atMs);
    const stretch = this.segment;
    const reducing = this.site.reduction.reducing && this.site.isInService;
    while (this.walkedMs < atMs) {
      this.component.segmentAt(this.walkedMs, stretch);
      const endMs = reducing ? Math.min(stretch.endMs, baselineSlotEndMs(this.site, this.walkedMs)) : stretch.endMs;
      const spanMs = Math.min(atMs, endMs) - this.walkedMs;
      const kwh = ((stretch.kw + 0.5 * stretch.kwPerMs * spanMs) * spanMs) / MS_PER_HOUR;
      const drKwh = reducing
        ? positiveLineKwh(this.site.baselineSlotKwAt(this.walkedMs) - stretch.kw, -stretch.kwPerMs, spanMs)
        : 0;
      if (atMs < endMs) {
        energy.importKwh = this.consumedKwh + kwh;
        energy.drDeliveredKwh = this.drDeliveredKwh + drKwh;
        return;
      }
      this.consumedKwh += kwh;
      this.drDeliveredKwh += drKwh;
      this.walkedMs = endMs;
    }
    energy.importKwh = this.consumedKwh;
    energy.drDeliveredKwh = this.drDeliveredKwh;
  }

  private addEnergy(energy: TrajectoryEnergy, registers: Float64Array): Float64Array {
    registers[REGISTER.baseline] += energy.baselineKwh;
    registers[REGISTER.import] += energy.importKwh;
    registers[REGISTER.drDelivered] += energy.drDeliveredKwh;
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.trajectoryStartMs) return;
    // What was read here still stands in `energy`.
    if (this.registers.cachedAt(atMs) === null) this.measure(atMs, this.trajectoryEnergy);
    this.closeWithEnergy(atMs, this.trajectoryEnergy);
  }

  closeAndMeasure(atMs: EpochMs, _orderKw: number, energy: TrajectoryEnergy): void {
    this.measure(atMs, energy);
    this.closeWithEnergy(atMs, energy);
  }

  closeWithEnergy(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.addEnergy(energy, this.registers.closed);
    this.trajectoryStartMs = atMs;
    this.walkedMs = atMs;
    this.consumedKwh = 0;
    this.drDeliveredKwh = 0;
  }
}

function baselineSlotEndMs(site: Site, atMs: EpochMs): EpochMs {
  return site.baseline.slotsKw instanceof Series
    ? (Math.floor(atMs / MS_PER_HALF_HOUR) + 1) * MS_PER_HALF_HOUR
    : Number.POSITIVE_INFINITY;
}

/** Energy of the positive part of a straight line, in kWh. */
function positiveLineKwh(kw: number, kwPerMs: number, spanMs: number): number {
  const endKw = kw + kwPerMs * spanMs;
  if (kw >= 0 && endKw >= 0) return ((kw + endKw) * 0.5 * spanMs) / MS_PER_HOUR;
  if (kw <= 0 && endKw <= 0) return 0;
  const positiveKw = Math.max(kw, endKw);
  return (positiveKw * positiveKw) / (2 * Math.abs(kwPerMs)) / MS_PER_HOUR;
}
