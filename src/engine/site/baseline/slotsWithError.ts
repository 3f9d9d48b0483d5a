import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import { meanRevertingNoise } from "../../kernel/meanRevertingNoise.ts";
import { RandomStreams } from "../../kernel/randomStreams.ts";
import { Series } from "../../series/model/series.ts";
import type { BaselineErrorSpec, RunPeriod } from "../siteSpec.ts";

/** Slots of a site in a run. */
interface SiteSlots {
  /** Name. */
  readonly site: string;
  readonly run: RunPeriod;
  /** Until when slots are known. */
  readonly untilMs: EpochMs;
}

/**
 * The slots that a site reports, in kW: each that begins before the end of the run with its error
 * (docs/model/baselines.md#error). Nothing is delivered against later ones.
 */
export function slotsWithError(slotsKw: Series | number, error: BaselineErrorSpec, slots: SiteSlots): Series {
  const exact = slotsKw instanceof Series ? slotsKw : constantSlots(slotsKw, slots);
  const { name, timesMs, startMs, untilMs } = exact;
  const values = exact.values.slice();
  const errors = errorsKw(error, slots);
  const skipped = errors.length - slotCount(startMs, slots.run.endMs);
  for (let k = skipped; k < errors.length; k++) values[k - skipped] += errors[k];
  return new Series(name, timesMs, values, "step", untilMs);
}

/** From the half hour in which the scenario starts to the one in which the run ends. */
function errorsKw({ biasKw, spreadKw, correlationMs }: BaselineErrorSpec, { site, run }: SiteSlots): Float64Array {
  const count = slotCount(run.streamsFromMs, run.endMs);
  const random = new RandomStreams(run.seed).getStream("baseline_error", site);
  const noise = meanRevertingNoise(count, { stepMs: MS_PER_HALF_HOUR, timeConstantMs: correlationMs }, random);
  return noise.map((value) => biasKw + spreadKw * value);
}

/** A slot for each half hour of the run, and one after it that holds as long as slots are known. */
function constantSlots(kw: number, { run: { startMs, endMs }, untilMs }: SiteSlots): Series {
  const count = slotCount(startMs, endMs) + 1;
  const firstMs = floorToHalfHour(startMs);
  const timesMs = Float64Array.from({ length: count }, (_, k) => firstMs + k * MS_PER_HALF_HOUR);
  return new Series("baseline", timesMs, new Float64Array(count).fill(kw), "step", untilMs);
}

const slotCount = (fromMs: EpochMs, toMs: EpochMs): number =>
  Math.ceil((toMs - floorToHalfHour(fromMs)) / MS_PER_HALF_HOUR);
