import { formatKwh } from "../page/format.ts";
import { type ColourName, colourPlaceholder } from "../page/palette.ts";
import { type SiteFlows, totalFlowKwh } from "../sections/siteFlows.ts";
import { type ChartSpec, shortenName } from "./chart.ts";

/** Less than this is printed as 0.000 and not drawn. */
const DRAWN_MIN_KWH = 0.0005;

interface FlowNode {
  readonly name: string;
  readonly label: string;
  /** 0: where energy comes from; 1: where it is stored; 2: where it goes. */
  readonly column: 0 | 1 | 2;
  readonly colour: ColourName;
  /** Through it: the larger of what comes in and what goes out. */
  readonly kwh: number;
  readonly valueText: string;
}

const MARGIN = 24;
const NODE_GAP = 34;

/**
 * Storage lies below what goes straight from source to use, so that neither it nor its name covers that.
 *
 * Nodes are drawn to the scale of the fuller of the two columns; `storageAt` is a share of `heightPx`, and beyond 1.
 */
function areaOf(nodes: readonly FlowNode[]) {
  const columns = [0, 2].map((column) => nodes.filter((node) => node.column === column));
  const heightPx = 30 + 56 * Math.max(...columns.map(({ length }) => length));
  const pxPerKwh = Math.min(
    ...columns.map(
      (column) => (heightPx - NODE_GAP * (column.length - 1)) / column.reduce((sum, { kwh }) => sum + kwh, 0),
    ),
  );
  const storage = nodes.find(({ column }) => column === 1);
  if (storage === undefined) return { heightPx, storagePx: 0, storageAt: 0 };
  return { heightPx, storagePx: NODE_GAP + Math.ceil(storage.kwh * pxPerKwh), storageAt: 1 + NODE_GAP / heightPx };
}

interface FlowLink {
  readonly source: string;
  readonly target: string;
  readonly value: number;
}

/** Where the energy of one site came from and went to; `null` where none flowed. */
export function flowChart(flows: SiteFlows, id: string): ChartSpec | null {
  const links = linksOf(flows);
  if (links.length === 0) return null;
  const nodes = nodesOf(flows, links);
  const area = areaOf(nodes);
  const between =
    flows.storageToStorageKwh < DRAWN_MIN_KWH
      ? ""
      : ` Another ${formatKwh(flows.storageToStorageKwh)} went from one store of the site into another.`;
  return {
    id,
    title: `${flows.site}: where energy came from and went`,
    caption: `kWh over the whole run; widths are in proportion. What goes into storage and does not come out was lost on the way or is still stored.${between}`,
    altText: `Energy through ${flows.site}: ${nodes.map(({ label, valueText: words }) => `${label} ${words}`).join(", ")}.`,
    legend: [],
    heightPx: MARGIN + area.heightPx + area.storagePx + MARGIN,
    buildOption: (size) => ({
      series: [
        {
          type: "sankey",
          silent: true,
          left: 8,
          right: 8,
          top: MARGIN,
          height: area.heightPx,
          nodeWidth: 14,
          nodeGap: NODE_GAP,
          // Keeps the order of the nodes as they are told.
          layoutIterations: 0,
          emphasis: { disabled: true },
          lineStyle: { color: "source", opacity: 0.35 },
          data: nodes.map(({ name, label, column, colour, valueText: words }) => ({
            name,
            depth: column,
            ...(column === 1 && { localY: area.storageAt }),
            itemStyle: { color: colourPlaceholder(colour), borderWidth: 0 },
            label: {
              position: column === 2 ? ("left" as const) : ("right" as const),
              color: colourPlaceholder("ink"),
              fontSize: 12,
              lineHeight: 16,
              formatter: `${shortenName(label, size).replace(/[{}]/g, " ")}\n${size.isNarrow ? words.replace(", ", "\n") : words}`,
            },
          })),
          links: [...links],
        },
      ],
    }),
  };
}

function linksOf(flows: SiteFlows): readonly FlowLink[] {
  const all: FlowLink[] = [
    ...flows.sources.flatMap(({ toLoadKwh: toLoad, toStorageKwh: toStorage, toGridKwh: toGrid }, k) => [
      { source: `source-${k}`, target: LOAD, value: toLoad },
      { source: `source-${k}`, target: STORAGE, value: toStorage },
      { source: `source-${k}`, target: EXPORT, value: toGrid },
    ]),
    { source: IMPORT, target: LOAD, value: flows.gridToLoadKwh },
    { source: IMPORT, target: STORAGE, value: flows.gridToStorageKwh },
    { source: STORAGE, target: LOAD, value: flows.storageToLoadKwh },
    { source: STORAGE, target: EXPORT, value: flows.storageToGridKwh },
  ];
  return all.filter(({ value }) => DRAWN_MIN_KWH <= value);
}

const IMPORT = "import";
const STORAGE = "storage";
const LOAD = "load";
const EXPORT = "export";

/** Those that a link touches. */
function nodesOf({ sources, storageNames: stores }: SiteFlows, links: readonly FlowLink[]): readonly FlowNode[] {
  const inKwh = (name: string) => sumOf(links.filter(({ target }) => target === name));
  const outKwh = (name: string) => sumOf(links.filter(({ source }) => source === name));
  const node = (name: string, label: string, column: 0 | 1 | 2, colour: ColourName): FlowNode => {
    const kwh = Math.max(inKwh(name), outKwh(name));
    const words = column === 1 ? `${formatKwh(inKwh(name))} in, ${formatKwh(outKwh(name))} out` : formatKwh(kwh);
    return { name, label, column, colour, kwh, valueText: words };
  };
  const all = [
    ...sources.map(({ componentId }, k) =>
      node(`source-${k}`, componentId, 0, SOURCE_COLOURS[k % SOURCE_COLOURS.length]),
    ),
    node(IMPORT, "From the grid", 0, "s1"),
    node(STORAGE, stores.length === 1 ? stores[0] : "Storage", 1, "s3"),
    node(LOAD, "Load", 2, "s4"),
    node(EXPORT, "To the grid", 2, "s1"),
  ];
  return all.filter(({ name }) => links.some(({ source, target }) => source === name || target === name));
}

const SOURCE_COLOURS: readonly ColourName[] = ["s5", "s7", "s2"];

const sumOf = (links: readonly FlowLink[]): number => links.reduce((sum, { value }) => sum + value, 0);

/** Sites with a picture of their own: all in their order where few, else those through which most energy went. */
export function selectDrawnFlows(flows: readonly SiteFlows[], most: number): readonly SiteFlows[] {
  if (flows.length <= most) return flows;
  return flows
    .map((flow, k) => ({ flow, k }))
    .sort((a, b) => totalFlowKwh(b.flow) - totalFlowKwh(a.flow) || a.k - b.k)
    .slice(0, most)
    .map(({ flow }) => flow);
}
