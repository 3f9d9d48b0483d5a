import type { EpochMs } from "../../base/time.ts";

/** One demand response: the instruction or direct call that asked for it, known by its number of registration. */
interface ReductionStart {
  readonly atMs: EpochMs;
  readonly registration: number;
}

/**
 * Demand responses by when they began. The pieces that another schedule leaves of one count once, from the first piece
 * on (docs/model/accounting.md#dr-delivered).
 */
export class ReductionLog {
  private starts: ReductionStart[] = [];
  private readonly knownRegistrations = new Set<number>();

  recordStart(atMs: EpochMs, registration: number): void {
    if (this.knownRegistrations.has(registration)) return;
    this.knownRegistrations.add(registration);
    this.starts.push({ atMs, registration });
  }

  countStarts(startMs: EpochMs, endMs: EpochMs): number {
    let count = 0;
    for (const { atMs } of this.starts) if (startMs <= atMs && atMs < endMs) count++;
    return count;
  }

  dropBefore(atMs: EpochMs): void {
    if (this.starts.length === 0 || atMs <= this.starts[0].atMs) return;
    for (const begun of this.starts) if (begun.atMs < atMs) this.knownRegistrations.delete(begun.registration);
    this.starts = this.starts.filter((begun) => atMs <= begun.atMs);
  }
}
