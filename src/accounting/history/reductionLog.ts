import type { EpochMs } from "../../base/time.ts";

/** One demand response: the instruction or direct call that asked for it, known by its number of registration. */
interface Begun {
  readonly atMs: EpochMs;
  readonly registration: number;
}

/**
 * Demand responses by when they began. The pieces that another schedule leaves of one count once, from the first piece
 * on (decisions.md 64).
 */
export class ReductionLog {
  private begun: Begun[] = [];
  private readonly known = new Set<number>();

  begin(atMs: EpochMs, registration: number): void {
    if (this.known.has(registration)) return;
    this.known.add(registration);
    this.begun.push({ atMs, registration });
  }

  countBetween(startMs: EpochMs, endMs: EpochMs): number {
    let count = 0;
    for (const { atMs } of this.begun) if (startMs <= atMs && atMs < endMs) count++;
    return count;
  }

  dropBefore(atMs: EpochMs): void {
    if (this.begun.length === 0 || atMs <= this.begun[0].atMs) return;
    for (const begun of this.begun) if (begun.atMs < atMs) this.known.delete(begun.registration);
    this.begun = this.begun.filter((begun) => atMs <= begun.atMs);
  }
}
