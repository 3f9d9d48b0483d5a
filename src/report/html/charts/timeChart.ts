// A chart of curves over time, with blocks of time above them: a drawing for print, and the data of the interactive chart.

import { unitOfBin } from "../../../accounting/recorders/envelope.ts";
import type { PageTexts, Translate } from "../page/pageLocale.ts";
import { type ChartSpec, type LegendEntry, svgInSizes } from "./chart.ts";
import type { EnvelopeData, TimeBand } from "./envelopeData.ts";
import type { TimeCurve } from "./interactiveChart.ts";
import { drawingHeightPx, drawTimeChart, type TimeChart } from "./timeDrawing.ts";

/** The chart with its drawing and its interactive data. */
export function timeChartSpec(chart: TimeChart, envelopes?: EnvelopeData): ChartSpec {
  const { id, title, altText, curves, bands = [], locale, span } = chart;
  const { t } = locale;
  return {
    id,
    title,
    caption: captionOf([chart.caption, ...bands.map((band) => binNote(band, locale)), thinningNote(curves, locale)], t),
    altText,
    ...(envelopes === undefined ? {} : { envelopes }),
    legend:
      bands.length > 0
        ? bands.flatMap((band) => bandLegend(band, t))
        : curves.map(({ label, colour, isDashed, unit }) => ({
            label: unit === "%" && curves.some((other) => other.unit !== unit) ? t("chart.right", { label }) : label,
            colour,
            ...(isDashed === undefined ? {} : { isDashed }),
          })),
    draw: (drawn) =>
      svgInSizes(drawn, drawingHeightPx(chart), (size) => ({
        className: "drawn",
        elements: drawTimeChart(chart, size),
      })),
    interactive: { charts: [chart], timezone: locale.timezone, span, choice: null },
  };
}

const bandLegend = ({ middle }: TimeBand, t: Translate): LegendEntry[] => [
  { label: t("chart.lowest_highest"), colour: middle === undefined ? "h1" : "h0" },
  ...(middle === undefined ? [] : [{ label: t("chart.middle_80"), colour: "h1" as const }]),
  { label: t("chart.mean"), colour: "ink", shape: "line" },
];

/** Sentences of a caption that are not empty. */
export const captionOf = (sentences: readonly string[], t: Translate): string =>
  sentences.filter((sentence) => sentence !== "").join(t("caption.separator"));

/** How to read a band. */
export function binNote({ bins, middle, unit }: TimeBand, { t, formatDuration }: PageTexts): string {
  return captionOf(
    [
      t("chart.bin_note", { length: formatDuration(bins.binMs) }),
      middle === undefined ? "" : t("chart.bin_middle", { length: formatDuration(unitOfBin(bins.binMs)) }),
      unit === "%" ? "" : t("chart.bin_mean"),
    ],
    t,
  );
}

/** A note if curves have been thinned; else empty. */
export function thinningNote(curves: readonly TimeCurve[], { t, formatDuration }: PageTexts): string {
  const thinnedMs = curves.reduce((most, { curve }) => Math.max(most, curve.thinnedMs), 0);
  return thinnedMs === 0 ? "" : t("chart.thinned", { length: formatDuration(thinnedMs) });
}
