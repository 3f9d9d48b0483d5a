import { assert } from "../../base/assert.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import { registerCount } from "../meters/componentRegisters.ts";
import { createMeter } from "../meters/createMeter.ts";
import type { SiteMeter } from "../meters/siteMeter.ts";
import type { TrajectoryLog } from "./trajectoryLog.ts";

/**
 * A site as it was: a site of its own that goes back to any law of the log, so that everything a living site can be
 * asked can be asked of the past. Each reader has its own.
 */
export class PastSite {
  /** As it was where `seek` or `registersAt` went last; nobody runs it. */
  readonly site: Site;
  private readonly trajectoryLog: TrajectoryLog;
  private trajectoryIndex = -1;
  /** From when and until when the law that was recalled held. */
  private trajectoryFromMs: EpochMs = Number.NaN;
  private trajectoryUntilMs: EpochMs = Number.NaN;
  private meter: SiteMeter | null = null;

  constructor(site: Site, log: TrajectoryLog) {
    this.site = site;
    this.trajectoryLog = log;
  }

  /**
   * Goes to the law in force at an instant.
   *
   * @returns whether the site was there: false before the first law that is kept
   */
  seek(atMs: EpochMs): boolean {
    if (this.trajectoryFromMs <= atMs && atMs < this.trajectoryUntilMs) return true;
    this.meter = null;
    // Readers walk forward: mostly it is the next law.
    const next = this.trajectoryIndex + 1;
    const isNext = this.trajectoryUntilMs <= atMs && next < this.trajectoryLog.endIndex && atMs < this.endMs(next);
    const index = isNext ? next : this.trajectoryLog.indexAt(atMs);
    if (index < 0) {
      this.trajectoryFromMs = Number.NaN;
      return false;
    }
    this.restore(index);
    return true;
  }

  /** When the law began that `seek` went to: what it was told, and whether it was in service, holds since then. */
  get trajectoryStartMs(): EpochMs {
    return this.trajectoryFromMs;
  }

  /** The energy registers at an instant from the start of the run on, as a meter of the living site would read them; good until the next call. */
  registersAt(atMs: EpochMs): Float64Array {
    const log = this.trajectoryLog;
    // Nothing has happened yet: time has not moved since the run began.
    if (log.endIndex === log.firstIndex) return new Float64Array(registerCount(this.site));
    let meter = this.meter;
    // What is far away is gone to, not walked to.
    if (
      meter === null ||
      atMs < this.trajectoryFromMs ||
      (this.trajectoryUntilMs <= atMs && this.trajectoryIndex < log.chunkStartIndex(log.indexAt(atMs)))
    ) {
      const index = log.chunkStartIndex(Math.max(log.indexAt(atMs), log.firstIndex));
      this.restore(index);
      meter = createMeter(this.site, this.trajectoryFromMs, log.registersAt(index));
      this.meter = meter;
    }
    while (this.trajectoryUntilMs <= atMs) {
      meter.close(this.trajectoryUntilMs);
      this.restore(this.trajectoryIndex + 1);
    }
    return meter.read(atMs);
  }

  private restore(index: number): void {
    const log = this.trajectoryLog;
    assert(log.firstIndex <= index && index < log.endIndex, "a law is recalled that is kept");
    this.site.restore(log.snapshotAt(index));
    this.trajectoryIndex = index;
    this.trajectoryFromMs = log.startMs(index);
    this.trajectoryUntilMs = this.endMs(index);
  }

  private endMs(index: number): EpochMs {
    return index + 1 < this.trajectoryLog.endIndex ? this.trajectoryLog.startMs(index + 1) : Number.POSITIVE_INFINITY;
  }
}
