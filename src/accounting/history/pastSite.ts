import { assert } from "../../base/assert.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import { createMeter } from "../meters/createMeter.ts";
import { registerCount } from "../meters/partLeaves.ts";
import type { SiteMeter } from "../meters/siteMeter.ts";
import type { LawLog } from "./lawLog.ts";

/**
 * A site as it was: a site of its own that goes back to any law of the log, so that everything a living site can be
 * asked can be asked of the past. Each reader has its own.
 */
export class PastSite {
  /** As it was where `seek` or `registersAt` went last; nobody runs it. */
  readonly site: Site;
  private readonly log: LawLog;
  private index = -1;
  /** From when and until when the law that was recalled held. */
  private fromMs: EpochMs = Number.NaN;
  private untilMs: EpochMs = Number.NaN;
  private meter: SiteMeter | null = null;

  constructor(site: Site, log: LawLog) {
    this.site = site;
    this.log = log;
  }

  /**
   * Goes to the law in force at an instant.
   *
   * @returns whether the site was there: false before the first law that is kept
   */
  seek(atMs: EpochMs): boolean {
    if (this.fromMs <= atMs && atMs < this.untilMs) return true;
    this.meter = null;
    // Readers walk forward: mostly it is the next law.
    const next = this.index + 1;
    const isNext = this.untilMs <= atMs && next < this.log.endIndex && atMs < this.endMs(next);
    const index = isNext ? next : this.log.indexAt(atMs);
    if (index < 0) {
      this.fromMs = Number.NaN;
      return false;
    }
    this.recall(index);
    return true;
  }

  /** When the law began that `seek` went to: what it was told, and whether it was in service, holds since then. */
  get sinceMs(): EpochMs {
    return this.fromMs;
  }

  /** The energy registers at an instant from the start of the run on, as a meter of the living site would read them; good until the next call. */
  registersAt(atMs: EpochMs): Float64Array {
    const log = this.log;
    // Nothing has happened yet: time has not moved since the run began.
    if (log.endIndex === log.firstIndex) return new Float64Array(registerCount(this.site));
    let meter = this.meter;
    // What is far away is gone to, not walked to.
    if (
      meter === null ||
      atMs < this.fromMs ||
      (this.untilMs <= atMs && this.index < log.knownIndex(log.indexAt(atMs)))
    ) {
      const index = log.knownIndex(Math.max(log.indexAt(atMs), log.firstIndex));
      this.recall(index);
      meter = createMeter(this.site, this.fromMs, log.registersAt(index));
      this.meter = meter;
    }
    while (this.untilMs <= atMs) {
      meter.close(this.untilMs);
      this.recall(this.index + 1);
    }
    return meter.read(atMs);
  }

  private recall(index: number): void {
    const log = this.log;
    assert(log.firstIndex <= index && index < log.endIndex, "a law is recalled that is kept");
    this.site.recall(log.momentAt(index));
    this.index = index;
    this.fromMs = log.startMs(index);
    this.untilMs = this.endMs(index);
  }

  private endMs(index: number): EpochMs {
    return index + 1 < this.log.endIndex ? this.log.startMs(index + 1) : Number.POSITIVE_INFINITY;
  }
}
