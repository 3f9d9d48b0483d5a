import type { EpochMs } from "../../base/time.ts";
import type { Setpoint } from "../../site/components/setpoint.ts";
import type { OrderBookEntry, SiteOrder } from "../../site/orders/siteOrder.ts";
import type { Site } from "../../site/site.ts";
import type { SiteSettings } from "../../site/siteSettings.ts";
import type { OutputControl } from "../../site/siteSnapshot.ts";
import {
  type ComponentSnapshot,
  NO_REBOUNDS,
  newResourceSnapshot,
  type Rebound,
  type ResourceSnapshot,
  type SiteSnapshot,
} from "../../site/siteSnapshot.ts";

/** Laws that share one piece of memory and one copy of the energy registers. */
const CHUNK_TRAJECTORIES = 64;

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
const HAS_EXTRA_STATE = 4;

/** What a law has besides the columns, where it has any of it. */
interface ExtraState {
  readonly activeOrders: readonly OrderBookEntry[];
  readonly setpoint: Setpoint | null;
  readonly outputControls: readonly OutputControl[];
  readonly rebounds: readonly Rebound[];
  readonly hasFcrFault: boolean;
  readonly settings: SiteSettings | null;
  readonly responseKw: number;
  readonly components: readonly ComponentSnapshot[] | null;
}

class Chunk {
  count = 0;
  readonly cells = new Float64Array(CHUNK_TRAJECTORIES * COLUMNS);
  readonly flags = new Uint8Array(CHUNK_TRAJECTORIES);
  /** The one order that rules, where one does. */
  readonly orders: (SiteOrder | null)[] = [];
  extraStates: Map<number, ExtraState> | null = null;
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
export class TrajectoryLog {
  private chunks: Chunk[] = [];
  /** Laws that have been given up. */
  private droppedCount = 0;
  private count = 0;
  private readonly origin = newResourceSnapshot();

  /** Number after the last law; laws are numbered from the start of the run. */
  get endIndex(): number {
    return this.droppedCount + this.count;
  }

  /** The first law that is still kept. */
  get firstIndex(): number {
    return this.droppedCount;
  }

  /**
   * Notes the law that a site has just begun.
   *
   * @param orderOf     what stands for an order from now on; the same for the same order
   * @param registers   the site's energy registers at this instant
   */
  append(site: Site, atMs: EpochMs, orderOf: (order: SiteOrder) => SiteOrder, registers: () => Float64Array): void {
    let chunk = this.chunks[this.chunks.length - 1];
    if (chunk === undefined || chunk.count === CHUNK_TRAJECTORIES) {
      chunk = new Chunk(registers());
      this.chunks.push(chunk);
    }
    const row = chunk.count++;
    this.count++;
    const { activeOrders: ruling } = site;
    const origin = this.origin;
    origin.rebounds = NO_REBOUNDS;
    origin.responseKw = 0;
    origin.parts = null;
    site.resource.captureState(origin);
    const base = row * COLUMNS;
    const { cells } = chunk;
    cells[base + START_MS] = atMs;
    cells[base + STORED_KWH] = origin.storedKwh;
    cells[base + FLOWING_KW] = origin.flowingKw;
    chunk.flags[row] = (site.isInService ? IN_SERVICE : 0) | (site.reduction.reducing ? REDUCING : 0);
    chunk.orders[row] = ruling.length === 1 ? orderOf(ruling[0].order) : null;
    if (ruling.length === 1) {
      cells[base + DELTA_KW] = ruling[0].deltaKw;
      cells[base + FCR_KW] = ruling[0].fcrCapacityKw;
      cells[base + BASELINE_KW] = ruling[0].baselineKw;
    }
    if (origin.parts !== null || !hasNoExtraState(site, origin)) {
      chunk.flags[row] |= HAS_EXTRA_STATE;
      (chunk.extraStates ??= new Map()).set(row, {
        activeOrders: ruling.map((held) => ({ ...held, order: orderOf(held.order) })),
        setpoint: site.outdatedSetpoint,
        outputControls: site.outputControls,
        rebounds: origin.rebounds,
        hasFcrFault: site.activeFcrFaultCount > 0,
        settings: site.clientSettings,
        responseKw: origin.responseKw,
        components: origin.parts,
      });
    }
  }

  startMs(index: number): EpochMs {
    const k = index - this.droppedCount;
    return this.chunks[Math.floor(k / CHUNK_TRAJECTORIES)].cells[(k % CHUNK_TRAJECTORIES) * COLUMNS];
  }

  /** Whether the site was reducing its load, in service. */
  isReducing(index: number): boolean {
    const k = index - this.droppedCount;
    return (
      (this.chunks[Math.floor(k / CHUNK_TRAJECTORIES)].flags[k % CHUNK_TRAJECTORIES] & (IN_SERVICE | REDUCING)) ===
      (IN_SERVICE | REDUCING)
    );
  }

  /** The law in force at an instant (right-continuous); -1 before the first one that is kept. */
  indexAt(atMs: EpochMs): number {
    let low = this.droppedCount - 1;
    let high = this.endIndex;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.startMs(middle) <= atMs) low = middle;
      else high = middle;
    }
    return low < this.droppedCount ? -1 : low;
  }

  /** The last law at or before this one at which the energy registers are known. */
  chunkStartIndex(index: number): number {
    const k = index - this.droppedCount;
    return index - (k % CHUNK_TRAJECTORIES);
  }

  /** Energy registers at the beginning of a law of which `chunkStartIndex` told. */
  registersAt(index: number): Float64Array {
    return this.chunks[(index - this.droppedCount) / CHUNK_TRAJECTORIES].registers;
  }

  snapshotAt(index: number): SiteSnapshot {
    const k = index - this.droppedCount;
    const chunk = this.chunks[Math.floor(k / CHUNK_TRAJECTORIES)];
    const row = k % CHUNK_TRAJECTORIES;
    const flags = chunk.flags[row];
    const { cells } = chunk;
    const base = row * COLUMNS;
    const special = (flags & HAS_EXTRA_STATE) === 0 ? undefined : chunk.extraStates?.get(row);
    const ruling = special?.activeOrders ?? activeOrdersOf(chunk, row);
    return {
      atMs: cells[base + START_MS],
      isInService: (flags & IN_SERVICE) !== 0,
      isReducing: (flags & REDUCING) !== 0,
      activeOrders: ruling,
      outdatedSetpoint: special?.setpoint ?? null,
      outputControls: special?.outputControls ?? NO_CONTROLS,
      hasFcrFault: special?.hasFcrFault ?? false,
      clientSettings: special?.settings ?? null,
      resource: {
        storedKwh: cells[base + STORED_KWH],
        flowingKw: cells[base + FLOWING_KW],
        rebounds: special?.rebounds ?? NO_REBOUNDS,
        responseKw: special?.responseKw ?? 0,
        parts: special?.components ?? null,
      },
    };
  }

  /** Gives up laws that ended before an instant, whole chunks at a time. */
  dropBefore(atMs: EpochMs): void {
    let gone = 0;
    while (gone + 1 < this.chunks.length && this.chunks[gone + 1].cells[START_MS] <= atMs) gone++;
    if (gone === 0) return;
    this.chunks = this.chunks.slice(gone);
    this.droppedCount += gone * CHUNK_TRAJECTORIES;
    this.count -= gone * CHUNK_TRAJECTORIES;
  }
}

const NO_CONTROLS: readonly OutputControl[] = [];

function hasNoExtraState(site: Site, { rebounds, responseKw }: ResourceSnapshot): boolean {
  const { activeOrders: ruling } = site;
  if (ruling.length > 1 || (ruling.length === 1 && ruling[0].setpointCeilingKw !== ruling[0].deltaKw)) return false;
  if (rebounds.length > 0 || responseKw !== 0 || site.activeFcrFaultCount > 0 || site.clientSettings !== null)
    return false;
  return site.outdatedSetpoint === null && site.outputControls.length === 0;
}

function activeOrdersOf(chunk: Chunk, row: number): readonly OrderBookEntry[] {
  const order = chunk.orders[row];
  if (order === null) return NO_ORDERS;
  const base = row * COLUMNS;
  const { cells } = chunk;
  return [
    {
      order,
      deltaKw: cells[base + DELTA_KW],
      fcrCapacityKw: cells[base + FCR_KW],
      setpointCeilingKw: cells[base + DELTA_KW],
      baselineKw: cells[base + BASELINE_KW],
    },
  ];
}

const NO_ORDERS: readonly OrderBookEntry[] = [];
