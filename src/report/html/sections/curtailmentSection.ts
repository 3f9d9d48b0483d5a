import type { SiteRow } from "../../../accounting/siteRow.ts";
import { sumOf } from "../../../base/lists.ts";
import { roundTo } from "../../../base/rounding.ts";
import type { TextKey } from "../../../texts/catalogue.ts";
import { type BarRow, barAxis, barChartSpec, stackedTrack } from "../charts/barChart.ts";
import { type ChartSpec, renderFigure } from "../charts/chart.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatKwh, numberCell, PRINTED_MIN } from "../page/format.ts";
import { html } from "../page/markup.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";
import type { ColourName } from "../page/palette.ts";

const BARS_MAX = 30;
const ROWS_MAX = 200;

const REASONS: readonly {
  /** `null`: FIT, in every language. */
  readonly key: TextKey | null;
  readonly colour: ColourName;
  readonly kwh: (site: SiteRow) => number;
}[] = [
  { key: null, colour: "s5", kwh: (site) => site.fitCurtailedKwh ?? 0 },
  { key: "curtailment.non_firm", colour: "s1", kwh: (site) => site.nonFirmCurtailedKwh ?? 0 },
  { key: "curtailment.manual", colour: "s4", kwh: (site) => site.manualCurtailedKwh ?? 0 },
  { key: "curtailment.other", colour: "s8", kwh: otherCurtailedKwh },
];

const labelOf = ({ key }: (typeof REASONS)[number], t: Translate): string => (key === null ? "FIT" : t(key));

/** Curtailed energy of no known reason, rounded to three decimals like the others. */
function otherCurtailedKwh(site: SiteRow): number {
  const attributedKwh = (site.fitCurtailedKwh ?? 0) + (site.nonFirmCurtailedKwh ?? 0) + (site.manualCurtailedKwh ?? 0);
  return Math.max(0, roundTo((site.curtailedKwh ?? 0) - attributedKwh, 3));
}

/** Curtailed energy by reason; `null` if there was none. */
export function curtailmentSection(sites: readonly SiteRow[], { t }: PageLocale): Section | null {
  const curtailed = sites
    .map((site, k) => ({ site, k, kwh: site.curtailedKwh ?? 0 }))
    .filter(({ kwh }) => PRINTED_MIN <= kwh)
    .sort((a, b) => b.kwh - a.kwh || a.k - b.k)
    .map(({ site }) => site);
  if (curtailed.length === 0) return null;
  return {
    id: "curtailment",
    contentsTitle: t("curtailment.contents"),
    title: t("curtailment.title"),
    intro: t("curtailment.intro"),
    body: html`${renderFigure(curtailmentChart(curtailed, t))}${curtailmentTable(curtailed, t)}`,
  };
}

function curtailmentChart(sites: readonly SiteRow[], t: Translate): ChartSpec {
  const shown = sites.slice(0, BARS_MAX);
  const count = sites.length - shown.length;
  const total = (of: (site: SiteRow) => number) => sumOf(sites, of);
  const reasons = REASONS.filter(({ kwh }) => PRINTED_MIN <= total(kwh));
  const rows = shown.map(
    (site): BarRow => ({
      name: site.site,
      detail: formatKwh(site.curtailedKwh ?? 0),
      tracks: [
        stackedTrack(
          reasons.map((reason) => ({
            value: reason.kwh(site),
            colour: reason.colour,
            label: labelOf(reason, t),
            valueText: formatKwh(reason.kwh(site)),
          })),
        ),
      ],
    }),
  );
  return barChartSpec({
    id: "curtailed-bars",
    title: t("curtailment.chart"),
    caption: t(count > 0 ? "curtailment.caption_excerpt" : "curtailment.caption", { count }),
    altText: t("curtailment.alt", {
      count: sites.length,
      reasons: reasons
        .map((reason) => `${labelOf(reason, t)} ${formatKwh(total(reason.kwh))}`)
        .join(t("list.separator")),
    }),
    legend: reasons.length === 1 ? [] : reasons.map((reason) => ({ label: labelOf(reason, t), colour: reason.colour })),
    axis: barAxis(t("chart.energy_axis"), rows),
    rows,
  });
}

function curtailmentTable(sites: readonly SiteRow[], t: Translate) {
  const caption =
    sites.length <= ROWS_MAX
      ? t("curtailment.all")
      : t("curtailment.excerpt", { shown: ROWS_MAX, count: sites.length });
  return dataTable(caption, sites.slice(0, ROWS_MAX), [
    { title: t("head.site"), cell: ({ site }) => html`<span class="id">${site}</span>` },
    column(t("curtailment.curtailed"), (site) => site.curtailedKwh ?? 0),
    ...REASONS.map((reason) => column(labelOf(reason, t), reason.kwh)),
    column(t("curtailment.exported"), (site) => site.exportKwh),
  ]);
}

const column = (title: string, kwh: (site: SiteRow) => number): TableColumn<SiteRow> => ({
  title,
  unit: "kWh",
  align: "right",
  cell: (site) => numberCell(kwh(site), 1),
});
