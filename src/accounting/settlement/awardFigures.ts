import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { AwardSpec, InstructionOrigin } from "../../vpp/instructions/instructionSpec.ts";
import { awardPeriod } from "./awardRows.ts";
import { responseTimeMs } from "./skuRules.ts";

/**
 * What the awards of a scenario have to do with its figures, in their order. Nothing in it changes: all runs of the same
 * awards share it.
 */
export class AwardCatalogue {
  readonly indexByOrigin: ReadonlyMap<InstructionOrigin, number>;
  /** When the assessment of each begins. */
  readonly assessFromMs: Float64Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  /** 1 for those of frequency response alone. */
  readonly isFcr: Uint8Array;
  /** What is priced at all. */
  readonly hasPrice: boolean;
  readonly hasPenalty: boolean;

  constructor(awards: readonly AwardSpec[], assessFromMs: Float64Array) {
    this.indexByOrigin = new Map(awards.map((award, place) => [award, place]));
    this.assessFromMs = assessFromMs;
    this.startMs = Float64Array.from(awards, ({ startMs }) => startMs);
    this.endMs = Float64Array.from(awards, ({ endMs }) => endMs);
    this.isFcr = Uint8Array.from(awards, ({ sku }) => (sku === "fcr" ? 1 : 0));
    this.hasPrice = awards.some((award) => award.capacityPriceJpyPerKwHour !== null || award.priceJpyPerKwh !== null);
    this.hasPenalty = awards.some(({ penaltyJpyPerKwh }) => penaltyJpyPerKwh !== null);
  }
}

/** Made once for all runs of the same awards: the candidates of a study share them. */
const catalogues = new WeakMap<readonly AwardSpec[], AwardCatalogue>();

/** What an award comes to in numbers. kWh along the request; NaN: there is no such figure. */
const FIGURE_NAMES = [
  /** Of the delta, at the execution; signed. */
  "uncoveredKw",
  /** Of the width of frequency response. */
  "fcrUncoveredKw",
  "requestedKwh",
  "deliveredKwh",
  "shortfallKwh",
  "excessKwh",
  "uncoveredKwh",
  "assessedMs",
  "inBandMs",
  "executedMinutes",
  /** At prices that change; 0 where they do not. */
  "capacityJpyPerKw",
  "deliveredJpy",
  "lowestJpyPerKwh",
  "highestJpyPerKwh",
  "penaltyJpy",
] as const;

type FigureColumns = Readonly<Record<(typeof FIGURE_NAMES)[number], Float64Array>>;

/** Columns that no run needs any more, for the next one of the same awards: the system is slow to give new memory. */
const reusableColumns = new WeakMap<readonly AwardSpec[], FigureColumns>();

/**
 * What became of every award and instruction of a run, in numbers: what key figures are made from. Kept in columns, one
 * entry for each in the order of the scenario, then those that came by the API.
 */
export class AwardFigures extends Copyable {
  /** Who asked, by place. */
  origins: readonly InstructionOrigin[];
  private columnsInUse: FigureColumns | null;
  /** 1 where it was refused. */
  isRefused: Uint8Array;
  readonly catalogue: AwardCatalogue;
  private readonly awards: readonly AwardSpec[];
  /** Instructions of the scenario, and what came by the API. */
  private readonly otherIndices = new Map<InstructionOrigin, number>();
  /** The list of origins, once something has come by the API. */
  private extendedOrigins: InstructionOrigin[] | null = null;
  /** After the one that was registered last. */
  private nextIndex = 0;

  constructor({ awards, instructions }: WorldSpec) {
    super();
    let own = catalogues.get(awards);
    if (own === undefined) {
      own = createCatalogue(awards);
      catalogues.set(awards, own);
    }
    this.catalogue = own;
    this.awards = awards;
    // Mostly the scenario's own list, which nobody has to copy.
    this.origins = instructions.length === 0 ? awards : [...awards, ...instructions];
    instructions.forEach((origin, k) => {
      this.otherIndices.set(origin, awards.length + k);
    });
    this.columnsInUse = openColumns(awards, this.origins.length);
    this.isRefused = new Uint8Array(this.origins.length);
  }

  get columns(): FigureColumns {
    assert(this.columnsInUse !== null, "figures are read before they are retired");
    return this.columnsInUse;
  }

  /** Leaves its memory to the next run of the same awards: nobody can read it any more. */
  retire(): void {
    reusableColumns.set(this.awards, this.columns);
    this.columnsInUse = null;
  }

  /** @returns -1 for one that nobody has registered */
  indexOf(origin: InstructionOrigin): number {
    return this.catalogue.indexByOrigin.get(origin) ?? this.otherIndices.get(origin) ?? -1;
  }

  /** The same, with a new place for one that comes by the API. */
  register(origin: InstructionOrigin): number {
    // Mostly they come in the order of the scenario: looking up among tens of thousands is slow.
    if (this.origins[this.nextIndex] === origin) return this.nextIndex++;
    const known = this.indexOf(origin);
    if (0 <= known) {
      this.nextIndex = known + 1;
      return known;
    }
    this.extendedOrigins ??= [...this.origins];
    this.origins = this.extendedOrigins;
    const place = this.extendedOrigins.push(origin) - 1;
    this.otherIndices.set(origin, place);
    if (this.isRefused.length <= place) this.growColumns();
    return place;
  }

  /** When the assessment of a scenario's award begins; NaN for one that came by the API. */
  assessFromMs(place: number): EpochMs {
    return place < this.catalogue.assessFromMs.length ? this.catalogue.assessFromMs[place] : Number.NaN;
  }

  /** Whether an award or instruction has time in common with a period. */
  overlaps(place: number, startMs: EpochMs, endMs: EpochMs): boolean {
    const { catalogue: own } = this;
    if (place < own.startMs.length) return own.startMs[place] < endMs && startMs < own.endMs[place];
    const period = awardPeriod(this.origins[place]);
    return period.startMs < endMs && startMs < period.endMs;
  }

  /** Whether it is of frequency response alone. */
  isFcr(place: number): boolean {
    const { isFcr } = this.catalogue;
    return place < isFcr.length ? isFcr[place] === 1 : this.origins[place].sku === "fcr";
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
  const spare = reusableColumns.get(awards);
  reusableColumns.delete(awards);
  return clearColumns(spare?.uncoveredKw.length === length ? spare : newColumns(length));
}

/** Makes it the columns of awards of which nothing is known yet. */
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
    requestedKwh: column(),
    deliveredKwh: column(),
    shortfallKwh: column(),
    excessKwh: column(),
    uncoveredKwh: column(),
    assessedMs: column(),
    inBandMs: column(),
    executedMinutes: column(),
    capacityJpyPerKw: column(),
    deliveredJpy: column(),
    lowestJpyPerKwh: column(),
    highestJpyPerKwh: column(),
    penaltyJpy: column(),
  };
}

export const vppProductKey = ({ vpp, sku }: AwardSpec): string => `${vpp} ${sku}`;

/** The SKU's response time counts once per contiguous run of it in a VPP. */
function createCatalogue(awards: readonly AwardSpec[]): AwardCatalogue {
  const assessFromMs = new Float64Array(awards.length);
  const runs = new Map<string, { startMs: EpochMs; endMs: EpochMs }>();
  const sorted = awards.map((award, place) => ({ award, place }));
  sorted.sort((a, b) => a.award.startMs - b.award.startMs || a.place - b.place);
  for (const { award, place } of sorted) {
    const key = vppProductKey(award);
    const run = runs.get(key);
    const startMs = run !== undefined && run.endMs === award.startMs ? run.startMs : award.startMs;
    runs.set(key, { startMs, endMs: award.endMs });
    assessFromMs[place] = startMs + responseTimeMs(award.sku);
  }
  return new AwardCatalogue(awards, assessFromMs);
}
