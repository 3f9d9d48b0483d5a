import { type Bins, binsOf, envelope, equalBins } from "../../../accounting/recorders/envelope.ts";
import { type Polyline, PolylineRecorder, thinned } from "../../../accounting/recorders/polyline.ts";
import { largestOf, smallestOf } from "../../../base/lists.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../../../base/time.ts";
import type { Series } from "../../../engine/series/model/series.ts";
import { formatFixed } from "../page/format.ts";
import { perKwhUnit } from "../page/money.ts";
import { midnightBefore, type PageLocale } from "../page/pageLocale.ts";
import type { ChartSpec } from "./chart.ts";
import { isLong, type TimeBand } from "./envelopeData.ts";
import type { TimeSpan } from "./interactiveChart.ts";
import { timeChartSpec } from "./timeChart.ts";

const POINTS_MAX = 40_000;

/** Market price of energy over time; `null` where it is the same throughout. */
export function priceChart(price: Series, span: TimeSpan, locale: PageLocale): ChartSpec | null {
  const { t, timezone: zone } = locale;
  const bins = priceBins(span, midnightBefore(span.startMs, zone));
  const whole = curveOf(price, span, bins.startMs);
  const [lowest, highest] = [smallestOf(whole.values), largestOf(whole.values)];
  if (lowest === highest) return null;
  const prices = envelope(whole, bins);
  const unit = perKwhUnit(locale);
  const label = t("chart.price");
  const band: TimeBand = { ...prices, label, unit, kind: "price", names: [] };
  const curve = thinned(whole, POINTS_MAX, bins.startMs);
  return timeChartSpec(
    {
      id: "price",
      title: label,
      caption: t("chart.price_caption", { unit, zone }),
      altText: t("chart.price_alt", { low: formatFixed(lowest, 1), high: formatFixed(highest, 1), unit }),
      locale,
      span,
      axisTitle: t("chart.price_axis", { unit }),
      curves: [{ label, colour: "s1", unit, curve }],
      bands: isLong(span) ? [band] : [],
      rows: [],
      shades: [],
    },
    { kind: "price", bins, series: [{ ...prices, name: "market" }] },
  );
}

/** Bins that divide a day in a few would draw its hours as a block: days then. */
function priceBins(span: TimeSpan, midnightMs: EpochMs): Bins {
  const bins = binsOf(span, midnightMs);
  return bins.binMs <= 3 * MS_PER_HOUR ? bins : equalBins(span, Math.max(bins.binMs, MS_PER_DAY), midnightMs);
}

/** The price from change to change; the price of a step series holds to the next one. */
function curveOf(price: Series, { startMs, endMs }: TimeSpan, originMs: number): Polyline {
  const recorder = new PolylineRecorder(originMs, Number.POSITIVE_INFINITY);
  for (let atMs = startMs; atMs < endMs; ) {
    const untilMs = Math.min(endMs, price.nextChangeMs(atMs));
    const value = price.valueAt(atMs);
    recorder.add(atMs, value);
    recorder.add(untilMs, value + price.slopeAt(price.indexAt(atMs)) * (untilMs - atMs));
    atMs = untilMs;
  }
  return recorder.finish();
}
