import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../base/time.ts";
import { RainflowCounter } from "../device/rainflow.ts";
import { integralOfMin } from "../series/cappedIntegral.ts";
import { Series } from "../series/series.ts";
import type { BatteryUnit } from "../site/batteryUnit.ts";
import type { ConsumerUnit } from "../site/consumerUnit.ts";
import type { DispatchableUnit } from "../site/dispatchableUnit.ts";
import type { GeneratorUnit } from "../site/generatorUnit.ts";
import type { Site } from "../site/site.ts";
import { newStretch } from "../site/stretch.ts";

/** Leaf paths of a site's energy, in kWh from the start of the run; which of them a kind has: `LEAVES_OF`. */
export const LEAF = {
  import: 0,
  export: 1,
  baseline: 2,
  fitCurtailed: 3,
  nonFirmCurtailed: 4,
  manualCurtailed: 5,
  otherCurtailed: 6,
  drDelivered: 7,
} as const;
export const LEAF_COUNT = 8;

/** Leaves that a kind of site has; its other registers stay 0. */
export const LEAVES_OF = {
  battery: [LEAF.import, LEAF.export, LEAF.baseline],
  generator: [
    LEAF.import,
    LEAF.export,
    LEAF.baseline,
    LEAF.fitCurtailed,
    LEAF.nonFirmCurtailed,
    LEAF.manualCurtailed,
    LEAF.otherCurtailed,
  ],
  dispatchable: [LEAF.import, LEAF.export, LEAF.baseline],
  consumer: [LEAF.import, LEAF.export, LEAF.baseline, LEAF.drDelivered],
} as const satisfies Record<Site["unit"]["kind"], readonly number[]>;

/**
 * Cumulative energy registers of one site.
 *
 * A register is a sum up to the last change of law plus a closed form since then, so that it depends on what happened
 * and not on when it is read: any cut of a period sums to the whole.
 */
export interface SiteMeter {
  readonly site: Site;
  /** The registers as they stand at an instant of the present law; another call may change what this one gave. */
  read(atMs: EpochMs): Float64Array;
  /** The present law ends here. */
  close(atMs: EpochMs): void;
}

/** What a meter has added up, and what it read last: a law mostly ends where an interval does, and is read once then. */
class Registers {
  /** Up to the last change of law. */
  closed = new Float64Array(LEAF_COUNT);
  #latest = new Float64Array(LEAF_COUNT);
  #latestMs: EpochMs = Number.NaN;

  /** @param from  what to go on from, copied; all 0 without */
  constructor(from: Float64Array | null) {
    if (from !== null) this.closed.set(from);
  }

  /** What was read at this instant under the present law, if it was. */
  known(atMs: EpochMs): Float64Array | null {
    return atMs === this.#latestMs ? this.#latest : null;
  }

  /** The registers up to the last change of law, to add what came since. */
  begin(atMs: EpochMs): Float64Array {
    this.#latestMs = atMs;
    const { closed } = this;
    const latest = this.#latest;
    for (let k = 0; k < LEAF_COUNT; k++) latest[k] = closed[k];
    return latest;
  }

  /** The law ended where it was read last. */
  close(): void {
    const latest = this.#latest;
    this.#latest = this.closed;
    this.closed = latest;
    this.#latestMs = Number.NaN;
  }
}

/** @param from  registers to go on from, where one of the site's laws begins; none at the start of a run */
export function createMeter(site: Site, startMs: EpochMs, from: Float64Array | null = null): SiteMeter {
  switch (site.unit.kind) {
    case "battery":
      return new BatteryMeter(site, site.unit, startMs, from);
    case "generator":
      return new GeneratorMeter(site, site.unit, startMs, from);
    case "dispatchable":
      return new DispatchableMeter(site, site.unit, startMs, from);
    case "consumer":
      return new ConsumerMeter(site, site.unit, startMs, from);
  }
}

/** Integral of the reported baseline over a time without change of law. */
function baselineKwh(site: Site, fromMs: EpochMs, toMs: EpochMs): number {
  if (site.hasOrderBaseline) return (site.ruling[0].baselineKw * (toMs - fromMs)) / MS_PER_HOUR;
  const { slots } = site.baseline;
  return slots instanceof Series ? slots.integral(fromMs, toMs) : (slots * (toMs - fromMs)) / MS_PER_HOUR;
}

/** Also keeps what battery reports tell: throughput, cycles, SOC. */
export class BatteryMeter implements SiteMeter {
  readonly site: Site;
  readonly unit: BatteryUnit;
  cellInKwh = 0;
  cellOutKwh = 0;
  storedMinKwh = Number.POSITIVE_INFINITY;
  storedMaxKwh = Number.NEGATIVE_INFINITY;
  storedKwhMs = 0;
  atMinMs = 0;
  atMaxMs = 0;
  /** Cycles of the stored energy by depth; a self-discharge that nobody notices makes no cycle. */
  readonly cycles: RainflowCounter;
  readonly #registers: Registers;
  readonly #fullKwh: number;
  readonly #emptyKwh: number;
  #sinceMs: EpochMs;

  constructor(site: Site, unit: BatteryUnit, startMs: EpochMs, from: Float64Array | null) {
    this.site = site;
    this.#registers = new Registers(from);
    this.unit = unit;
    this.#sinceMs = startMs;
    this.cycles = new RainflowCounter(CYCLE_DEPTH_CLASS * unit.spec.ratedCapKwh, CYCLE_DEPTH_CLASSES);
    const { socOpMinPct, socOpMaxPct, ratedCapKwh } = unit.spec;
    this.#fullKwh = (socOpMaxPct / 100) * ratedCapKwh - AT_BOUND_KWH;
    this.#emptyKwh = (socOpMinPct / 100) * ratedCapKwh + AT_BOUND_KWH;
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.#sinceMs;
    if (atMs <= fromMs) return this.#registers.closed;
    return this.#registers.known(atMs) ?? this.#readSince(fromMs, atMs);
  }

  #readSince(fromMs: EpochMs, atMs: EpochMs): Float64Array {
    const registers = this.#registers.begin(atMs);
    const { law } = this.unit;
    registers[LEAF.baseline] += baselineKwh(this.site, fromMs, atMs);
    if (this.#isSteadyUntil(atMs)) {
      const kwh = (law.constKw[0] * (atMs - fromMs)) / MS_PER_HOUR;
      if (kwh > 0) registers[LEAF.import] += kwh;
      else registers[LEAF.export] -= kwh;
      return registers;
    }
    registers[LEAF.import] += law.importKwh(fromMs, atMs);
    registers[LEAF.export] += law.exportKwh(fromMs, atMs);
    return registers;
  }

  close(atMs: EpochMs): void {
    const fromMs = this.#sinceMs;
    if (atMs <= fromMs) return;
    this.read(atMs);
    this.#registers.close();
    this.#sinceMs = atMs;
    if (this.#isSteadyUntil(atMs)) this.#foldSteady(fromMs, atMs);
    else this.#fold(fromMs, atMs);
  }

  readonly #countCycles = (storedKwh: number): void => this.cycles.add(storedKwh);

  /** Whether one constant power has flowed since the law began, and the stored energy has moved on a straight line. */
  #isSteadyUntil(atMs: EpochMs): boolean {
    const { law } = this.unit;
    if (law.count > 1 && law.startMs[1] < atMs) return false;
    return law.slopeKwPerMs[0] === 0 && law.expKw[0] === 0 && law.storedKwhPerMs2[0] === 0;
  }

  #fold(fromMs: EpochMs, atMs: EpochMs): void {
    const { law } = this.unit;
    law.visitStored(fromMs, atMs, this.#countCycles);
    this.cellInKwh += law.cellImportKwh(fromMs, atMs);
    this.cellOutKwh += law.cellExportKwh(fromMs, atMs);
    this.storedMinKwh = Math.min(this.storedMinKwh, law.storedMinKwh(fromMs, atMs));
    this.storedMaxKwh = Math.max(this.storedMaxKwh, law.storedMaxKwh(fromMs, atMs));
    this.storedKwhMs += law.storedIntegralKwhMs(fromMs, atMs);
    this.atMaxMs += law.msStoredAtLeast(this.#fullKwh, fromMs, atMs);
    this.atMinMs += law.msStoredAtMost(this.#emptyKwh, fromMs, atMs);
  }

  /** The same for the law that nearly all are: one constant power and stored energy on a straight line. */
  #foldSteady(fromMs: EpochMs, atMs: EpochMs): void {
    const { law } = this.unit;
    const spanMs = atMs - fromMs;
    const cellKwh = ((law.constKw[0] - law.auxiliaryKw) * spanMs) / MS_PER_HOUR;
    if (cellKwh > 0) this.cellInKwh += cellKwh;
    else this.cellOutKwh -= cellKwh;
    const fromKwh = law.storedKwh[0] + law.storedKwhPerMs[0] * (fromMs - law.originMs);
    const toKwh = law.storedKwh[0] + law.storedKwhPerMs[0] * (atMs - law.originMs);
    this.cycles.add(fromKwh);
    this.cycles.add(toKwh);
    const low = Math.min(fromKwh, toKwh);
    const high = Math.max(fromKwh, toKwh);
    if (low < this.storedMinKwh) this.storedMinKwh = low;
    if (high > this.storedMaxKwh) this.storedMaxKwh = high;
    this.storedKwhMs += 0.5 * (fromKwh + toKwh) * spanMs;
    if (high >= this.#fullKwh) this.atMaxMs += shareBeyond(high - this.#fullKwh, high - low) * spanMs;
    if (low <= this.#emptyKwh) this.atMinMs += shareBeyond(this.#emptyKwh - low, high - low) * spanMs;
  }
}

/** How much of a straight way of length `range` lies beyond a bound that its end passes by `over`. */
const shareBeyond = (over: number, range: number): number => (over >= range ? 1 : over / range);

/** Depth classes of cycles, as a share of the rated capacity. */
const CYCLE_DEPTH_CLASS = 0.2;
const CYCLE_DEPTH_CLASSES = 5;

/** This near a bound a battery is at it (decisions.md 79). */
const AT_BOUND_KWH = 1e-6;

export class GeneratorMeter implements SiteMeter {
  readonly site: Site;
  readonly #unit: GeneratorUnit;
  readonly #registers: Registers;
  #sinceMs: EpochMs;
  /** Walks the capped output since the law began: kWh sent up to `#walkedMs`, an end of a stretch. */
  #walkedMs: EpochMs;
  #sentKwh = 0;
  readonly #stretch = newStretch();

  constructor(site: Site, unit: GeneratorUnit, startMs: EpochMs, from: Float64Array | null) {
    this.site = site;
    this.#registers = new Registers(from);
    this.#unit = unit;
    this.#sinceMs = startMs;
    this.#walkedMs = startMs;
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.#sinceMs;
    if (atMs <= fromMs) return this.#registers.closed;
    return this.#registers.known(atMs) ?? this.#readSince(fromMs, atMs);
  }

  #readSince(fromMs: EpochMs, atMs: EpochMs): Float64Array {
    const registers = this.#registers.begin(atMs);
    registers[LEAF.baseline] += baselineKwh(this.site, fromMs, atMs);
    const unit = this.#unit;
    if (!unit.inService) return registers;
    const potentialKwh = unit.availableKw.integral(fromMs, atMs);
    if (unit.capKw === Number.POSITIVE_INFINITY) {
      registers[LEAF.export] += potentialKwh;
      return registers;
    }
    const sentKwh = Math.min(this.#sentUntil(atMs), potentialKwh);
    registers[LEAF.export] += sentKwh;
    this.#addCurtailed(potentialKwh - sentKwh, fromMs, atMs, registers);
    return registers;
  }

  /** Output control takes first, down to its cap; the rest is the set-point's. */
  #addCurtailed(curtailedKwh: number, fromMs: EpochMs, atMs: EpochMs, registers: Float64Array): void {
    const unit = this.#unit;
    let controlledKwh = 0;
    if (unit.outputControlKw < Number.POSITIVE_INFINITY) {
      const aboveKwh =
        unit.availableKw.integral(fromMs, atMs) - integralOfMin(unit.availableKw, unit.outputControlKw, fromMs, atMs);
      controlledKwh = unit.outputControlKw <= unit.setPointKw ? curtailedKwh : Math.min(curtailedKwh, aboveKwh);
      registers[leafOfReason(this.site)] += controlledKwh;
    }
    registers[LEAF.manualCurtailed] += curtailedKwh - controlledKwh;
  }

  #sentUntil(atMs: EpochMs): number {
    const stretch = this.#stretch;
    for (;;) {
      this.#unit.stretchAt(this.#walkedMs, stretch);
      const toMs = Math.min(atMs, stretch.endMs);
      const spanMs = toMs - this.#walkedMs;
      const kwh = (-(stretch.kw + 0.5 * stretch.kwPerMs * spanMs) * spanMs) / MS_PER_HOUR;
      if (atMs < stretch.endMs) return this.#sentKwh + kwh;
      this.#sentKwh += kwh;
      this.#walkedMs = stretch.endMs;
      if (this.#walkedMs === atMs) return this.#sentKwh;
    }
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.#sinceMs) return;
    this.read(atMs);
    this.#registers.close();
    this.#sinceMs = atMs;
    this.#walkedMs = atMs;
    this.#sentKwh = 0;
  }
}

/** A plant that gives what it is told: nothing of its energy is curtailed. */
export class DispatchableMeter implements SiteMeter {
  readonly site: Site;
  readonly #unit: DispatchableUnit;
  readonly #registers: Registers;
  #sinceMs: EpochMs;

  constructor(site: Site, unit: DispatchableUnit, startMs: EpochMs, from: Float64Array | null) {
    this.site = site;
    this.#registers = new Registers(from);
    this.#unit = unit;
    this.#sinceMs = startMs;
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.#sinceMs;
    if (atMs <= fromMs) return this.#registers.closed;
    return this.#registers.known(atMs) ?? this.#readSince(fromMs, atMs);
  }

  #readSince(fromMs: EpochMs, atMs: EpochMs): Float64Array {
    const registers = this.#registers.begin(atMs);
    const { law } = this.#unit;
    registers[LEAF.baseline] += baselineKwh(this.site, fromMs, atMs);
    registers[LEAF.import] += law.importKwh(fromMs, atMs);
    registers[LEAF.export] += law.exportKwh(fromMs, atMs);
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.#sinceMs) return;
    this.read(atMs);
    this.#registers.close();
    this.#sinceMs = atMs;
  }
}

/** The register of the output control that binds: the lowest limit, the oldest of equals. */
function leafOfReason(site: Site): number {
  let binding = site.outputControls[0];
  for (const control of site.outputControls) if (control.limitPct < binding.limitPct) binding = control;
  switch (binding.reason) {
    case "fit_curtailment":
      return LEAF.fitCurtailed;
    case "non_firm_congestion":
      return LEAF.nonFirmCurtailed;
    case "manual":
      return LEAF.manualCurtailed;
    case "other":
      return LEAF.otherCurtailed;
  }
}

export class ConsumerMeter implements SiteMeter {
  readonly site: Site;
  readonly #unit: ConsumerUnit;
  readonly #registers: Registers;
  #sinceMs: EpochMs;
  /** Walks the load since the law began, up to an end of a stretch. */
  #walkedMs: EpochMs;
  #drawnKwh = 0;
  #drKwh = 0;
  readonly #stretch = newStretch();

  constructor(site: Site, unit: ConsumerUnit, startMs: EpochMs, from: Float64Array | null) {
    this.site = site;
    this.#registers = new Registers(from);
    this.#unit = unit;
    this.#sinceMs = startMs;
    this.#walkedMs = startMs;
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.#sinceMs;
    if (atMs <= fromMs) return this.#registers.closed;
    return this.#registers.known(atMs) ?? this.#readSince(fromMs, atMs);
  }

  #readSince(fromMs: EpochMs, atMs: EpochMs): Float64Array {
    const registers = this.#registers.begin(atMs);
    registers[LEAF.baseline] += baselineKwh(this.site, fromMs, atMs);
    const stretch = this.#stretch;
    const reducing = this.site.reduction.reducing && this.site.inService;
    while (this.#walkedMs < atMs) {
      this.#unit.stretchAt(this.#walkedMs, stretch);
      const slotKw = this.site.slotKwAt(this.#walkedMs);
      const endMs = reducing ? Math.min(stretch.endMs, slotEndMs(this.site, this.#walkedMs)) : stretch.endMs;
      const spanMs = Math.min(atMs, endMs) - this.#walkedMs;
      const kwh = ((stretch.kw + 0.5 * stretch.kwPerMs * spanMs) * spanMs) / MS_PER_HOUR;
      const drKwh = reducing ? positiveLineKwh(slotKw - stretch.kw, -stretch.kwPerMs, spanMs) : 0;
      if (atMs < endMs) {
        registers[LEAF.import] += this.#drawnKwh + kwh;
        registers[LEAF.drDelivered] += this.#drKwh + drKwh;
        return registers;
      }
      this.#drawnKwh += kwh;
      this.#drKwh += drKwh;
      this.#walkedMs = endMs;
    }
    registers[LEAF.import] += this.#drawnKwh;
    registers[LEAF.drDelivered] += this.#drKwh;
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.#sinceMs) return;
    this.read(atMs);
    this.#registers.close();
    this.#sinceMs = atMs;
    this.#walkedMs = atMs;
    this.#drawnKwh = 0;
    this.#drKwh = 0;
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
