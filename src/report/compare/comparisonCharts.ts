// Charts of a comparison: shortfall by cause, by award and over time.

import type { Polyline } from "../../accounting/recorders/polyline.ts";
import { type BarRow, type BarTrack, barAxis, barChartSpec } from "../html/charts/barChart.ts";
import type { ChartSpec } from "../html/charts/chart.ts";
import { captionOf, timeChartSpec } from "../html/charts/timeChart.ts";
import { formatKwh, PRINTED_MIN } from "../html/page/format.ts";
import type { PageLocale } from "../html/page/pageLocale.ts";
import { causeColour } from "../html/page/palette.ts";
import type { AwardChange, AwardComparison, CauseChange } from "./compareAwards.ts";
import type { PairComparison } from "./comparisonJson.ts";

const AWARDS_MAX = 16;
export function comparisonCharts(
  { awards, shortfall_over_time: curve }: PairComparison,
  names: readonly string[],
  locale: PageLocale,
): ChartSpec[] {
  if (awards === null) return [];
  const charts = [
    causeChart(awards.causes, names, locale),
    awardChart(awards, names, locale),
    timeChart(curve, names, locale),
  ];
  return charts.filter((chart) => chart !== null);
}

/** Two bars a cause: the first report above the second. */
function causeChart(
  all: readonly CauseChange[],
  [first, second]: readonly string[],
  { t }: PageLocale,
): ChartSpec | null {
  const causes = all.filter(({ a, b }) => PRINTED_MIN <= Math.max(a, b));
  if (causes.length === 0) return null;
  const rows = causes.map(({ cause, a, b }): BarRow => {
    const colour = causeColour(cause);
    const track = (name: string, kwh: number): BarTrack => {
      const shape = name === first ? { shape: "pale" as const } : {};
      const bar = { from: 0, to: kwh, colour, label: name, valueText: formatKwh(kwh), ...shape };
      return { bars: [bar], text: `${name} ${formatKwh(kwh)}` };
    };
    return { name: t(`cause.${cause}`), tracks: [track(first, a), track(second, b)] };
  });
  return barChartSpec({
    id: "causes",
    title: t("compare.by_cause"),
    caption: t("compare.by_cause_caption", { first, second }),
    altText: t("chart.bars_alt", {
      title: t("compare.by_cause"),
      bars: causes
        .map(({ cause, a, b }) =>
          t("compare.by_cause_alt", { cause: t(`cause.${cause}`), first: formatKwh(a), second: formatKwh(b) }),
        )
        .join(t("list.separator")),
    }),
    legend: [],
    axis: barAxis(t("compare.shortfall_axis"), rows),
    rows,
  });
}

/** Awards with the largest change of shortfall: improved to the left, worsened to the right. */
function awardChart(
  { improved, worsened }: AwardComparison,
  [first, second]: readonly string[],
  { t }: PageLocale,
): ChartSpec | null {
  const changed = [...improved, ...worsened].filter((award) => PRINTED_MIN <= Math.abs(changeKwh(award)));
  if (changed.length === 0) return null;
  const shown = changed
    .map((award, k) => ({ award, k }))
    .sort((x, y) => Math.abs(changeKwh(y.award)) - Math.abs(changeKwh(x.award)) || x.k - y.k)
    .slice(0, AWARDS_MAX)
    .map(({ award }) => award)
    .sort((x, y) => changeKwh(x) - changeKwh(y));
  const which =
    shown.length < changed.length ? t("compare.largest_changes", { shown: shown.length, count: changed.length }) : "";
  const rows = shown.map((award): BarRow => {
    const [to, text] = [changeKwh(award), signedKwh(award)];
    const colour = to < 0 ? "good" : "bad";
    return {
      name: award.award_id,
      tracks: [{ bars: [{ from: 0, to, colour, label: second, valueText: text }], text }],
    };
  });
  return barChartSpec({
    id: "award-changes",
    title: t("compare.award_changes"),
    caption: captionOf([which, t("compare.award_changes_caption", { first, second })], t),
    altText: t("chart.bars_alt", {
      title: t("compare.award_changes"),
      bars: shown.map((award) => `${award.award_id} ${signedKwh(award)}`).join(t("list.separator")),
    }),
    legend: [],
    axis: barAxis(t("compare.change_axis"), rows),
    rows,
  });
}

const changeKwh = ({ shortfall_kwh: { a, b } }: AwardChange): number => (b ?? 0) - (a ?? 0);

const signedKwh = (award: AwardChange): string => `${changeKwh(award) > 0 ? "+" : ""}${formatKwh(changeKwh(award))}`;

/** Shortfall accumulated over the run. */
function timeChart(
  curve: PairComparison["shortfall_over_time"],
  [first, second]: readonly string[],
  locale: PageLocale,
): ChartSpec | null {
  const { t } = locale;
  const last = curve[curve.length - 1];
  if (curve.length < 3 || Math.max(last.a, last.b) < PRINTED_MIN) return null;
  return timeChartSpec({
    id: "over-time",
    title: t("compare.accumulated"),
    caption: t("compare.accumulated_caption", { zone: locale.zoneText }),
    altText: t("compare.accumulated_alt", { first, second, a: formatKwh(last.a), b: formatKwh(last.b) }),
    locale,
    span: { startMs: Date.parse(curve[0].at), endMs: Date.parse(last.at) },
    axisTitle: t("compare.accumulated_axis"),
    curves: [
      { label: first, colour: "neutral", unit: "kWh", curve: stepsOf(curve, "a") },
      { label: second, colour: "accent", unit: "kWh", curve: stepsOf(curve, "b") },
    ],
    rows: [],
    shades: [],
  });
}

/** Constant between two points, with a jump at each. */
function stepsOf(curve: PairComparison["shortfall_over_time"], side: "a" | "b"): Polyline {
  const points = curve.flatMap((point, k) => {
    const atMs = Date.parse(point.at);
    return k === 0
      ? [[atMs, point[side]]]
      : [
          [atMs, curve[k - 1][side]],
          [atMs, point[side]],
        ];
  });
  return {
    atMs: Float64Array.from(points, ([atMs]) => atMs),
    values: Float64Array.from(points, ([, kwh]) => kwh),
    thinnedMs: 0,
  };
}
