import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../base/time.ts";
import { integralOfMin } from "../../series/model/cappedIntegral.ts";
import { Series } from "../../series/model/series.ts";
import type { BatteryUnit } from "../../site/components/batteryUnit.ts";
import type { ConsumerUnit } from "../../site/components/consumerUnit.ts";
import type { DispatchableUnit } from "../../site/components/dispatchableUnit.ts";
import type { GeneratorUnit, OutputWalk } from "../../site/components/generatorUnit.ts";
import { newStretch } from "../../site/components/stretch.ts";
import type { Site } from "../../site/site.ts";
import { BatteryBook } from "./batteryBook.ts";
import { LawWalk } from "./lawWalk.ts";
import { LEAF, LEAF_COUNT } from "./leaves.ts";
import { baselineKwh, leafOfReason } from "./meterRules.ts";

export { LEAF, LEAF_COUNT, LEAVES_OF } from "./leaves.ts";

/**
 * Cumulative energy registers of one site.
 *
 * A register is a sum up to the last change of law plus a closed form since then, so that it depends on what happened
 * and not on when it is read: any cut of a period sums to the whole.
 */
export interface SiteMeter {
  readonly site: Site;
  /** One for each battery of the site. */
  readonly batteries: readonly BatteryBook[];
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
class Registers extends Copyable {
  /** Up to the last change of law. */
  closed = new Float64Array(LEAF_COUNT);
  private latest = new Float64Array(LEAF_COUNT);
  private latestMs: EpochMs = Number.NaN;

  /** @param from  what to go on from, copied; all 0 without */
  constructor(from: Float64Array | null) {
    super();
    if (from !== null) this.closed.set(from);
  }

  /** What was read at this instant under the present law, if it was. */
  known(atMs: EpochMs): Float64Array | null {
    return atMs === this.latestMs ? this.latest : null;
  }

  /** The registers up to the last change of law, to add what came since. */
  begin(atMs: EpochMs): Float64Array {
    this.latestMs = atMs;
    const { closed } = this;
    const latest = this.latest;
    for (let k = 0; k < LEAF_COUNT; k++) latest[k] = closed[k];
    return latest;
  }

  /** The law ended where it was read last. */
  close(): void {
    const latest = this.latest;
    this.latest = this.closed;
    this.closed = latest;
    this.latestMs = Number.NaN;
  }
}

/** Also keeps what battery reports tell: throughput, cycles, SOC. */
export class BatteryMeter extends Copyable implements SiteMeter {
  readonly site: Site;
  readonly batteries: readonly BatteryBook[];
  private readonly unit: BatteryUnit;
  readonly book: BatteryBook;
  private readonly registers: Registers;
  private readonly walk = new LawWalk();
  private sinceMs: EpochMs;

  constructor(site: Site, unit: BatteryUnit, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new Registers(from);
    this.unit = unit;
    this.sinceMs = startMs;
    this.book = new BatteryBook(unit);
    this.batteries = [this.book];
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.sinceMs;
    if (atMs <= fromMs) return this.registers.closed;
    return this.registers.known(atMs) ?? this.addSince(fromMs, atMs, this.registers.begin(atMs));
  }

  /** @returns `registers` with what the law has brought since it began */
  private addSince(fromMs: EpochMs, atMs: EpochMs, registers: Float64Array): Float64Array {
    const { law } = this.unit;
    registers[LEAF.baseline] += baselineKwh(this.site, fromMs, atMs);
    if (this.book.isSteadyUntil(atMs)) {
      const kwh = (law.constKw[0] * (atMs - fromMs)) / MS_PER_HOUR;
      if (kwh > 0) registers[LEAF.import] += kwh;
      else registers[LEAF.export] -= kwh;
      return registers;
    }
    this.walk.read(law, fromMs, atMs);
    registers[LEAF.import] += this.walk.importKwh;
    registers[LEAF.export] += this.walk.exportKwh;
    return registers;
  }

  /** What stands in the registers where the last law ended. */
  get closedRegisters(): Float64Array {
    return this.registers.closed;
  }

  /** Goes on with a law that began at an instant, with registers and book as they were then. */
  resume(lawBeganMs: EpochMs): void {
    this.sinceMs = lawBeganMs;
  }

  close(atMs: EpochMs): void {
    const fromMs = this.sinceMs;
    if (atMs <= fromMs) return;
    // What nobody has read before need not be kept apart from what was closed.
    if (this.registers.known(atMs) === null) this.addSince(fromMs, atMs, this.registers.closed);
    else this.registers.close();
    this.walk.restart();
    this.sinceMs = atMs;
    this.book.fold(fromMs, atMs);
  }
}

/** What a law has brought since it began, in kWh. */
export interface LawEnergy {
  baselineKwh: number;
  importKwh: number;
  exportKwh: number;
  /** Kept back by output control, and by a set-point. */
  controlledKwh: number;
  manualKwh: number;
  drDeliveredKwh: number;
}

export const newLawEnergy = (): LawEnergy => ({
  baselineKwh: 0,
  importKwh: 0,
  exportKwh: 0,
  controlledKwh: 0,
  manualKwh: 0,
  drDeliveredKwh: 0,
});

/** The meter of an array or a load, of which a bank may keep many that follow one law. */
export interface UnitMeter extends SiteMeter {
  /**
   * As `close`, at a later instant than the law began at, whether it has been read there or not.
   *
   * @param orderKw  as of `read`
   * @param energy   filled with what the law has brought, as far as meters of this kind add it up
   */
  closeInto(atMs: EpochMs, orderKw: number, energy: LawEnergy): void;
  /** The same where what the law has brought is known. */
  closeWith(atMs: EpochMs, energy: LawEnergy): void;
}

const NO_BATTERIES: readonly BatteryBook[] = [];

export class GeneratorMeter extends Copyable implements UnitMeter {
  readonly site: Site;
  readonly batteries = NO_BATTERIES;
  private readonly unit: GeneratorUnit;
  private readonly registers: Registers;
  private sinceMs: EpochMs;
  /** Of the capped output since the law began. */
  private readonly walk: OutputWalk;
  /** Filled anew for each reading. */
  private readonly energy = newLawEnergy();

  constructor(site: Site, unit: GeneratorUnit, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new Registers(from);
    this.unit = unit;
    this.sinceMs = startMs;
    this.walk = { atMs: startMs, sentKwh: 0 };
  }

  read(atMs: EpochMs, orderKw = Number.NaN): Float64Array {
    if (atMs <= this.sinceMs) return this.registers.closed;
    const known = this.registers.known(atMs);
    if (known !== null) return known;
    this.measure(atMs, orderKw, this.energy);
    return this.add(this.energy, this.registers.begin(atMs));
  }

  private measure(atMs: EpochMs, orderKw: number, energy: LawEnergy): void {
    const fromMs = this.sinceMs;
    energy.baselineKwh = Number.isNaN(orderKw)
      ? baselineKwh(this.site, fromMs, atMs)
      : (orderKw * (atMs - fromMs)) / MS_PER_HOUR;
    energy.exportKwh = 0;
    energy.controlledKwh = 0;
    energy.manualKwh = 0;
    const unit = this.unit;
    if (!unit.inService) return;
    const potentialKwh = unit.availableKw.integral(fromMs, atMs);
    if (unit.capKw === Number.POSITIVE_INFINITY) {
      energy.exportKwh = potentialKwh;
      return;
    }
    const sentKwh = Math.min(unit.sentUntil(atMs, this.walk), potentialKwh);
    energy.exportKwh = sentKwh;
    const curtailedKwh = potentialKwh - sentKwh;
    energy.controlledKwh = this.takenByControlKwh(curtailedKwh, fromMs, atMs);
    energy.manualKwh = curtailedKwh - energy.controlledKwh;
  }

  /** Output control takes first, down to its cap; the rest is the set-point's. */
  private takenByControlKwh(curtailedKwh: number, fromMs: EpochMs, atMs: EpochMs): number {
    const { outputControlKw, setPointKw, availableKw } = this.unit;
    if (outputControlKw === Number.POSITIVE_INFINITY) return 0;
    if (outputControlKw <= setPointKw) return curtailedKwh;
    const aboveKwh = availableKw.integral(fromMs, atMs) - integralOfMin(availableKw, outputControlKw, fromMs, atMs);
    return Math.min(curtailedKwh, aboveKwh);
  }

  private add(energy: LawEnergy, registers: Float64Array): Float64Array {
    registers[LEAF.baseline] += energy.baselineKwh;
    registers[LEAF.export] += energy.exportKwh;
    if (energy.controlledKwh !== 0) registers[leafOfReason(this.site)] += energy.controlledKwh;
    registers[LEAF.manualCurtailed] += energy.manualKwh;
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.sinceMs) return;
    // What was read here still stands in `energy`.
    if (this.registers.known(atMs) === null) this.measure(atMs, Number.NaN, this.energy);
    this.closeWith(atMs, this.energy);
  }

  closeInto(atMs: EpochMs, orderKw: number, energy: LawEnergy): void {
    this.measure(atMs, orderKw, energy);
    this.closeWith(atMs, energy);
  }

  closeWith(atMs: EpochMs, energy: LawEnergy): void {
    this.add(energy, this.registers.closed);
    this.sinceMs = atMs;
    this.walk.atMs = atMs;
    this.walk.sentKwh = 0;
  }
}

/** A plant that gives what it is told: nothing of its energy is curtailed. */
export class DispatchableMeter extends Copyable implements SiteMeter {
  readonly site: Site;
  readonly batteries = NO_BATTERIES;
  private readonly unit: DispatchableUnit;
  private readonly registers: Registers;
  private readonly walk = new LawWalk();
  private sinceMs: EpochMs;

  constructor(site: Site, unit: DispatchableUnit, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new Registers(from);
    this.unit = unit;
    this.sinceMs = startMs;
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.sinceMs;
    if (atMs <= fromMs) return this.registers.closed;
    return this.registers.known(atMs) ?? this.addSince(fromMs, atMs, this.registers.begin(atMs));
  }

  private addSince(fromMs: EpochMs, atMs: EpochMs, registers: Float64Array): Float64Array {
    const { law } = this.unit;
    registers[LEAF.baseline] += baselineKwh(this.site, fromMs, atMs);
    this.walk.read(law, fromMs, atMs);
    registers[LEAF.import] += this.walk.importKwh;
    registers[LEAF.export] += this.walk.exportKwh;
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.sinceMs) return;
    if (this.registers.known(atMs) === null) this.addSince(this.sinceMs, atMs, this.registers.closed);
    else this.registers.close();
    this.walk.restart();
    this.sinceMs = atMs;
  }
}

export class ConsumerMeter extends Copyable implements UnitMeter {
  readonly site: Site;
  readonly batteries = NO_BATTERIES;
  private readonly unit: ConsumerUnit;
  private readonly registers: Registers;
  private sinceMs: EpochMs;
  /** Walks the load since the law began, up to an end of a stretch. */
  private walkedMs: EpochMs;
  private drawnKwh = 0;
  private drKwh = 0;
  private readonly stretch = newStretch();
  /** Filled anew for each reading. */
  private readonly energy = newLawEnergy();

  constructor(site: Site, unit: ConsumerUnit, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new Registers(from);
    this.unit = unit;
    this.sinceMs = startMs;
    this.walkedMs = startMs;
  }

  read(atMs: EpochMs): Float64Array {
    if (atMs <= this.sinceMs) return this.registers.closed;
    const known = this.registers.known(atMs);
    if (known !== null) return known;
    this.measure(atMs, this.energy);
    return this.add(this.energy, this.registers.begin(atMs));
  }

  private measure(atMs: EpochMs, energy: LawEnergy): void {
    energy.baselineKwh = baselineKwh(this.site, this.sinceMs, atMs);
    const stretch = this.stretch;
    const reducing = this.site.reduction.reducing && this.site.inService;
    while (this.walkedMs < atMs) {
      this.unit.stretchAt(this.walkedMs, stretch);
      const endMs = reducing ? Math.min(stretch.endMs, slotEndMs(this.site, this.walkedMs)) : stretch.endMs;
      const spanMs = Math.min(atMs, endMs) - this.walkedMs;
      const kwh = ((stretch.kw + 0.5 * stretch.kwPerMs * spanMs) * spanMs) / MS_PER_HOUR;
      const drKwh = reducing
        ? positiveLineKwh(this.site.slotKwAt(this.walkedMs) - stretch.kw, -stretch.kwPerMs, spanMs)
        : 0;
      if (atMs < endMs) {
        energy.importKwh = this.drawnKwh + kwh;
        energy.drDeliveredKwh = this.drKwh + drKwh;
        return;
      }
      this.drawnKwh += kwh;
      this.drKwh += drKwh;
      this.walkedMs = endMs;
    }
    energy.importKwh = this.drawnKwh;
    energy.drDeliveredKwh = this.drKwh;
  }

  private add(energy: LawEnergy, registers: Float64Array): Float64Array {
    registers[LEAF.baseline] += energy.baselineKwh;
    registers[LEAF.import] += energy.importKwh;
    registers[LEAF.drDelivered] += energy.drDeliveredKwh;
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.sinceMs) return;
    // What was read here still stands in `energy`.
    if (this.registers.known(atMs) === null) this.measure(atMs, this.energy);
    this.closeWith(atMs, this.energy);
  }

  closeInto(atMs: EpochMs, _orderKw: number, energy: LawEnergy): void {
    this.measure(atMs, energy);
    this.closeWith(atMs, energy);
  }

  closeWith(atMs: EpochMs, energy: LawEnergy): void {
    this.add(energy, this.registers.closed);
    this.sinceMs = atMs;
    this.walkedMs = atMs;
    this.drawnKwh = 0;
    this.drKwh = 0;
  }
}

function slotEndMs(site: Site, atMs: EpochMs): EpochMs {
  return site.baseline.slots instanceof Series
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
