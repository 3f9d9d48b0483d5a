import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { AwardSpec, InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import { awardPeriod } from "./awardRows.ts";
import { ContiguousRuns } from "./contiguousRuns.ts";

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

/** Figures of one award or instruction. Energies are positive in the direction of the request; NaN: no such figure. */
const FIGURE_NAMES = [
  /** Uncovered delta at execution, signed. */
  "uncoveredKw",
  /** Uncovered FCR capacity. */
  "fcrUncoveredKw",
  /** The uncovered delta of the execution that was largest in magnitude, or of FCR alone the uncovered capacity; 0: none. */
  "uncoveredKwPeak",
  /** Its first instant; meaningless for a peak of 0. */
  "uncoveredPeakMs",
  "requestedKwh",
  "deliveredKwh",
  "shortfallKwh",
  "excessKwh",
  "uncoveredKwh",
  "assessedMs",
  "inBandMs",
  "executedMinutes",
  /** Of priced awards; 0 for all others. */
  "capacityJpyPerKw",
  /** Award energy at its price, and at the market price; positive in the direction of the request. */
  "creditedJpy",
  "creditedMarketJpy",
  "penaltyJpy",
] as const;

type FigureColumns = Readonly<Record<(typeof FIGURE_NAMES)[number], Float64Array>>;

/** Columns that a finished run has released, for the next run of the same awards: allocating them anew is slow. */
const reusableColumns = new WeakMap<readonly AwardSpec[], FigureColumns>();

/**
 * Figures of every award and instruction of a run, from which the key figures are computed. Stored in columns: first
 * those of the scenario in their order, then those received by the API.
 */
export class AwardFigures extends Copyable {
  /** Award or instruction of each column index. */
  origins: readonly InstructionOrigin[];
  private columnsInUse: FigureColumns | null;
  /** 1 where the award was refused. */
  isRefused: Uint8Array;
  readonly catalogue: AwardCatalogue;
  private readonly awards: readonly AwardSpec[];
  /** Column index of the scenario's instructions and of everything received by the API. */
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
    this.columnsInUse = openColumns(awards, this.origins.length);
    this.isRefused = new Uint8Array(this.origins.length);
  }

  get columns(): FigureColumns {
    assert(this.columnsInUse !== null, "figures are not read after their columns are released");
    return this.columnsInUse;
  }

  /** Releases the columns to the next run of the same awards; they cannot be read from this object any more. */
  retire(): void {
    reusableColumns.set(this.awards, this.columns);
    this.columnsInUse = null;
  }

  /** The figures of one award, in the order of `FIGURE_NAMES`. */
  figuresAt(index: number): readonly number[] {
    return FIGURE_NAMES.map((name) => this.columns[name][index]);
  }

  /** Sets the figures of one award to values of `figuresAt`. */
  setFigures(index: number, figures: readonly number[]): void {
    FIGURE_NAMES.forEach((name, k) => {
      this.columns[name][index] = figures[k];
    });
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
    if (this.isRefused.length <= index) this.growColumns();
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

  private growColumns(): void {
    const old = this.columns;
    const length = 2 * this.isRefused.length + 16;
    const columns = clearColumns(newColumns(length));
    for (const name of FIGURE_NAMES) columns[name].set(old[name]);
    this.columnsInUse = columns;
    const refused = new Uint8Array(length);
    refused.set(this.isRefused);
    this.isRefused = refused;
  }
}

function openColumns(awards: readonly AwardSpec[], length: number): FigureColumns {
  const released = reusableColumns.get(awards);
  reusableColumns.delete(awards);
  return clearColumns(released?.uncoveredKw.length === length ? released : newColumns(length));
}

/** Sets every figure to its value before execution. */
function clearColumns(columns: FigureColumns): FigureColumns {
  for (const name of FIGURE_NAMES) columns[name].fill(0);
  for (const name of ["uncoveredKw", "fcrUncoveredKw", "shortfallKwh"] as const) columns[name].fill(Number.NaN);
  return columns;
}

function newColumns(length: number): FigureColumns {
  const column = () => new Float64Array(length);
  return {
    uncoveredKw: column(),
    fcrUncoveredKw: column(),
    uncoveredKwPeak: column(),
    uncoveredPeakMs: column(),
    requestedKwh: column(),
    deliveredKwh: column(),
    shortfallKwh: column(),
    excessKwh: column(),
    uncoveredKwh: column(),
    assessedMs: column(),
    inBandMs: column(),
    executedMinutes: column(),
    capacityJpyPerKw: column(),
    creditedJpy: column(),
    creditedMarketJpy: column(),
    penaltyJpy: column(),
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
