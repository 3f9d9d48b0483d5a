import type { EpochMs } from "../../base/time.ts";
import type { Setpoint } from "../../engine/site/components/setpoint.ts";
import type { OrderBookEntry, SiteOrder } from "../../engine/site/orders/siteOrder.ts";
import type { Site } from "../../engine/site/site.ts";
import { NO_MALFUNCTIONS, type SiteMalfunctions } from "../../engine/site/siteMalfunctions.ts";
import {
  type ComponentSnapshot,
  NO_REBOUNDS,
  newResourceSnapshot,
  type OutputControl,
  type Rebound,
  type ResourceSnapshot,
  type SiteSettings,
  type SiteSnapshot,
} from "../../engine/site/siteSnapshot.ts";

/** Trajectories in one chunk, which has one copy of the energy registers. */
const CHUNK_TRAJECTORIES = 64;

/** Columns of a trajectory. */
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

/** State of a trajectory that has no column; most trajectories have none. */
interface ExtraState {
  readonly activeOrders: readonly OrderBookEntry[];
  readonly setpoint: Setpoint | null;
  readonly outputControls: readonly OutputControl[];
  readonly rebounds: readonly Rebound[];
  readonly hasFcrFault: boolean;
  readonly settings: SiteSettings | null;
  readonly malfunctions: SiteMalfunctions;
  readonly responseKw: number;
  readonly components: readonly ComponentSnapshot[] | null;
  readonly ownState: object | null;
}

class Chunk {
  count = 0;
  readonly cells = new Float64Array(CHUNK_TRAJECTORIES * COLUMNS);
  readonly flags = new Uint8Array(CHUNK_TRAJECTORIES);
  /** The active order, where there is exactly one. */
  readonly orders: (SiteOrder | null)[] = [];
  extraStates: Map<number, ExtraState> | null = null;
  /** Energy registers at the start of the chunk's first trajectory. */
  readonly registers: Float64Array;

  constructor(registers: Float64Array) {
    this.registers = registers.slice();
  }
}

/**
 * The trajectories of one site, each as the state from which it was planned and not as powers. `PastSite` plans it
 * again from that state and gets identical numbers.
 *
 * Nearly every trajectory is one row of a chunk: at most one order, no delayed set-point, no output control.
 */
export class TrajectoryLog {
  private chunks: Chunk[] = [];
  /** Trajectories removed so far. */
  private droppedCount = 0;
  private count = 0;
  private readonly origin = newResourceSnapshot();

  /** Number after the last trajectory; trajectories are numbered from the start of the run. */
  get endIndex(): number {
    return this.droppedCount + this.count;
  }

  /** The first trajectory that has not been removed. */
  get firstIndex(): number {
    return this.droppedCount;
  }

  /**
   * Records the trajectory that a site has just begun.
   *
   * @param orderOf  returns an immutable copy of an order; the same copy for the same order
   * @param registers  returns the site's energy registers at this instant
   */
  append(site: Site, atMs: EpochMs, orderOf: (order: SiteOrder) => SiteOrder, registers: () => Float64Array): void {
    let chunk = this.chunks[this.chunks.length - 1];
    if (chunk === undefined || chunk.count === CHUNK_TRAJECTORIES) {
      chunk = new Chunk(registers());
      this.chunks.push(chunk);
    }
    const row = chunk.count++;
    this.count++;
    const { activeOrders } = site;
    const origin = this.origin;
    origin.rebounds = NO_REBOUNDS;
    origin.responseKw = 0;
    origin.parts = null;
    origin.ownState = null;
    site.resource.captureState(origin);
    const base = row * COLUMNS;
    const { cells } = chunk;
    cells[base + START_MS] = atMs;
    cells[base + STORED_KWH] = origin.storedKwh;
    cells[base + FLOWING_KW] = origin.flowingKw;
    chunk.flags[row] = (site.isInService ? IN_SERVICE : 0) | (site.reduction.reducing ? REDUCING : 0);
    chunk.orders[row] = activeOrders.length === 1 ? orderOf(activeOrders[0].order) : null;
    if (activeOrders.length === 1) {
      cells[base + DELTA_KW] = activeOrders[0].deltaKw;
      cells[base + FCR_KW] = activeOrders[0].fcrCapacityKw;
      cells[base + BASELINE_KW] = activeOrders[0].baselineKw;
    }
    if (origin.parts !== null || origin.ownState !== null || !hasNoExtraState(site, origin)) {
      chunk.flags[row] |= HAS_EXTRA_STATE;
      (chunk.extraStates ??= new Map()).set(row, {
        activeOrders: activeOrders.map((entry) => ({ ...entry, order: orderOf(entry.order) })),
        setpoint: site.outdatedSetpoint,
        outputControls: site.outputControls,
        rebounds: origin.rebounds,
        hasFcrFault: site.activeFcrFaultCount > 0,
        settings: site.clientSettings,
        malfunctions: site.malfunctions,
        responseKw: origin.responseKw,
        components: origin.parts,
        ownState: origin.ownState,
      });
    }
  }

  startMs(index: number): EpochMs {
    const k = index - this.droppedCount;
    return this.chunks[Math.floor(k / CHUNK_TRAJECTORIES)].cells[(k % CHUNK_TRAJECTORIES) * COLUMNS];
  }

  /** Whether the site was in service and reducing its load. */
  isReducing(index: number): boolean {
    const k = index - this.droppedCount;
    return (
      (this.chunks[Math.floor(k / CHUNK_TRAJECTORIES)].flags[k % CHUNK_TRAJECTORIES] & (IN_SERVICE | REDUCING)) ===
      (IN_SERVICE | REDUCING)
    );
  }

  /** The trajectory in force at an instant (right-continuous); -1 before the first one. */
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

  /** The last trajectory, up to this one, at whose start the energy registers are stored. */
  chunkStartIndex(index: number): number {
    const k = index - this.droppedCount;
    return index - (k % CHUNK_TRAJECTORIES);
  }

  /** Energy registers at the start of a trajectory found by `chunkStartIndex`. */
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
    const extraState = (flags & HAS_EXTRA_STATE) === 0 ? undefined : chunk.extraStates?.get(row);
    const activeOrders = extraState?.activeOrders ?? activeOrdersOf(chunk, row);
    return {
      atMs: cells[base + START_MS],
      isInService: (flags & IN_SERVICE) !== 0,
      isReducing: (flags & REDUCING) !== 0,
      activeOrders,
      outdatedSetpoint: extraState?.setpoint ?? null,
      outputControls: extraState?.outputControls ?? NO_CONTROLS,
      hasFcrFault: extraState?.hasFcrFault ?? false,
      clientSettings: extraState?.settings ?? null,
      malfunctions: extraState?.malfunctions ?? NO_MALFUNCTIONS,
      resource: {
        storedKwh: cells[base + STORED_KWH],
        flowingKw: cells[base + FLOWING_KW],
        rebounds: extraState?.rebounds ?? NO_REBOUNDS,
        responseKw: extraState?.responseKw ?? 0,
        parts: extraState?.components ?? null,
        ownState: extraState?.ownState ?? null,
      },
    };
  }

  /** Removes trajectories that ended before an instant, whole chunks at a time. */
  dropBefore(atMs: EpochMs): void {
    let droppedChunks = 0;
    while (droppedChunks + 1 < this.chunks.length && this.chunks[droppedChunks + 1].cells[START_MS] <= atMs)
      droppedChunks++;
    if (droppedChunks === 0) return;
    this.chunks = this.chunks.slice(droppedChunks);
    this.droppedCount += droppedChunks * CHUNK_TRAJECTORIES;
    this.count -= droppedChunks * CHUNK_TRAJECTORIES;
  }
}

const NO_CONTROLS: readonly OutputControl[] = [];

function hasNoExtraState(site: Site, { rebounds, responseKw }: ResourceSnapshot): boolean {
  const { activeOrders } = site;
  if (
    activeOrders.length > 1 ||
    (activeOrders.length === 1 && activeOrders[0].setpointCeilingKw !== activeOrders[0].deltaKw)
  )
    return false;
  if (site.malfunctions !== NO_MALFUNCTIONS) return false;
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
