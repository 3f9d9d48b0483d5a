// The lowest and highest values in bins, which long charts draw, as data of the page (docs/model/report-files.md#envelope).
import { type Bins, type Envelope, equalBins } from "../../../accounting/recorders/envelope.ts";
import type { EnergySums } from "../../../accounting/recorders/powerSums.ts";
import { LONG_RUN_MS } from "../../../accounting/recorders/timeline.ts";
import { largestOf, meanOf, smallestOf } from "../../../base/lists.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../../../base/time.ts";
import { type Markup, trustedMarkup } from "../page/markup.ts";
import type { BinsJson } from "./chartJson.ts";

interface TimeSpan {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** What a series is: state of charge in %, power in kW, price in the currency per kWh. */
type SeriesKind = "soc" | "power" | "price";

interface NamedEnvelope extends Envelope {
  readonly name: string;
  /** Bounds of the middle 80 %. */
  readonly middle?: Middle;
}

interface Middle {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Envelopes of one kind in the same bins. */
export interface EnvelopeData {
  readonly kind: SeriesKind;
  readonly bins: Bins;
  /** Of all series; without it each series has its own. */
  readonly mean?: Float64Array;
  readonly series: readonly NamedEnvelope[];
}

/** A band from the lowest to the highest value, with its mean as a line. */
export interface TimeBand extends Envelope {
  readonly label: string;
  readonly unit: string;
  readonly kind: SeriesKind;
  /** Of the series in the data of the page that the band spans; empty: all. */
  readonly names: readonly string[];
  readonly middle?: Middle;
}

export const isLong = ({ startMs, endMs }: TimeSpan): boolean => LONG_RUN_MS < endMs - startMs;

/** One decimal; `null` without a value. */
const inTenths = (values: Float64Array): (number | null)[] =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : Math.round(10 * value) / 10 || 0));

/** The data element of a figure. */
export function envelopeMarkup({ kind, bins, mean: ofAll, series }: EnvelopeData): Markup {
  const json: BinsJson = {
    bin_ms: bins.binMs,
    start: bins.startMs,
    ...(ofAll === undefined ? {} : { mean: inTenths(ofAll) }),
    series: series.map(({ name, min, max, mean, middle }) => ({
      name,
      min: inTenths(min),
      max: inTenths(max),
      ...(ofAll === undefined ? { mean: inTenths(mean) } : {}),
      ...(middle === undefined ? {} : { low: inTenths(middle.low), high: inTenths(middle.high) }),
    })),
  };
  const text = JSON.stringify(json).replaceAll("<", "\\u003c");
  // A template with the end of a script would be bundled with a helper of the bundler, which is no package of ours.
  return trustedMarkup(`<script type="application/json" data-series="${kind}">${text}</script>`);
}

/** The envelope in longer bins from midnight, each a whole number of its own. */
export function wider({ bins, min, mean, max }: Envelope, binMs: number, midnightMs: EpochMs): Envelope {
  const endMs = bins.startMs + bins.count * bins.binMs;
  const to = equalBins({ startMs: bins.startMs, endMs }, binMs, midnightMs);
  const columns = {
    min: new Float64Array(to.count),
    mean: new Float64Array(to.count),
    max: new Float64Array(to.count),
  };
  for (let bin = 0; bin < to.count; bin++) {
    const first = Math.max(0, Math.round((to.startMs + bin * binMs - bins.startMs) / bins.binMs));
    const end = Math.min(bins.count, Math.round((to.startMs + (bin + 1) * binMs - bins.startMs) / bins.binMs));
    columns.min[bin] = smallestOf(min.subarray(first, end));
    columns.mean[bin] = meanOf(mean.subarray(first, end));
    columns.max[bin] = largestOf(max.subarray(first, end));
  }
  return { bins: to, ...columns };
}

/** From the lowest of all to the highest, with the mean of the means. */
export function spanning(envelopes: readonly Envelope[]): Envelope {
  const [{ bins }] = envelopes;
  const combined = (of: (envelope: Envelope) => Float64Array, combine: (a: number, b: number) => number) =>
    envelopes.map(of).reduce((all, values) => all.map((value, k) => combine(value, values[k])));
  const sum = combined(
    ({ mean }) => mean,
    (a, b) => a + b,
  );
  return {
    bins,
    min: combined(({ min }) => min, Math.min),
    mean: sum.map((value) => value / envelopes.length),
    max: combined(({ max }) => max, Math.max),
  };
}

/** Mean and middle 80 % of the power in each bin, from the means of its units of time. */
export function powerOf({ units, changeKwh }: EnergySums, bins: Bins, span: TimeSpan) {
  const mean = new Float64Array(bins.count);
  const [low, high] = [new Float64Array(bins.count), new Float64Array(bins.count)];
  for (let bin = 0; bin < bins.count; bin++) {
    const fromMs = Math.max(span.startMs, bins.startMs + bin * bins.binMs);
    const toMs = Math.min(span.endMs, bins.startMs + (bin + 1) * bins.binMs);
    const first = Math.floor((fromMs - units.startMs) / units.binMs);
    const kwh = changeKwh.subarray(first, Math.ceil((toMs - units.startMs) / units.binMs));
    mean[bin] = (kwh.reduce((sum, value) => sum + value, 0) * MS_PER_HOUR) / (toMs - fromMs);
    const sorted = kwh.map((value) => (value * MS_PER_HOUR) / units.binMs).sort();
    low[bin] = quantile(sorted, 0.1);
    high[bin] = quantile(sorted, 0.9);
  }
  return { mean, middle: { low, high } };
}

/** Of sorted values, on the line between neighbours. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

/**
 * Whether a band fills nearly the whole window on nearly every day: it would be a solid block, as of a battery that cycles daily.
 * Bins of less than a day count together.
 */
export function isSolid({ bins, min, max }: Envelope, window: readonly [number, number]): boolean {
  const perDay = Math.max(1, Math.round(MS_PER_DAY / bins.binMs));
  let [days, full] = [0, 0];
  for (let bin = 0; bin < bins.count; bin += perDay) {
    const low = smallestOf(min.subarray(bin, bin + perDay));
    const high = largestOf(max.subarray(bin, bin + perDay));
    days++;
    if (0.8 * (window[1] - window[0]) < high - low) full++;
  }
  return 0.8 * days < full;
}
