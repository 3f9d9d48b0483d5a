import type { RunRecord } from "../../../accounting/runRecord.ts";
import type { SiteRow } from "../../../accounting/siteRow.ts";
import { sumOf } from "../../../base/lists.ts";
import { valueBars } from "../charts/barChart.ts";
import { renderFigures, withHeat } from "../charts/chart.ts";
import { isLong } from "../charts/envelopeData.ts";
import { socChart } from "../charts/socChart.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatFixed, numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";

const ROWS_MAX = 200;
/** Of a run of more than ten days. */
const LONG_ROWS_MAX = 20;
/** Cycles of the smallest depth up to which they are drawn. */
const SMALL_CYCLES_MAX = 100;
/** The classes of `cyclesByDepth`, in their order. */
const DEPTHS = [0, 1, 2, 3, 4] as const;

/** State of charge, cycles and time at the state-of-charge limits; `null` without storage. */
export function batterySection(record: RunRecord, locale: PageLocale): Section | null {
  const { soc, sites } = record;
  const rows = sites.filter(({ cyclesByDepth }) => cyclesByDepth !== null);
  if (soc.batteries.length === 0 && rows.length === 0) return null;
  const { t } = locale;
  const charge = socChart(record, locale);
  const cycles = cycleChart(rows, t);
  const isWide = isLong(record);
  const pictures = [isWide ? null : (charge?.chart ?? null), cycles].filter((picture) => picture !== null);
  return {
    id: "charge",
    contentsTitle: t("batteries.title"),
    title: t("batteries.title"),
    intro: t("batteries.intro"),
    body: html`${isWide && charge !== null && withHeat(charge.heat, charge.chart, locale)}${pictures.length > 0 && renderFigures(pictures)}${rows.length > 0 && (isWide ? html`<details><summary>${t("months.batteries")}</summary>${batteryTable(rows, LONG_ROWS_MAX, t)}</details>` : batteryTable(rows, ROWS_MAX, t))}`,
  };
}

function cycleChart(rows: readonly SiteRow[], t: Translate) {
  const counts = DEPTHS.map((k) => sumOf(rows, ({ cyclesByDepth }) => cyclesByDepth?.[k] ?? 0));
  // Thousands of small cycles, as of frequency response, would dwarf all others.
  const areSmallOmitted = SMALL_CYCLES_MAX < counts[0];
  return valueBars(
    counts
      .map((count, k) => (areSmallOmitted && k === 0 ? 0 : count))
      .map((value, k) => ({
        name: t(`batteries.depth.${DEPTHS[k]}`),
        value,
        colour: "s3" as const,
        text: t("batteries.cycle_count", { count: formatFixed(value, 1) }),
      })),
    {
      id: "cycle-bars",
      title: t("batteries.cycles"),
      axisTitle: t("batteries.cycles_axis"),
      caption: t(areSmallOmitted ? "batteries.cycles_caption_small" : "batteries.cycles_caption", {
        count: rows.length,
        small: formatFixed(counts[0], 1),
      }),
    },
    t,
  );
}

function batteryTable(rows: readonly SiteRow[], rowsMax: number, t: Translate): Markup {
  const caption =
    rows.length <= rowsMax ? t("batteries.all") : t("batteries.excerpt", { shown: rowsMax, count: rows.length });
  return dataTable(caption, rows.slice(0, rowsMax), [
    { title: t("head.site"), cell: ({ site }) => html`<span class="id">${site}</span>` },
    column(t("batteries.throughput"), "kWh", 1, ({ throughputKwh }) => throughputKwh),
    column(t("batteries.full_cycles"), "", 2, ({ equivalentFullCycles }) => equivalentFullCycles),
    ...DEPTHS.map((k) =>
      column(
        k === 0 ? t("batteries.cycles_axis") : "",
        t(k === 0 ? "batteries.up_to_20" : `batteries.depth.${k}`),
        1,
        ({ cyclesByDepth }) => cyclesByDepth?.[k] ?? null,
      ),
    ),
    column(t("batteries.soc_low"), "%", 1, ({ socMinPct }) => socMinPct),
    column(t("batteries.soc_mean"), "%", 1, ({ socMeanPct }) => socMeanPct),
    column(t("batteries.soc_high"), "%", 1, ({ socMaxPct }) => socMaxPct),
    column(t("batteries.soc_end"), "%", 1, ({ socFinalPct }) => socFinalPct),
    column(t("batteries.empty"), t("unit.min"), 0, ({ minutesAtSocMin }) => minutesAtSocMin),
    column(t("batteries.full"), t("unit.min"), 0, ({ minutesAtSocMax }) => minutesAtSocMax),
  ]);
}

const column = (
  title: string,
  unit: string,
  decimals: number,
  value: (site: SiteRow) => number | null,
): TableColumn<SiteRow> => ({ title, unit, align: "right", cell: (site) => numberCell(value(site), decimals) });
