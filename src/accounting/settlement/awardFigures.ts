import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { toTenths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { AwardSpec, InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import { BEFORE_EXECUTION, FIGURE, FIGURE_NAMES, type Figures } from "./awardAccount.ts";
import { ContiguousRuns } from "./skuRules.ts";

/**
 * Constants of a scenario's awards that the figures need, one entry per award in scenario order. Immutable: all runs of
 * the same awards share one catalogue.
 */
export class AwardCatalogue {
  readonly indexByOrigin: ReadonlyMap<InstructionOrigin, number>;
  /** Start of each award's assessment. */
  readonly assessFromMs: Float64Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  /** 1 for an award of frequency response alone. */
  readonly isFcr: Uint8Array;
  /** Whether any award has such a price. */
  readonly hasCapacityPrice: boolean;
  readonly hasEnergyPrice: boolean;
  readonly hasPenalty: boolean;

  constructor(awards: readonly AwardSpec[], assessFromMs: Float64Array) {
    this.indexByOrigin = new Map(awards.map((award, index) => [award, index]));
    this.assessFromMs = assessFromMs;
    this.startMs = Float64Array.from(awards, ({ startMs }) => startMs);
    this.endMs = Float64Array.from(awards, ({ endMs }) => endMs);
    this.isFcr = Uint8Array.from(awards, ({ sku }) => (sku === "fcr" ? 1 : 0));
    this.hasCapacityPrice = awards.some((award) => award.capacityPriceJpyPerKwHour !== null);
    this.hasEnergyPrice = awards.some(({ priceJpyPerKwh }) => priceJpyPerKwh !== null);
    this.hasPenalty = awards.some(({ penaltyJpyPerKwh }) => penaltyJpyPerKwh !== null);
  }
}

/** One catalogue per list of awards; the candidates of a study share the list. */
const catalogues = new WeakMap<readonly AwardSpec[], AwardCatalogue>();

export const FIGURE_COUNT = FIGURE_NAMES.length;

/** Values that a finished run has released, for the next run of the same awards: allocating them anew is slow. */
const reusableValues = new WeakMap<readonly AwardSpec[], Float64Array>();

/**
 * Figures of every award and instruction of a run, from which the key figures are computed: first those of the scenario in
 * their order, then those received by the API.
 */
export class AwardFigures extends Copyable {
  /** Award or instruction of each index. */
  origins: readonly InstructionOrigin[];
  private valuesInUse: Float64Array | null;
  readonly catalogue: AwardCatalogue;
  private readonly awards: readonly AwardSpec[];
  /** Index of the scenario's instructions and of everything received by the API. */
  private readonly otherIndices = new Map<InstructionOrigin, number>();
  /** Copy of the list of origins, made when the first award or instruction arrives by the API. */
  private extendedOrigins: InstructionOrigin[] | null = null;
  /** Index after the one registered last. */
  private nextIndex = 0;

  constructor({ awards, instructions }: WorldSpec) {
    super();
    let catalogue = catalogues.get(awards);
    if (catalogue === undefined) {
      catalogue = createCatalogue(awards);
      catalogues.set(awards, catalogue);
    }
    this.catalogue = catalogue;
    this.awards = awards;
    // Without instructions the list of the awards serves unchanged, with no copy.
    this.origins = instructions.length === 0 ? awards : [...awards, ...instructions];
    instructions.forEach((origin, k) => {
      this.otherIndices.set(origin, awards.length + k);
    });
    this.valuesInUse = openValues(awards, this.origins.length);
  }

  /** All figures, by award and `FIGURE`. */
  get values(): Float64Array {
    assert(this.valuesInUse !== null, "figures are not read after their values are released");
    return this.valuesInUse;
  }

  /** Releases the values to the next run of the same awards; they cannot be read from this object any more. */
  retire(): void {
    reusableValues.set(this.awards, this.values);
    this.valuesInUse = null;
  }

  /** Sets all figures of one award. @param figures  by `FIGURE` */
  setAll(index: number, figures: Float64Array): void {
    this.values.set(figures, index * FIGURE_COUNT);
  }

  /** Sets some figures of one award. */
  set(index: number, figures: Partial<Figures>): void {
    for (const name of FIGURE_NAMES) {
      const value = figures[name];
      if (value !== undefined) this.values[index * FIGURE_COUNT + FIGURE[name]] = value;
    }
  }

  /** @returns -1 for an origin that is not registered */
  indexOf(origin: InstructionOrigin): number {
    return this.catalogue.indexByOrigin.get(origin) ?? this.otherIndices.get(origin) ?? -1;
  }

  /** Index of an origin; a new one is appended for an origin received by the API. */
  register(origin: InstructionOrigin): number {
    // Origins mostly arrive in scenario order, which saves a look-up in a map of tens of thousands.
    if (this.origins[this.nextIndex] === origin) return this.nextIndex++;
    const registeredIndex = this.indexOf(origin);
    if (0 <= registeredIndex) {
      this.nextIndex = registeredIndex + 1;
      return registeredIndex;
    }
    this.extendedOrigins ??= [...this.origins];
    this.origins = this.extendedOrigins;
    const index = this.extendedOrigins.push(origin) - 1;
    this.otherIndices.set(origin, index);
    if (this.values.length <= index * FIGURE_COUNT) this.grow();
    return index;
  }

  /** Start of the assessment of a scenario's award; infinite for one received by the API. */
  assessFromMs(index: number): EpochMs {
    return this.catalogue.assessFromMs[index] ?? Number.POSITIVE_INFINITY;
  }

  /** Whether an award's or instruction's period overlaps another period. */
  overlaps(index: number, startMs: EpochMs, endMs: EpochMs): boolean {
    const { catalogue } = this;
    if (index < catalogue.startMs.length) return catalogue.startMs[index] < endMs && startMs < catalogue.endMs[index];
    const period = awardPeriod(this.origins[index]);
    return period.startMs < endMs && startMs < period.endMs;
  }

  /** Whether it is an award of frequency response alone. */
  isFcr(index: number): boolean {
    const { isFcr } = this.catalogue;
    return index < isFcr.length ? isFcr[index] === 1 : this.origins[index].sku === "fcr";
  }

  private grow(): void {
    const old = this.values;
    this.valuesInUse = clear(new Float64Array(2 * old.length + 16 * FIGURE_COUNT));
    this.values.set(old);
  }
}

function openValues(awards: readonly AwardSpec[], awardCount: number): Float64Array {
  const released = reusableValues.get(awards);
  reusableValues.delete(awards);
  const length = awardCount * FIGURE_COUNT;
  return clear(released?.length === length ? released : new Float64Array(length));
}

const BEFORE = Float64Array.from(FIGURE_NAMES, (name) => BEFORE_EXECUTION[name]);

function clear(values: Float64Array): Float64Array {
  for (let k = 0; k < values.length; k += FIGURE_COUNT) values.set(BEFORE, k);
  return values;
}

/** @param values  by `FIGURE`, from `at` on */
export function figuresOf(values: Float64Array, at = 0): Figures {
  const figures = { ...BEFORE_EXECUTION };
  for (const name of FIGURE_NAMES) figures[name] = values[at + FIGURE[name]];
  return figures;
}

/** Requested kW, rounded to tenths: the signed delta, or the FCR capacity of an award of frequency response alone. */
export const requestedKwOf = ({ sku, deltaKw, fcrResponseKw }: InstructionOrigin): number =>
  toTenths((sku === "fcr" ? fcrResponseKw : deltaKw) ?? 0) / 10;

export function awardPeriod(origin: InstructionOrigin): { startMs: EpochMs; endMs: EpochMs } {
  return "atMs" in origin
    ? { startMs: origin.atMs, endMs: origin.atMs + origin.durationMs }
    : { startMs: origin.startMs, endMs: origin.endMs };
}

/** Figures of an award whose whole request is uncovered from its start on. */
export function uncoveredFigures(origin: InstructionOrigin): Partial<Figures> {
  const requestedKw = requestedKwOf(origin);
  const { fcrResponseKw } = origin;
  return {
    uncoveredKw: requestedKw,
    fcrUncoveredKw: fcrResponseKw === null ? Number.NaN : toTenths(fcrResponseKw) / 10,
    uncoveredKwPeak: requestedKw,
    uncoveredPeakMs: awardPeriod(origin).startMs,
  };
}

function createCatalogue(awards: readonly AwardSpec[]): AwardCatalogue {
  const assessFromMs = new Float64Array(awards.length);
  const runs = new ContiguousRuns();
  const sorted = awards.map((award, index) => ({ award, index }));
  sorted.sort((a, b) => a.award.startMs - b.award.startMs || a.index - b.index);
  for (const { award, index } of sorted) assessFromMs[index] = runs.assessFromMs(award);
  return new AwardCatalogue(awards, assessFromMs);
}
