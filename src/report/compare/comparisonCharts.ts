// Charts of a comparison: shortfall by cause, by award and over time.

import {
  type ChartSpec,
  horizontalBarAxis,
  horizontalPlotArea,
  plotArea,
  shortenName,
  valueAxis,
} from "../html/charts/chart.ts";
import { timeAxis } from "../html/charts/timeAxis.ts";
import { formatFixed, formatKwh } from "../html/page/format.ts";
import type { LocalClock } from "../html/page/localClock.ts";
import { causeColour, colourPlaceholder } from "../html/page/palette.ts";
import { CAUSE_TEXT } from "../html/sections/causeText.ts";
import type { AwardChange, AwardComparison, CauseChange } from "./compareAwards.ts";
import type { ComparisonJson } from "./comparisonJson.ts";

const AWARDS_MAX = 16;
/** Of the bars of A, in the colours of B. */
const PALE = 0.4;
/** Smaller values are 0 at one decimal. */
const DRAWN_MIN_KWH = 0.05;

export function comparisonCharts(
  { awards, shortfall_over_time: curve }: ComparisonJson,
  clock: LocalClock,
): ChartSpec[] {
  if (awards === null) return [];
  const charts = [causeChart(awards.causes), awardChart(awards), timeChart(curve, clock)];
  return charts.filter((chart) => chart !== null);
}

/** Two bars a cause: A above B. */
function causeChart(all: readonly CauseChange[]): ChartSpec | null {
  const causes = all.filter(({ a, b }) => DRAWN_MIN_KWH <= Math.max(a, b));
  if (causes.length === 0) return null;
  const bars = (name: "A" | "B", kwhOf: (change: CauseChange) => number) => ({
    type: "bar" as const,
    name,
    silent: true,
    barWidth: 13,
    barGap: "15%",
    label: {
      show: true,
      position: "right" as const,
      color: colourPlaceholder(name === "A" ? "muted" : "ink"),
      opacity: 1,
      fontSize: 12,
      formatter: ({ dataIndex }: { dataIndex: number }) => `${name} ${formatKwh(kwhOf(causes[dataIndex]))}`,
    },
    data: causes.map((change) => ({
      value: kwhOf(change),
      itemStyle: {
        color: colourPlaceholder(causeColour(change.cause)),
        opacity: name === "A" ? PALE : 1,
        borderRadius: [0, 3, 3, 0],
      },
    })),
  });
  return {
    id: "causes",
    title: "Shortfall by cause",
    caption: "kWh of all awards. The upper, pale bar is A, the lower bar is B.",
    altText: `Shortfall by cause in A and B: ${causes.map(({ cause, a, b }) => `${CAUSE_TEXT[cause].label} ${formatKwh(a)} and ${formatKwh(b)}`).join(", ")}.`,
    legend: [],
    heightPx: 44 + 46 * causes.length,
    buildOption: (size) => ({
      grid: { ...horizontalPlotArea, right: size.isNarrow ? 104 : 130 },
      xAxis: { ...valueAxis("kWh"), splitNumber: size.isNarrow ? 2 : 5 },
      yAxis: horizontalBarAxis(causes.map(({ cause }) => CAUSE_TEXT[cause].label)),
      series: [bars("A", ({ a }) => a), bars("B", ({ b }) => b)],
    }),
  };
}

/** Awards with the largest change of shortfall: improved to the left, worsened to the right. */
function awardChart({ gained, lost }: AwardComparison): ChartSpec | null {
  const changed = [...gained, ...lost].filter((award) => DRAWN_MIN_KWH <= Math.abs(changeKwh(award)));
  if (changed.length === 0) return null;
  const shown = changed
    .map((award, k) => ({ award, k }))
    .sort((x, y) => Math.abs(changeKwh(y.award)) - Math.abs(changeKwh(x.award)) || x.k - y.k)
    .slice(0, AWARDS_MAX)
    .map(({ award }) => award)
    .sort((x, y) => changeKwh(x) - changeKwh(y));
  const reach = Math.max(...shown.map((award) => Math.abs(changeKwh(award))));
  const which =
    shown.length < changed.length ? `The ${shown.length} of ${changed.length} with the largest change. ` : "";
  return {
    id: "award-changes",
    title: "Change of shortfall by award",
    caption: `${which}kWh, B − A. Left, green: improved in B; right: worsened.`,
    altText: `Change of shortfall by award: ${shown.map((award) => `${award.award_id} ${signedKwh(award)}`).join(", ")}.`,
    legend: [],
    heightPx: 44 + 28 * shown.length,
    buildOption: (size) => ({
      grid: { ...horizontalPlotArea, right: 24 },
      xAxis: { ...valueAxis("kWh"), splitNumber: size.isNarrow ? 2 : 6, min: -1.25 * reach, max: 1.25 * reach },
      yAxis: horizontalBarAxis(shown.map(({ award_id }) => shortenName(award_id, size))),
      series: [
        {
          type: "bar",
          silent: true,
          barWidth: 16,
          label: { show: true, color: colourPlaceholder("ink"), fontSize: 12 },
          data: shown.map((award) => ({
            value: changeKwh(award),
            label: {
              position: changeKwh(award) < 0 ? "left" : "right",
              formatter: () => signedKwh(award),
            },
            itemStyle: { color: colourPlaceholder(changeKwh(award) < 0 ? "good" : "bad"), borderRadius: 3 },
          })),
        },
      ],
    }),
  };
}

const changeKwh = ({ shortfall_kwh: { a, b } }: AwardChange): number => (b ?? 0) - (a ?? 0);

const signedKwh = (award: AwardChange): string =>
  `${changeKwh(award) > 0 ? "+" : ""}${formatFixed(changeKwh(award), 1)}`;

/** Shortfall accumulated over the run. */
function timeChart(curve: ComparisonJson["shortfall_over_time"], clock: LocalClock): ChartSpec | null {
  const last = curve[curve.length - 1];
  if (curve.length < 3 || Math.max(last.a, last.b) < DRAWN_MIN_KWH) return null;
  const span = { startMs: Date.parse(curve[0].at), endMs: Date.parse(last.at) };
  const line = (name: "A" | "B") => ({
    type: "line" as const,
    step: "end" as const,
    showSymbol: false,
    silent: true,
    lineStyle: { color: colourPlaceholder(name === "A" ? "neutral" : "accent"), width: 2 },
    data: curve.map((point) => [Date.parse(point.at), name === "A" ? point.a : point.b]),
  });
  return {
    id: "over-time",
    title: "Accumulated shortfall",
    caption: `kWh, counted at the end of each award; ${clock.zoneText}. Where the lines part, the runs differ.`,
    altText: `Accumulated shortfall of A and B: ${formatKwh(last.a)} and ${formatKwh(last.b)} at the end.`,
    legend: [
      { label: "A", colour: "neutral" },
      { label: "B", colour: "accent" },
    ],
    heightPx: 280,
    buildOption: (size) => ({
      grid: plotArea,
      xAxis: timeAxis(clock, span, size),
      yAxis: valueAxis("kWh"),
      series: [line("A"), line("B")],
    }),
  };
}
