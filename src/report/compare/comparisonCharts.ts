// Charts of a comparison: shortfall by cause, by award and over time.

import type { Polyline } from "../../accounting/recorders/polyline.ts";
import { textOf } from "../../texts/catalogue.ts";
import { type BarRow, type BarTrack, barAxis, barChartSpec } from "../html/charts/barChart.ts";
import type { ChartSpec } from "../html/charts/chart.ts";
import { timeChartSpec } from "../html/charts/timeChart.ts";
import { formatKwh, PRINTED_MIN } from "../html/page/format.ts";
import type { PageLocale } from "../html/page/pageLocale.ts";
import { causeColour } from "../html/page/palette.ts";
import type { AwardChange, AwardComparison, CauseChange } from "./compareAwards.ts";
import type { ComparisonJson } from "./comparisonJson.ts";

const AWARDS_MAX = 16;
export function comparisonCharts(
  { awards, shortfall_over_time: curve }: ComparisonJson,
  locale: PageLocale,
): ChartSpec[] {
  if (awards === null) return [];
  const charts = [causeChart(awards.causes), awardChart(awards), timeChart(curve, locale)];
  return charts.filter((chart) => chart !== null);
}

/** Two bars a cause: A above B. */
function causeChart(all: readonly CauseChange[]): ChartSpec | null {
  const causes = all.filter(({ a, b }) => PRINTED_MIN <= Math.max(a, b));
  if (causes.length === 0) return null;
  const rows = causes.map(({ cause, a, b }): BarRow => {
    const colour = causeColour(cause);
    const track = (name: "A" | "B", kwh: number): BarTrack => {
      const shape = name === "A" ? { shape: "pale" as const } : {};
      const bar = { from: 0, to: kwh, colour, label: name, valueText: formatKwh(kwh), ...shape };
      return { bars: [bar], text: `${name} ${formatKwh(kwh)}` };
    };
    return { name: textOf("en", `cause.${cause}`), tracks: [track("A", a), track("B", b)] };
  });
  return barChartSpec({
    id: "causes",
    title: "Shortfall by cause",
    caption: "kWh of all awards. The upper, pale bar is A, the lower bar is B.",
    altText: `Shortfall by cause in A and B: ${causes.map(({ cause, a, b }) => `${textOf("en", `cause.${cause}`)} ${formatKwh(a)} and ${formatKwh(b)}`).join(", ")}.`,
    legend: [],
    axis: barAxis("Shortfall (kWh)", rows),
    rows,
  });
}

/** Awards with the largest change of shortfall: improved to the left, worsened to the right. */
function awardChart({ improved, worsened }: AwardComparison): ChartSpec | null {
  const changed = [...improved, ...worsened].filter((award) => PRINTED_MIN <= Math.abs(changeKwh(award)));
  if (changed.length === 0) return null;
  const shown = changed
    .map((award, k) => ({ award, k }))
    .sort((x, y) => Math.abs(changeKwh(y.award)) - Math.abs(changeKwh(x.award)) || x.k - y.k)
    .slice(0, AWARDS_MAX)
    .map(({ award }) => award)
    .sort((x, y) => changeKwh(x) - changeKwh(y));
  const which =
    shown.length < changed.length ? `The ${shown.length} of ${changed.length} with the largest change. ` : "";
  const rows = shown.map((award): BarRow => {
    const [to, text] = [changeKwh(award), signedKwh(award)];
    const colour = to < 0 ? "good" : "bad";
    return {
      name: award.award_id,
      tracks: [{ bars: [{ from: 0, to, colour, label: "B − A", valueText: text }], text }],
    };
  });
  return barChartSpec({
    id: "award-changes",
    title: "Change of shortfall by award",
    caption: `${which}kWh, B − A. Left, green: improved in B; right: worsened.`,
    altText: `Change of shortfall by award: ${shown.map((award) => `${award.award_id} ${signedKwh(award)}`).join(", ")}.`,
    legend: [],
    axis: barAxis("Change of shortfall, B − A (kWh)", rows),
    rows,
  });
}

const changeKwh = ({ shortfall_kwh: { a, b } }: AwardChange): number => (b ?? 0) - (a ?? 0);

const signedKwh = (award: AwardChange): string => `${changeKwh(award) > 0 ? "+" : ""}${formatKwh(changeKwh(award))}`;

/** Shortfall accumulated over the run. */
function timeChart(curve: ComparisonJson["shortfall_over_time"], locale: PageLocale): ChartSpec | null {
  const last = curve[curve.length - 1];
  if (curve.length < 3 || Math.max(last.a, last.b) < PRINTED_MIN) return null;
  return timeChartSpec({
    id: "over-time",
    title: "Accumulated shortfall",
    caption: `kWh, counted at the end of each award; ${locale.zoneText}. Where the lines part, the runs differ.`,
    altText: `Accumulated shortfall of A and B: ${formatKwh(last.a)} and ${formatKwh(last.b)} at the end.`,
    locale,
    span: { startMs: Date.parse(curve[0].at), endMs: Date.parse(last.at) },
    axisTitle: "Accumulated shortfall (kWh)",
    curves: [
      { label: "A", colour: "neutral", unit: "kWh", curve: stepsOf(curve, "a") },
      { label: "B", colour: "accent", unit: "kWh", curve: stepsOf(curve, "b") },
    ],
    rows: [],
    shades: [],
  });
}

/** Constant between two points, with a jump at each. */
function stepsOf(curve: ComparisonJson["shortfall_over_time"], side: "a" | "b"): Polyline {
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
