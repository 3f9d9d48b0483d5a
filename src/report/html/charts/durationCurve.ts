// Hours of a run sorted by power, from the largest down.

import { log10, pow } from "../../../base/elementary.ts";
import { formatCount, formatFixed } from "../page/format.ts";
import { html } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { valueTicks } from "./axisTicks.ts";
import type { ChartSpec } from "./chart.ts";
import { type AxisLabel, gridLines, percent, plotFrame, stretched } from "./plotFrame.ts";

const POINTS_MAX = 500;
const HEIGHT_PX = 170;
/** A logarithmic axis where the largest value is more than this times the median. */
const LOG_FROM = 100;
/** Shares of the time that are marked, in %. */
const MARKED_PCT = [1, 10];

interface DurationCurve {
  readonly id: string;
  readonly title: string;
  /** Mean of each hour. */
  readonly valuesKw: Float64Array;
  readonly locale: PageLocale;
}

/** `null` where all values are 0. */
export function durationCurve({ id, title, valuesKw, locale }: DurationCurve): ChartSpec | null {
  const { t } = locale;
  const sorted = valuesKw.slice().sort().reverse();
  const [largest] = sorted;
  if (!(largest > 0)) return null;
  const scale = largest < 100_000 ? { unit: "kW", factor: 1 } : { unit: "MW", factor: 1e-3 };
  const median = sorted[Math.floor(sorted.length / 2)];
  const isLog = LOG_FROM * median < largest && median > 0;
  const { shareOf, rows } = isLog ? logAxis(sorted, scale.factor) : linearAxis(sorted, scale.factor);
  const marks = MARKED_PCT.map((pct) => ({ pct, kw: sorted[Math.floor((pct / 100) * sorted.length)] }));
  const textOf = (kw: number) => `${formatFixed(kw * scale.factor, scale.factor === 1 ? 0 : 1)}\u00a0${scale.unit}`;
  const caption = t("months.duration_caption", { hours: sorted.length, log: isLog ? t("months.log_axis") : "" });
  return {
    id,
    title,
    caption,
    altText: `${title}. ${marks.map(({ pct, kw }) => t("months.duration_point", { share: String(pct), kw: textOf(kw) })).join(", ")}`,
    legend: [],
    draw: ({ altText }) =>
      plotFrame({
        altText,
        heightPx: HEIGHT_PX,
        unit: scale.unit,
        rows,
        columns: [0, 0.25, 0.5, 0.75, 1].map((share) => ({
          share,
          label: formatCount(Math.round(share * sorted.length), "h", "h"),
        })),
        content: html`${gridLines(rows, isLog ? Number.NaN : shareOf(0))}${stretched(1000, 1000, pathOf(sorted, shareOf))}${marks.map(
          ({ pct, kw }) => html`<b class="mark" style="left:${percent(pct / 100)};top:${percent(shareOf(kw))}"></b>`,
        )}<p class="mark-texts">${marks.map(({ pct, kw }) => html`<span>${t("months.duration_point", { share: String(pct), kw: textOf(kw) })}</span>`)}</p>`,
      }),
  };
}

type ShareOf = (kw: number) => number;

function linearAxis(sorted: Float64Array, factor: number): { shareOf: ShareOf; rows: AxisLabel[] } {
  const { min, max, ticks } = valueTicks([sorted[0] * factor, Math.min(0, sorted[sorted.length - 1] * factor)], 4);
  const shareOf: ShareOf = (kw) => (max - kw * factor) / (max - min);
  return { shareOf, rows: ticks.map(({ at, label }) => ({ share: shareOf(at / factor), label })) };
}

/** From a power of ten at or below the median to the largest. */
function logAxis(sorted: Float64Array, factor: number): { shareOf: ShareOf; rows: AxisLabel[] } {
  const [low, high] = [sorted[Math.floor(sorted.length / 2)], sorted[0]].map((kw) => log10(kw * factor));
  const from = Math.floor(low);
  const shareOf: ShareOf = (kw) => (kw > 0 ? (high - log10(kw * factor)) / (high - from) : Number.POSITIVE_INFINITY);
  const decades = Array.from({ length: Math.floor(high) - from + 1 }, (_, k) => pow(10, from + k));
  return {
    shareOf,
    rows: decades.map((at) => ({ share: shareOf(at / factor), label: formatFixed(at, at < 1 ? 2 : 0) })),
  };
}

/** Of a long run every n-th hour, with the largest and the smallest value; values below a logarithmic axis are not drawn. */
function pathOf(sorted: Float64Array, shareOf: ShareOf): string {
  const every = Math.ceil(sorted.length / POINTS_MAX);
  const shown = sorted.filter((kw) => shareOf(kw) <= 1);
  const points = Array.from(shown, (kw, k) => [k / sorted.length, shareOf(kw)] as const).filter(
    (_, k) => k % every === 0 || k + 1 === shown.length,
  );
  const line = points.map(([x, y]) => `${Math.round(1000 * x)} ${Math.round(10_000 * y) / 10}`).join("L");
  const endX = Math.round((1000 * shown.length) / sorted.length);
  const end = `L${endX} ${Math.round(10_000 * shareOf(shown[shown.length - 1])) / 10}`;
  return `<path class="fill" d="M0 1000L${line}${end}L${endX} 1000z"/><path class="line" d="M${line}${end}"/>`;
}
