import type { EpochMs } from "../../base/time.ts";
import type { Target } from "../../site/components/target.ts";
import type { HeldOrder, SiteOrder } from "../../site/orders/siteOrder.ts";
import type { Site } from "../../site/site.ts";
import type { OutputControl } from "../../site/siteMoment.ts";
import {
  NO_REBOUNDS,
  newOrigin,
  type PartOrigin,
  type Rebound,
  type SiteMoment,
  type UnitOrigin,
} from "../../site/siteMoment.ts";
import type { SiteSettings } from "../../site/siteSettings.ts";

/** Laws that share one piece of memory and one copy of the energy registers. */
const CHUNK_LAWS = 64;

/** Columns of a law. */
const START_MS = 0;
const STORED_KWH = 1;
const FLOWING_KW = 2;
const DELTA_KW = 3;
const FCR_KW = 4;
const BASELINE_KW = 5;
const COLUMNS = 6;

const IN_SERVICE = 1;
const REDUCING = 2;
const SPECIAL = 4;

/** What a law has besides the columns, where it has any of it. */
interface Special {
  readonly ruling: readonly HeldOrder[];
  readonly followed: Target | null;
  readonly outputControls: readonly OutputControl[];
  readonly rebounds: readonly Rebound[];
  readonly fcrFault: boolean;
  readonly settings: SiteSettings | null;
  readonly responseKw: number;
  readonly parts: readonly PartOrigin[] | null;
}

class Chunk {
  count = 0;
  readonly cells = new Float64Array(CHUNK_LAWS * COLUMNS);
  readonly flags = new Uint8Array(CHUNK_LAWS);
  /** The one order that rules, where one does. */
  readonly orders: (SiteOrder | null)[] = [];
  specials: Map<number, Special> | null = null;
  /** Energy registers where its first law begins. */
  readonly registers: Float64Array;

  constructor(registers: Float64Array) {
    this.registers = registers.slice();
  }
}

/**
 * The laws of one site: for each what it grew out of, not what it gives. Whoever asks plans it again (`PastSite`), which
 * gives the very same numbers.
 *
 * Nearly every law is one row of a chunk: at most one order, nothing on its way, no output control.
 */
export class LawLog {
  private chunks: Chunk[] = [];
  /** Laws that have been given up. */
  private dropped = 0;
  private count = 0;
  private readonly origin = newOrigin();

  /** Number after the last law; laws are numbered from the start of the run. */
  get endIndex(): number {
    return this.dropped + this.count;
  }

  /** The first law that is still kept. */
  get firstIndex(): number {
    return this.dropped;
  }

  /**
   * Notes the law that a site has just begun.
   *
   * @param orderOf     what stands for an order from now on; the same for the same order
   * @param registers   the site's energy registers at this instant
   */
  note(site: Site, atMs: EpochMs, orderOf: (order: SiteOrder) => SiteOrder, registers: () => Float64Array): void {
    let chunk = this.chunks[this.chunks.length - 1];
    if (chunk === undefined || chunk.count === CHUNK_LAWS) {
      chunk = new Chunk(registers());
      this.chunks.push(chunk);
    }
    const row = chunk.count++;
    this.count++;
    const { ruling } = site;
    const origin = this.origin;
    origin.rebounds = NO_REBOUNDS;
    origin.responseKw = 0;
    origin.parts = null;
    site.unit.noteOrigin(origin);
    const base = row * COLUMNS;
    const { cells } = chunk;
    cells[base + START_MS] = atMs;
    cells[base + STORED_KWH] = origin.storedKwh;
    cells[base + FLOWING_KW] = origin.flowingKw;
    chunk.flags[row] = (site.inService ? IN_SERVICE : 0) | (site.reduction.reducing ? REDUCING : 0);
    chunk.orders[row] = ruling.length === 1 ? orderOf(ruling[0].order) : null;
    if (ruling.length === 1) {
      cells[base + DELTA_KW] = ruling[0].deltaKw;
      cells[base + FCR_KW] = ruling[0].fcrKw;
      cells[base + BASELINE_KW] = ruling[0].baselineKw;
    }
    if (origin.parts !== null || !isPlain(site, origin)) {
      chunk.flags[row] |= SPECIAL;
      (chunk.specials ??= new Map()).set(row, {
        ruling: ruling.map((held) => ({ ...held, order: orderOf(held.order) })),
        followed: site.followed,
        outputControls: site.outputControls,
        rebounds: origin.rebounds,
        fcrFault: site.fcrFaultCount > 0,
        settings: site.settings,
        responseKw: origin.responseKw,
        parts: origin.parts,
      });
    }
  }

  startMs(index: number): EpochMs {
    const k = index - this.dropped;
    return this.chunks[Math.floor(k / CHUNK_LAWS)].cells[(k % CHUNK_LAWS) * COLUMNS];
  }

  /** Whether the site was reducing its load, in service. */
  isReducing(index: number): boolean {
    const k = index - this.dropped;
    return (
      (this.chunks[Math.floor(k / CHUNK_LAWS)].flags[k % CHUNK_LAWS] & (IN_SERVICE | REDUCING)) ===
      (IN_SERVICE | REDUCING)
    );
  }

  /** The law in force at an instant (right-continuous); -1 before the first one that is kept. */
  indexAt(atMs: EpochMs): number {
    let low = this.dropped - 1;
    let high = this.endIndex;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.startMs(middle) <= atMs) low = middle;
      else high = middle;
    }
    return low < this.dropped ? -1 : low;
  }

  /** The last law at or before this one at which the energy registers are known. */
  knownIndex(index: number): number {
    const k = index - this.dropped;
    return index - (k % CHUNK_LAWS);
  }

  /** Energy registers at the beginning of a law of which `knownIndex` told. */
  registersAt(index: number): Float64Array {
    return this.chunks[(index - this.dropped) / CHUNK_LAWS].registers;
  }

  momentAt(index: number): SiteMoment {
    const k = index - this.dropped;
    const chunk = this.chunks[Math.floor(k / CHUNK_LAWS)];
    const row = k % CHUNK_LAWS;
    const flags = chunk.flags[row];
    const { cells } = chunk;
    const base = row * COLUMNS;
    const special = (flags & SPECIAL) === 0 ? undefined : chunk.specials?.get(row);
    const ruling = special?.ruling ?? rulingOf(chunk, row);
    return {
      atMs: cells[base + START_MS],
      inService: (flags & IN_SERVICE) !== 0,
      reducing: (flags & REDUCING) !== 0,
      ruling,
      followed: special?.followed ?? null,
      outputControls: special?.outputControls ?? NO_CONTROLS,
      fcrFault: special?.fcrFault ?? false,
      settings: special?.settings ?? null,
      origin: {
        storedKwh: cells[base + STORED_KWH],
        flowingKw: cells[base + FLOWING_KW],
        rebounds: special?.rebounds ?? NO_REBOUNDS,
        responseKw: special?.responseKw ?? 0,
        parts: special?.parts ?? null,
      },
    };
  }

  /** Gives up laws that ended before an instant, whole chunks at a time. */
  dropBefore(atMs: EpochMs): void {
    let gone = 0;
    while (gone + 1 < this.chunks.length && this.chunks[gone + 1].cells[START_MS] <= atMs) gone++;
    if (gone === 0) return;
    this.chunks = this.chunks.slice(gone);
    this.dropped += gone * CHUNK_LAWS;
    this.count -= gone * CHUNK_LAWS;
  }
}

const NO_CONTROLS: readonly OutputControl[] = [];

function isPlain(site: Site, { rebounds, responseKw }: UnitOrigin): boolean {
  const { ruling } = site;
  if (ruling.length > 1 || (ruling.length === 1 && ruling[0].reachKw !== ruling[0].deltaKw)) return false;
  if (rebounds.length > 0 || responseKw !== 0 || site.fcrFaultCount > 0 || site.settings !== null) return false;
  return site.followed === null && site.outputControls.length === 0;
}

function rulingOf(chunk: Chunk, row: number): readonly HeldOrder[] {
  const order = chunk.orders[row];
  if (order === null) return NO_ORDERS;
  const base = row * COLUMNS;
  const { cells } = chunk;
  return [
    {
      order,
      deltaKw: cells[base + DELTA_KW],
      fcrKw: cells[base + FCR_KW],
      reachKw: cells[base + DELTA_KW],
      baselineKw: cells[base + BASELINE_KW],
    },
  ];
}

const NO_ORDERS: readonly HeldOrder[] = [];
