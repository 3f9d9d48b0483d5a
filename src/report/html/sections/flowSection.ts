// Energy flows inside sites of several components: charts of the largest sites and tables of all.
import type { ComponentRow, SiteRow } from "../../../accounting/siteRow.ts";
import { renderFigures } from "../charts/chart.ts";
import { flowChart, selectDrawnFlows } from "../charts/flowChart.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";
import { isLoad, isStorage, type SiteFlows, siteFlows } from "./siteFlows.ts";

const CHARTS_MAX = 6;
const ROWS_MAX = 200;

export function flowSection(sites: readonly SiteRow[], { t }: PageLocale): Section | null {
  const flows = siteFlows(sites);
  if (flows.length === 0) return null;
  const drawn = selectDrawnFlows(flows, CHARTS_MAX);
  const pictures = drawn.map((flow, k) => flowChart(flow, `flow-${k + 1}`, t)).filter((picture) => picture !== null);
  return {
    id: "flows",
    contentsTitle: t("flows.contents"),
    title: t("flows.title"),
    intro: t(drawn.length < flows.length ? "flows.intro_excerpt" : "flows.intro", {
      shown: CHARTS_MAX,
      count: flows.length,
    }),
    body: renderFigures(pictures, [flowTable(flows, t), componentTable(sites, t)]),
  };
}

function flowTable(flows: readonly SiteFlows[], t: Translate): Markup {
  const energyColumns: readonly (readonly [string, (flow: SiteFlows) => number])[] = [
    [t("flows.plants_load"), (flow) => flow.generationToLoadKwh],
    [t("flows.plants_storage"), (flow) => flow.generationToStorageKwh],
    [t("flows.plants_grid"), (flow) => flow.generationToGridKwh],
    [t("flows.grid_load"), (flow) => flow.gridToLoadKwh],
    [t("flows.grid_storage"), (flow) => flow.gridToStorageKwh],
    [t("flows.storage_load"), (flow) => flow.storageToLoadKwh],
    [t("flows.storage_grid"), (flow) => flow.storageToGridKwh],
  ];
  return dataTable(captionOf("sites", flows.length, t), flows.slice(0, ROWS_MAX), [
    { title: t("head.site"), cell: ({ site }) => html`<span class="id">${site}</span>` },
    ...energyColumns.map(
      ([title, of]): TableColumn<SiteFlows> => ({
        title,
        unit: "kWh",
        align: "right",
        cell: (flow) => numberCell(of(flow), 1),
      }),
    ),
  ]);
}

type NamedComponent = ComponentRow & { readonly site: string };

function componentTable(sites: readonly SiteRow[], t: Translate): Markup {
  const rows = sites.flatMap(({ site, components }) => (components ?? []).map((component) => ({ site, ...component })));
  const energyColumns: readonly (readonly [string, (row: NamedComponent) => number | null])[] = [
    [t("flows.from_plants"), (row) => (isStorage(row) ? row.fromGeneratorKwh : null)],
    [t("flows.from_grid"), (row) => (isStorage(row) || isLoad(row) ? row.fromGridKwh : null)],
    [t("flows.to_load"), (row) => (isLoad(row) ? null : row.toLoadKwh)],
    [t("flows.to_storage"), (row) => (isLoad(row) ? null : row.toBatteryKwh)],
    [t("flows.to_grid"), (row) => (isLoad(row) ? null : row.toGridKwh)],
  ];
  return dataTable(captionOf("components", rows.length, t), rows.slice(0, ROWS_MAX), [
    { title: t("head.site"), cell: ({ site }) => html`<span class="id">${site}</span>` },
    { title: t("head.component"), cell: ({ componentId }) => html`<span class="nb">${componentId}</span>` },
    { title: t("head.kind"), cell: ({ kind }) => t(`component.${kind}`) },
    ...energyColumns.map(
      ([title, of]): TableColumn<NamedComponent> => ({
        title,
        unit: "kWh",
        align: "right",
        cell: (row) => numberCell(of(row), 1),
      }),
    ),
  ]);
}

const captionOf = (what: "sites" | "components", count: number, t: Translate): string =>
  count <= ROWS_MAX ? t(`flows.${what}`, { count }) : t(`flows.${what}_excerpt`, { shown: ROWS_MAX, count });
