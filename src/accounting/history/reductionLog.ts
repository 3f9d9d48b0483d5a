import type { EpochMs } from "../../base/time.ts";

/** One demand response, identified by the registration number of its instruction or direct order. */
interface ReductionStart {
  readonly atMs: EpochMs;
  readonly registration: number;
}

/**
 * Starts of demand responses. The pieces of a split schedule count once, from the first piece
 * (docs/model/accounting.md#dr-delivered).
 */
export class ReductionLog {
  private starts: ReductionStart[] = [];
  private readonly knownRegistrations = new Set<number>();

  recordStart(atMs: EpochMs, registration: number): void {
    if (this.knownRegistrations.has(registration)) return;
    this.knownRegistrations.add(registration);
    this.starts.push({ atMs, registration });
  }

  has(registration: number): boolean {
    return this.knownRegistrations.has(registration);
  }

  countStarts(startMs: EpochMs, endMs: EpochMs): number {
    let count = 0;
    for (const { atMs } of this.starts) if (startMs <= atMs && atMs < endMs) count++;
    return count;
  }

  dropBefore(atMs: EpochMs): void {
    if (this.starts.length === 0 || atMs <= this.starts[0].atMs) return;
    for (const start of this.starts) if (start.atMs < atMs) this.knownRegistrations.delete(start.registration);
    this.starts = this.starts.filter((start) => atMs <= start.atMs);
  }
}
