import { formatKwh } from "../page/format.ts";
import { type ColourName, colourPlaceholder } from "../page/palette.ts";
import { type SiteFlows, totalFlowKwh } from "../sections/siteFlows.ts";
import { type ChartSpec, shortenName } from "./chart.ts";

/** Smaller flows are 0 at three decimals. */
const DRAWN_MIN_KWH = 0.0005;

interface FlowNode {
  readonly name: string;
  readonly label: string;
  /** 0: source, 1: storage, 2: sink. */
  readonly column: 0 | 1 | 2;
  readonly colour: ColourName;
  /** The larger of inflow and outflow. */
  readonly kwh: number;
  readonly valueText: string;
}

/** Beside the outer nodes, and below storage, which is below the direct flows. */
const LABEL_POSITIONS = ["left", "bottom", "right"] as const;

const MARGIN = 24;
const STORAGE_LABEL_PX = 48;
const NODE_GAP = 34;

/**
 * Places storage below the direct flows, so that neither its node nor its label covers them.
 *
 * The fuller of the two outer columns sets the scale. `storageAt` is a fraction of `heightPx` above 1.
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

/** Sankey diagram of one site's energy; `null` without any flow. */
export function flowChart(flows: SiteFlows, id: string): ChartSpec | null {
  const links = linksOf(flows);
  if (links.length === 0) return null;
  const nodes = nodesOf(flows, links);
  const area = areaOf(nodes);
  const storageToStorageText =
    flows.storageToStorageKwh < DRAWN_MIN_KWH
      ? ""
      : ` A further ${formatKwh(flows.storageToStorageKwh)} moved between storage components of the site.`;
  return {
    id,
    title: `${flows.site}: energy flows`,
    caption: `kWh over the whole run; widths are proportional to energy. The difference between energy into and out of storage is losses and the change in stored energy.${storageToStorageText}`,
    altText: `Energy flows of ${flows.site}: ${nodes.map(({ label, valueText }) => `${label} ${valueText}`).join(", ")}.`,
    legend: [],
    heightPx: MARGIN + area.heightPx + area.storagePx + (area.storagePx > 0 ? STORAGE_LABEL_PX : MARGIN),
    buildOption: (size) => ({
      series: [
        {
          type: "sankey",
          silent: true,
          // The labels stand in these margins, beside the flows.
          left: size.isNarrow ? 92 : 170,
          right: size.isNarrow ? 92 : 170,
          top: MARGIN,
          height: area.heightPx,
          nodeWidth: 14,
          nodeGap: NODE_GAP,
          // Keeps the order of `nodes`.
          layoutIterations: 0,
          emphasis: { disabled: true },
          lineStyle: { color: "source", opacity: 0.35 },
          data: nodes.map(({ name, label, column, colour, valueText }) => ({
            name,
            depth: column,
            ...(column === 1 && { localY: area.storageAt }),
            itemStyle: { color: colourPlaceholder(colour), borderWidth: 0 },
            label: {
              position: LABEL_POSITIONS[column],
              color: colourPlaceholder("ink"),
              fontSize: 12,
              lineHeight: 16,
              formatter: `${shortenName(label, size).replace(/[{}]/g, " ")}\n${size.isNarrow ? valueText.replace(", ", "\n") : valueText}`,
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
    ...flows.sources.flatMap(({ toLoadKwh, toStorageKwh, toGridKwh }, k) => [
      { source: `source-${k}`, target: LOAD, value: toLoadKwh },
      { source: `source-${k}`, target: STORAGE, value: toStorageKwh },
      { source: `source-${k}`, target: EXPORT, value: toGridKwh },
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

/** Nodes with at least one link. */
function nodesOf({ sources, storageNames }: SiteFlows, links: readonly FlowLink[]): readonly FlowNode[] {
  const inKwh = (name: string) => sumOf(links.filter(({ target }) => target === name));
  const outKwh = (name: string) => sumOf(links.filter(({ source }) => source === name));
  const node = (name: string, label: string, column: 0 | 1 | 2, colour: ColourName): FlowNode => {
    const kwh = Math.max(inKwh(name), outKwh(name));
    const valueText = column === 1 ? `${formatKwh(inKwh(name))} in, ${formatKwh(outKwh(name))} out` : formatKwh(kwh);
    return { name, label, column, colour, kwh, valueText };
  };
  const all = [
    ...sources.map(({ componentId }, k) =>
      node(`source-${k}`, componentId, 0, SOURCE_COLOURS[k % SOURCE_COLOURS.length]),
    ),
    node(IMPORT, "From the grid", 0, "s1"),
    node(STORAGE, storageNames.length === 1 ? storageNames[0] : "Storage", 1, "s3"),
    node(LOAD, "Load", 2, "s4"),
    node(EXPORT, "To the grid", 2, "s1"),
  ];
  return all.filter(({ name }) => links.some(({ source, target }) => source === name || target === name));
}

const SOURCE_COLOURS: readonly ColourName[] = ["s5", "s7", "s2"];

const sumOf = (links: readonly FlowLink[]): number => links.reduce((sum, { value }) => sum + value, 0);

/** Sites with a chart: all in their order if there are few, otherwise the `countMax` with the most energy. */
export function selectDrawnFlows(flows: readonly SiteFlows[], countMax: number): readonly SiteFlows[] {
  if (flows.length <= countMax) return flows;
  return flows
    .map((flow, k) => ({ flow, k }))
    .sort((a, b) => totalFlowKwh(b.flow) - totalFlowKwh(a.flow) || a.k - b.k)
    .slice(0, countMax)
    .map(({ flow }) => flow);
}
