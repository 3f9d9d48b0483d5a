import { Copyable } from "../../../base/copyState.ts";
import type { EpochMs } from "../../../base/time.ts";
import { LIMITING_FACTOR } from "../curve/limitingFactor.ts";
import { grown } from "../curve/linearPieces.ts";
import { Trajectory } from "../curve/trajectory.ts";

/** What keeps the chargers from their set-point during a segment. @see docs/model/ev-chargers.md#limiting-factor */
export const CHARGERS_LIMIT = {
  none: 0,
  connectionPoint: 1,
  /** Cars that must charge now to depart with the wanted energy. */
  departure: 2,
  /** Cars that are full, or at their minimum. */
  storedEnergy: 3,
  /** The power of the connected cars. */
  carPower: 4,
  noCar: 5,
} as const;
export type ChargersLimit = (typeof CHARGERS_LIMIT)[keyof typeof CHARGERS_LIMIT];

/**
 * Power and stored energy of all connectors from `total.originMs` until `endMs`. In a segment every car has one power.
 *
 * Owned by one component, which fills it again whenever it plans. No car arrives or departs between its start and its end.
 */
export class ChargersTrajectory extends Copyable {
  /** Sums over the connectors: AC power, stored energy of the connected cars. */
  readonly total = new Trajectory();
  /** A whole ms; `Infinity` where nothing changes any more. */
  endMs: EpochMs = Number.POSITIVE_INFINITY;
  private readonly connectorCount: number;
  /** One for each segment. */
  private limitedBy = new Uint8Array(2);
  /** By segment, then connector: power, stored energy at the segment's start and its change. */
  private kw: Float64Array;
  private storedKwh: Float64Array;
  private storedKwhPerMs: Float64Array;

  constructor(connectorCount: number) {
    super();
    this.connectorCount = connectorCount;
    this.kw = new Float64Array(2 * connectorCount);
    this.storedKwh = new Float64Array(2 * connectorCount);
    this.storedKwhPerMs = new Float64Array(2 * connectorCount);
  }

  get segmentCount(): number {
    return this.total.count;
  }

  begin(originMs: EpochMs): void {
    this.total.begin(originMs, 0);
    this.endMs = Number.POSITIVE_INFINITY;
  }

  /** Adds a segment, which starts after the last one. Numbers by connector: kW, kWh at its start, kWh per ms. */
  append(
    afterMs: number,
    kw: Float64Array,
    storedKwh: Float64Array,
    storedKwhPerMs: Float64Array,
    limit: ChargersLimit,
  ): void {
    const k = this.total.count;
    if (k === this.limitedBy.length) this.grow();
    const base = k * this.connectorCount;
    this.kw.set(kw, base);
    this.storedKwh.set(storedKwh, base);
    this.storedKwhPerMs.set(storedKwhPerMs, base);
    this.limitedBy[k] = limit;
    let inKw = 0;
    let outKw = 0;
    let sumKwh = 0;
    let sumKwhPerMs = 0;
    for (let c = 0; c < this.connectorCount; c++) {
      if (0 < kw[c]) inKw += kw[c];
      else outKw -= kw[c];
      sumKwh += storedKwh[c];
      sumKwhPerMs += storedKwhPerMs[c];
    }
    this.total.appendConstantPower(afterMs, inKw - outKw, sumKwh, sumKwhPerMs, LIMITING_FACTOR_OF[limit]);
  }

  limitedByAt(atMs: EpochMs): ChargersLimit {
    return this.limitedBy[this.total.indexAt(atMs)] as ChargersLimit;
  }

  connectorKwAt(connector: number, atMs: EpochMs): number {
    return this.kw[this.total.indexAt(atMs) * this.connectorCount + connector];
  }

  connectorStoredKwhAt(connector: number, atMs: EpochMs): number {
    const k = this.total.indexAt(atMs);
    return this.storedIn(k, k * this.connectorCount + connector, atMs);
  }

  /** Stored energy at all connectors; leaves `out` as it is where nothing is planned. */
  readStored(atMs: EpochMs, out: Float64Array): void {
    if (this.total.count === 0) return;
    const k = this.total.indexAt(atMs);
    for (let c = 0; c < this.connectorCount; c++) out[c] = this.storedIn(k, k * this.connectorCount + c, atMs);
  }

  private storedIn(k: number, index: number, atMs: EpochMs): number {
    const intoMs = Math.max(0, atMs - this.total.originMs - this.total.afterMsOf(k));
    return this.storedKwh[index] + this.storedKwhPerMs[index] * intoMs;
  }

  private grow(): void {
    this.kw = grown(this.kw);
    this.storedKwh = grown(this.storedKwh);
    this.storedKwhPerMs = grown(this.storedKwhPerMs);
    const limits = new Uint8Array(2 * this.limitedBy.length);
    limits.set(this.limitedBy);
    this.limitedBy = limits;
  }
}

/** Cars that are away, or that must charge, are consumption other than the set-point's. @see docs/model/ev-chargers.md#causes */
const LIMITING_FACTOR_OF = {
  [CHARGERS_LIMIT.none]: LIMITING_FACTOR.none,
  [CHARGERS_LIMIT.connectionPoint]: LIMITING_FACTOR.powerLimit,
  [CHARGERS_LIMIT.departure]: LIMITING_FACTOR.load,
  [CHARGERS_LIMIT.storedEnergy]: LIMITING_FACTOR.socBound,
  [CHARGERS_LIMIT.carPower]: LIMITING_FACTOR.powerLimit,
  [CHARGERS_LIMIT.noCar]: LIMITING_FACTOR.load,
} as const;
