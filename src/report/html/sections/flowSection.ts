// Energy flows inside sites of several components: charts of the largest sites and tables of all.
import type { ComponentRow, SiteRow } from "../../../accounting/siteRow.ts";
import { kindOf } from "../../../engine/site/components/registry.ts";
import { renderFigures } from "../charts/chart.ts";
import { flowChart, selectDrawnFlows } from "../charts/flowChart.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import { isLoad, isStorage, type SiteFlows, siteFlows } from "./siteFlows.ts";

const CHARTS_MAX = 6;
const ROWS_MAX = 200;

export function flowSection(sites: readonly SiteRow[]): Section | null {
  const flows = siteFlows(sites);
  if (flows.length === 0) return null;
  const drawn = selectDrawnFlows(flows, CHARTS_MAX);
  const pictures = drawn.map((flow, k) => flowChart(flow, `flow-${k + 1}`)).filter((picture) => picture !== null);
  const omittedCount = flows.length - drawn.length;
  return {
    id: "flows",
    contentsTitle: "Flows",
    title: "Energy inside the sites",
    intro: `Sites of several components: generation supplies the load first, then storage, then the grid.${omittedCount > 0 ? ` The ${CHARTS_MAX} sites with most energy have a chart; the tables have all ${flows.length}.` : ""}`,
    body: renderFigures(pictures, [flowTable(flows), componentTable(sites)]),
  };
}

function flowTable(flows: readonly SiteFlows[]): Markup {
  const energyColumns: readonly (readonly [string, (flow: SiteFlows) => number])[] = [
    ["Plants to load", (flow) => flow.generationToLoadKwh],
    ["Plants to storage", (flow) => flow.generationToStorageKwh],
    ["Plants to grid", (flow) => flow.generationToGridKwh],
    ["Grid to load", (flow) => flow.gridToLoadKwh],
    ["Grid to storage", (flow) => flow.gridToStorageKwh],
    ["Storage to load", (flow) => flow.storageToLoadKwh],
    ["Storage to grid", (flow) => flow.storageToGridKwh],
  ];
  return dataTable(captionOf("site", "sites", flows.length), flows.slice(0, ROWS_MAX), [
    { title: "Site", cell: ({ site }) => html`<span class="id">${site}</span>` },
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

function componentTable(sites: readonly SiteRow[]): Markup {
  const rows = sites.flatMap(({ site, components }) => (components ?? []).map((component) => ({ site, ...component })));
  const energyColumns: readonly (readonly [string, (row: NamedComponent) => number | null])[] = [
    ["From plants", (row) => (isStorage(row) ? row.fromGeneratorKwh : null)],
    ["From grid", (row) => (isStorage(row) || isLoad(row) ? row.fromGridKwh : null)],
    ["To load", (row) => (isLoad(row) ? null : row.toLoadKwh)],
    ["To storage", (row) => (isLoad(row) ? null : row.toBatteryKwh)],
    ["To grid", (row) => (isLoad(row) ? null : row.toGridKwh)],
  ];
  return dataTable(captionOf("component", "components", rows.length), rows.slice(0, ROWS_MAX), [
    { title: "Site", cell: ({ site }) => html`<span class="id">${site}</span>` },
    { title: "Component", cell: ({ componentId }) => html`<span class="nb">${componentId}</span>` },
    { title: "Kind", cell: (row) => kindOf(row).report.label },
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

const captionOf = (noun: string, plural: string, count: number): string =>
  count <= ROWS_MAX
    ? `Energy of ${formatCount(count, noun, plural)} over the whole run`
    : `The first ${ROWS_MAX} of ${formatCount(count, noun, plural)}; components.csv has all`;
