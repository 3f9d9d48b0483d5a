import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import { REGISTER_COUNT } from "./energyRegisters.ts";

/** What a meter has added up, and what it read last: a law mostly ends where an interval does, and is read once then. */
export class MeterRegisters extends Copyable {
  /** Up to the last change of law. */
  closed = new Float64Array(REGISTER_COUNT);
  private latest = new Float64Array(REGISTER_COUNT);
  private latestMs: EpochMs = Number.NaN;

  /** @param from  what to go on from, copied; all 0 without */
  constructor(from: Float64Array | null) {
    super();
    if (from !== null) this.closed.set(from);
  }

  /** What was read at this instant under the present law, if it was. */
  cachedAt(atMs: EpochMs): Float64Array | null {
    return atMs === this.latestMs ? this.latest : null;
  }

  /** The registers up to the last change of law, to add what came since. */
  beginReading(atMs: EpochMs): Float64Array {
    this.latestMs = atMs;
    const { closed } = this;
    const latest = this.latest;
    for (let k = 0; k < REGISTER_COUNT; k++) latest[k] = closed[k];
    return latest;
  }

  /** The law ended where it was read last. */
  closeLatest(): void {
    const latest = this.latest;
    this.latest = this.closed;
    this.closed = latest;
    this.latestMs = Number.NaN;
  }
}
