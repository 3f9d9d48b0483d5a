import { formatKwh } from "../page/format.ts";
import { type ColourName, ink } from "../page/palette.ts";
import { type SiteFlows, throughKwh } from "../sections/siteFlows.ts";
import { type Picture, shortened } from "./chart.ts";

/** Less than this is printed as 0.000 and not drawn. */
const NOTHING_KWH = 0.0005;

interface FlowNode {
  readonly name: string;
  readonly label: string;
  /** 0: where energy comes from; 1: where it is stored; 2: where it goes. */
  readonly column: 0 | 1 | 2;
  readonly colour: ColourName;
  /** Through it: the larger of what comes in and what goes out. */
  readonly kwh: number;
  readonly words: string;
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
export function flowPicture(flows: SiteFlows, id: string): Picture | null {
  const links = linksOf(flows);
  if (links.length === 0) return null;
  const nodes = nodesOf(flows, links);
  const area = areaOf(nodes);
  const between =
    flows.storageToStorage < NOTHING_KWH
      ? ""
      : ` Another ${formatKwh(flows.storageToStorage)} went from one store of the site into another.`;
  return {
    id,
    title: `${flows.site}: where energy came from and went`,
    caption: `kWh over the whole run; widths are in proportion. What goes into storage and does not come out was lost on the way or is still stored.${between}`,
    alt: `Energy through ${flows.site}: ${nodes.map(({ label, words }) => `${label} ${words}`).join(", ")}.`,
    legend: [],
    height: MARGIN + area.heightPx + area.storagePx + MARGIN,
    option: (size) => ({
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
          data: nodes.map(({ name, label, column, colour, words }) => ({
            name,
            depth: column,
            ...(column === 1 && { localY: area.storageAt }),
            itemStyle: { color: ink(colour), borderWidth: 0 },
            label: {
              position: column === 2 ? ("left" as const) : ("right" as const),
              color: ink("ink"),
              fontSize: 12,
              lineHeight: 16,
              formatter: `${shortened(label, size).replace(/[{}]/g, " ")}\n${size.narrow ? words.replace(", ", "\n") : words}`,
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
    ...flows.sources.flatMap(({ toLoad, toStorage, toGrid }, k) => [
      { source: `source-${k}`, target: LOAD, value: toLoad },
      { source: `source-${k}`, target: STORAGE, value: toStorage },
      { source: `source-${k}`, target: EXPORT, value: toGrid },
    ]),
    { source: IMPORT, target: LOAD, value: flows.gridToLoad },
    { source: IMPORT, target: STORAGE, value: flows.gridToStorage },
    { source: STORAGE, target: LOAD, value: flows.storageToLoad },
    { source: STORAGE, target: EXPORT, value: flows.storageToGrid },
  ];
  return all.filter(({ value }) => NOTHING_KWH <= value);
}

const IMPORT = "import";
const STORAGE = "storage";
const LOAD = "load";
const EXPORT = "export";

/** Those that a link touches. */
function nodesOf({ sources, stores }: SiteFlows, links: readonly FlowLink[]): readonly FlowNode[] {
  const inKwh = (name: string) => sumOf(links.filter(({ target }) => target === name));
  const outKwh = (name: string) => sumOf(links.filter(({ source }) => source === name));
  const node = (name: string, label: string, column: 0 | 1 | 2, colour: ColourName): FlowNode => {
    const kwh = Math.max(inKwh(name), outKwh(name));
    const words = column === 1 ? `${formatKwh(inKwh(name))} in, ${formatKwh(outKwh(name))} out` : formatKwh(kwh);
    return { name, label, column, colour, kwh, words };
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
export function drawnFlows(flows: readonly SiteFlows[], most: number): readonly SiteFlows[] {
  if (flows.length <= most) return flows;
  return flows
    .map((flow, k) => ({ flow, k }))
    .sort((a, b) => throughKwh(b.flow) - throughKwh(a.flow) || a.k - b.k)
    .slice(0, most)
    .map(({ flow }) => flow);
}
