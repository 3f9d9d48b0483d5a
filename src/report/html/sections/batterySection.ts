import type { RunRecord } from "../../../accounting/runRecord.ts";
import type { SiteRow } from "../../../accounting/siteRow.ts";
import { sumOf } from "../../../base/lists.ts";
import { valueBars } from "../charts/barChart.ts";
import { renderFigures } from "../charts/chart.ts";
import { socChart } from "../charts/socChart.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, formatFixed, numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";

const ROWS_MAX = 200;
/** Cycles of the smallest depth up to which they are drawn. */
const SMALL_CYCLES_MAX = 100;
/** Of the classes of `cyclesByDepth`, in their order. */
const DEPTH_LABELS = ["up to 20 %", "20 to 40 %", "40 to 60 %", "60 to 80 %", "80 to 100 %"];

/** State of charge, cycles and time at the state-of-charge limits; `null` without storage. */
export function batterySection({ soc, sites, startMs, endMs }: RunRecord, locale: PageLocale): Section | null {
  const rows = sites.filter(({ cyclesByDepth }) => cyclesByDepth !== null);
  if (soc.batteries.length === 0 && rows.length === 0) return null;
  const pictures = [
    soc.batteries.length === 0 ? null : socChart(soc, { locale, span: { startMs, endMs } }),
    cycleChart(rows),
  ].filter((picture) => picture !== null);
  return {
    id: "charge",
    contentsTitle: "Batteries",
    title: "Batteries",
    intro:
      "An empty battery cannot discharge and a full one cannot charge: the curve is flat at its lower or upper limit.",
    body: html`${pictures.length > 0 && renderFigures(pictures)}${rows.length > 0 && batteryTable(rows)}`,
  };
}

function cycleChart(rows: readonly SiteRow[]) {
  const counts = DEPTH_LABELS.map((_, k) => sumOf(rows, ({ cyclesByDepth }) => cyclesByDepth?.[k] ?? 0));
  // Thousands of small cycles, as of frequency response, would dwarf all others.
  const areSmallOmitted = SMALL_CYCLES_MAX < counts[0];
  const omitted = areSmallOmitted
    ? ` Not drawn: ${formatFixed(counts[0], 1)} cycles of ${DEPTH_LABELS[0]}; the table has them.`
    : "";
  return valueBars(
    counts
      .map((count, k) => (areSmallOmitted && k === 0 ? 0 : count))
      .map((value, k) => ({
        name: DEPTH_LABELS[k],
        value,
        colour: "s3" as const,
        text: `${formatFixed(value, 1)}\u00a0${value === 1 ? "cycle" : "cycles"}`,
      })),
    {
      id: "cycle-bars",
      title: "Cycles by depth",
      axisTitle: "Cycles",
      caption: `Rainflow-counted cycles of ${formatCount(rows.length, "site")} with batteries, by depth in % of the rated capacity; a half cycle counts 0.5. Depths without a cycle are omitted.${omitted}`,
    },
  );
}

function batteryTable(rows: readonly SiteRow[]): Markup {
  const caption =
    rows.length <= ROWS_MAX
      ? "Sites with batteries over the whole run: cycles by depth, minutes at the lower and upper limit of the state of charge"
      : `The first ${ROWS_MAX} of ${rows.length} sites with batteries; sites.csv has all`;
  return dataTable(caption, rows.slice(0, ROWS_MAX), [
    { title: "Site", cell: ({ site }) => html`<span class="id">${site}</span>` },
    column("Through\u00adput", "kWh", 1, ({ throughputKwh }) => throughputKwh),
    column("Full cycles", "", 2, ({ equivalentFullCycles }) => equivalentFullCycles),
    ...DEPTH_LABELS.map((depth, k) =>
      column(
        k === 0 ? "Cycles" : "",
        depth.replace("up to", "to"),
        1,
        ({ cyclesByDepth }) => cyclesByDepth?.[k] ?? null,
      ),
    ),
    column("SOC low", "%", 1, ({ socMinPct }) => socMinPct),
    column("mean", "%", 1, ({ socMeanPct }) => socMeanPct),
    column("high", "%", 1, ({ socMaxPct }) => socMaxPct),
    column("at end", "%", 1, ({ socFinalPct }) => socFinalPct),
    column("Empty", "min", 0, ({ minutesAtSocMin }) => minutesAtSocMin),
    column("Full", "min", 0, ({ minutesAtSocMax }) => minutesAtSocMax),
  ]);
}

const column = (
  title: string,
  unit: string,
  decimals: number,
  value: (site: SiteRow) => number | null,
): TableColumn<SiteRow> => ({ title, unit, align: "right", cell: (site) => numberCell(value(site), decimals) });
