import { Copyable } from "../../../base/copyState.ts";

/** Powers nearer than this are equal. */
const SAME_KW = 1e-9;
/** Ranks nearer than this are equal, in ms: far above rounding, and 1 µs of power is nothing that a report shows. */
const SAME_RANK_MS = 1e-3;

/**
 * Shares a power over cars by rank: the lowest rank first, each up to its limit; cars of one rank move up together.
 *
 * A rank is an instant in ms that moves on while its car is served: the last instant at which charging at full power
 * must begin, or, for discharging, the negative of it.
 *
 * @see docs/model/ev-chargers.md#sharing
 */
export class LaxityShare extends Copyable {
  /** Result by connector, at least 0. */
  readonly kw: Float64Array;
  /** After how many ms a car reaches the rank of one that is served differently; `Infinity`: never. */
  meetMs = Number.POSITIVE_INFINITY;
  private count = 0;
  private readonly cars: Int32Array;
  private readonly rankMs: Float64Array;
  private readonly maxKw: Float64Array;
  /** Power that moves the rank by 1 ms per ms. */
  private readonly unitKw: Float64Array;
  private readonly isAtMax: Uint8Array;

  constructor(connectorCount: number) {
    super();
    this.kw = new Float64Array(connectorCount);
    this.cars = new Int32Array(connectorCount);
    this.rankMs = new Float64Array(connectorCount);
    this.maxKw = new Float64Array(connectorCount);
    this.unitKw = new Float64Array(connectorCount);
    this.isAtMax = new Uint8Array(connectorCount);
  }

  begin(): void {
    this.count = 0;
    this.meetMs = Number.POSITIVE_INFINITY;
  }

  add(connector: number, rankMs: number, maxKw: number, unitKw: number): void {
    this.cars[this.count++] = connector;
    this.rankMs[connector] = rankMs;
    this.maxKw[connector] = maxKw;
    this.unitKw[connector] = unitKw;
  }

  /** Of all cars. */
  get sumMaxKw(): number {
    return this.sumOfMax(0, this.count);
  }

  /** @returns what is shared: the power to share, or all that the cars can do */
  share(powerKw: number): number {
    const sumKw = this.sumMaxKw;
    if (sumKw <= powerKw + SAME_KW) {
      for (let k = 0; k < this.count; k++) this.kw[this.cars[k]] = this.maxKw[this.cars[k]];
      return sumKw;
    }
    for (let k = 0; k < this.count; k++) this.kw[this.cars[k]] = 0;
    if (powerKw <= SAME_KW) return 0;
    this.shareByRank(powerKw);
    return powerKw;
  }

  private shareByRank(powerKw: number): void {
    const { cars, count, kw, maxKw } = this;
    cars.subarray(0, count).sort((a, b) => this.rankMs[a] - this.rankMs[b] || a - b);
    let leftKw = powerKw;
    let first = 0;
    let end = this.endOfRank(first);
    for (;;) {
      const sumKw = this.sumOfMax(first, end);
      if (leftKw + SAME_KW < sumKw || end === count) break;
      for (let k = first; k < end; k++) kw[cars[k]] = maxKw[cars[k]];
      leftKw = Math.max(0, leftKw - sumKw);
      first = end;
      end = this.endOfRank(first);
    }
    const speed = leftKw <= SAME_KW ? 0 : this.shareWithinRank(first, end, leftKw);
    this.findMeeting(first, end, speed);
  }

  /** Index after the last car of the rank that begins at `first`. */
  private endOfRank(first: number): number {
    const { cars, count, rankMs } = this;
    let end = first + 1;
    while (end < count && rankMs[cars[end]] - rankMs[cars[end - 1]] <= SAME_RANK_MS) end++;
    return end;
  }

  private sumOfMax(first: number, end: number): number {
    let sumKw = 0;
    for (let k = first; k < end; k++) sumKw += this.maxKw[this.cars[k]];
    return sumKw;
  }

  /** All ranks move at one speed; cars that cannot keep up are served in full. @returns the speed, in ms per ms */
  private shareWithinRank(first: number, end: number, powerKw: number): number {
    const { cars, kw, maxKw, unitKw, isAtMax } = this;
    for (let k = first; k < end; k++) isAtMax[cars[k]] = 0;
    for (;;) {
      let leftKw = powerKw;
      let sumKw = 0;
      for (let k = first; k < end; k++) {
        if (isAtMax[cars[k]]) leftKw -= maxKw[cars[k]];
        else sumKw += unitKw[cars[k]];
      }
      const speed = leftKw / sumKw;
      let isDone = true;
      for (let k = first; k < end; k++) {
        const c = cars[k];
        if (isAtMax[c] || speed * unitKw[c] <= maxKw[c]) continue;
        isAtMax[c] = 1;
        isDone = false;
      }
      if (!isDone) continue;
      for (let k = first; k < end; k++) kw[cars[k]] = isAtMax[cars[k]] ? maxKw[cars[k]] : speed * unitKw[cars[k]];
      return speed;
    }
  }

  /** @param first  of the rank that is served in part; those before it are served in full, those from `end` on not at all */
  private findMeeting(first: number, end: number, speed: number): void {
    const { cars, count, maxKw, rankMs, unitKw } = this;
    if (end < count && 0 < speed) this.meetMs = (rankMs[cars[end]] - rankMs[cars[end - 1]]) / speed;
    for (let k = 0; k < first; k++) {
      const fasterBy = maxKw[cars[k]] / unitKw[cars[k]] - speed;
      if (0 < fasterBy) this.meetMs = Math.min(this.meetMs, (rankMs[cars[first]] - rankMs[cars[k]]) / fasterBy);
    }
  }
}
