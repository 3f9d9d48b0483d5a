import { Copyable } from "../base/copyState.ts";
import { type EpochMs, MS_PER_SECOND } from "../base/time.ts";
import type { RandomStream } from "../kernel/randomStreams.ts";
import type { StochasticOutages } from "../site/siteSpec.ts";

/**
 * Alternating up and repair times of one site, exponentially distributed and rounded up to a second. The site starts up.
 *
 * All draws come from the site's own stream and depend on nothing else, so scripted outages, weights and other sites do not
 * change them (docs/model/connection-point.md#stochastic-outages).
 */
export class OutageClock extends Copyable {
  private readonly spec: StochasticOutages;
  private readonly random: RandomStream;
  /** The next outage: `startMs <= t && t < endMs`. */
  startMs: EpochMs;
  endMs: EpochMs;

  constructor(spec: StochasticOutages, random: RandomStream, fromMs: EpochMs) {
    super();
    this.spec = spec;
    this.random = random;
    this.startMs = fromMs;
    this.endMs = fromMs;
    this.advance();
  }

  /** Draws the next outage. */
  advance(): void {
    this.startMs = this.endMs + this.draw(this.spec.meanUpMs);
    this.endMs = this.startMs + this.draw(this.spec.meanRepairMs);
  }

  private draw(meanMs: number): number {
    return Math.max(MS_PER_SECOND, Math.ceil(this.random.nextExponential(meanMs) / MS_PER_SECOND) * MS_PER_SECOND);
  }
}
