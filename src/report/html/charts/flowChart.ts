import { sumOf } from "../../../base/lists.ts";
import { formatKwh } from "../page/format.ts";
import { escapeHtml } from "../page/markup.ts";
import type { Translate } from "../page/pageLocale.ts";
import type { ColourName } from "../page/palette.ts";
import { type SiteFlows, totalFlowKwh } from "../sections/siteFlows.ts";
import { type ChartSize, type ChartSpec, shortenName, svgInSizes } from "./chart.ts";

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

const MARGIN_PX = 24;
const STORAGE_LABEL_PX = 48;
const NODE_GAP_PX = 34;
const NODE_WIDTH_PX = 14;
const LINE_PX = 16;

/**
 * Heights in pixels. The fuller of the two outer columns sets the scale. Storage is below the direct flows, so that
 * neither its node nor its label covers them.
 */
function areaOf(nodes: readonly FlowNode[]) {
  const columns = [0, 2].map((column) => nodes.filter((node) => node.column === column));
  const heightPx = 30 + 56 * Math.max(...columns.map(({ length }) => length));
  const pxPerKwh = Math.min(
    ...columns.map((column) => (heightPx - NODE_GAP_PX * (column.length - 1)) / sumOf(column, ({ kwh }) => kwh)),
  );
  const storage = nodes.find(({ column }) => column === 1);
  const belowPx =
    storage === undefined ? MARGIN_PX : NODE_GAP_PX + Math.ceil(storage.kwh * pxPerKwh) + STORAGE_LABEL_PX;
  return { heightPx, pxPerKwh, totalPx: MARGIN_PX + heightPx + belowPx };
}

interface FlowLink {
  readonly source: string;
  readonly target: string;
  readonly value: number;
}

/** Sankey diagram of one site's energy; `null` without any flow. */
export function flowChart(flows: SiteFlows, id: string, t: Translate): ChartSpec | null {
  const links = linksOf(flows);
  if (links.length === 0) return null;
  const nodes = nodesOf(flows, links, t);
  const area = areaOf(nodes);
  const { site, storageToStorageKwh } = flows;
  return {
    id,
    title: t("chart.flows", { site }),
    caption: t(storageToStorageKwh < DRAWN_MIN_KWH ? "chart.flows_caption" : "chart.flows_caption_storage", {
      kwh: formatKwh(storageToStorageKwh),
    }),
    altText: t("chart.flows_alt", {
      site,
      nodes: nodes.map(({ label, valueText }) => `${label} ${valueText}`).join(t("list.separator")),
    }),
    legend: [],
    draw: (chart) =>
      svgInSizes(chart, area.totalPx, (size) => ({
        className: "drawn",
        elements: drawFlows(nodes, links, { ...area, size, energyText: t("chart.flow_energy") }),
      })),
  };
}

interface PlacedNode extends FlowNode {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** Where the next link begins or ends. */
  nextOutY: number;
  nextInY: number;
}

interface FlowArea {
  readonly heightPx: number;
  readonly pxPerKwh: number;
  readonly size: ChartSize;
  readonly energyText: string;
}

function drawFlows(nodes: readonly FlowNode[], links: readonly FlowLink[], area: FlowArea): string {
  const placed = new Map(placeNodes(nodes, area).map((node) => [node.name, node]));
  const flows = links.flatMap((link) => {
    const [source, target] = [placed.get(link.source), placed.get(link.target)];
    return source === undefined || target === undefined ? [] : [drawLink(source, target, link.value, area)];
  });
  return [...flows, ...[...placed.values()].map((node) => drawNode(node, area.size))].join("\n");
}

/** Nodes of a column one below the other, in the middle of its height. */
function placeNodes(nodes: readonly FlowNode[], { heightPx, pxPerKwh, size }: FlowArea): PlacedNode[] {
  // The labels stand in these margins, beside the flows.
  const margin = size.isNarrow ? 92 : 170;
  const xs = [margin, (size.widthPx - NODE_WIDTH_PX) / 2, size.widthPx - margin - NODE_WIDTH_PX];
  return xs.flatMap((x, column) => {
    const own = nodes.filter((node) => node.column === column);
    const usedPx = own.reduce((sum, { kwh }) => sum + kwh * pxPerKwh, NODE_GAP_PX * (own.length - 1));
    let y = MARGIN_PX + (column === 1 ? heightPx + NODE_GAP_PX : (heightPx - usedPx) / 2);
    return own.map((node) => {
      const height = Math.max(1, node.kwh * pxPerKwh);
      const top = y;
      y += height + NODE_GAP_PX;
      return { ...node, x, y: top, height, nextOutY: top, nextInY: top };
    });
  });
}

/** A band from the right side of its source to the left side of its target. */
function drawLink(source: PlacedNode, target: PlacedNode, kwh: number, { pxPerKwh, energyText }: FlowArea): string {
  const width = kwh * pxPerKwh;
  const [x, y] = [source.x + NODE_WIDTH_PX, source.nextOutY];
  const [endX, endY] = [target.x, target.nextInY];
  source.nextOutY += width;
  target.nextInY += width;
  const middle = (x + endX) / 2;
  const path = `M${px(x)} ${px(y)}C${px(middle)} ${px(y)} ${px(middle)} ${px(endY)} ${px(endX)} ${px(endY)}v${px(width)}C${px(middle)} ${px(endY + width)} ${px(middle)} ${px(y + width)} ${px(x)} ${px(y + width)}z`;
  const title = escapeHtml(`${source.label} → ${target.label}\n${energyText}\t${formatKwh(kwh)}`);
  return `<path d="${path}" fill="var(--${source.colour})" fill-opacity=".35"><title>${title}</title></path>`;
}

function drawNode({ x, y, height, label, column, colour, valueText }: PlacedNode, size: ChartSize): string {
  const value = size.isNarrow ? valueText.split(", ") : [valueText];
  const lines = [shortenName(label, size), ...value].map(escapeHtml);
  const [textX, anchor] = [
    [x - 5, "end"],
    [x + NODE_WIDTH_PX / 2, "middle"],
    [x + NODE_WIDTH_PX + 5, "start"],
  ][column];
  const firstY = column === 1 ? y + height + 16 : y + height / 2 + 4 - ((lines.length - 1) * LINE_PX) / 2;
  const texts = lines.map(
    (line, k) => `<text x="${textX}" y="${px(firstY + k * LINE_PX)}" text-anchor="${anchor}">${line}</text>`,
  );
  return `<rect x="${px(x)}" y="${px(y)}" width="${NODE_WIDTH_PX}" height="${px(height)}" fill="var(--${colour})"/><g class="ink">${texts.join("")}</g>`;
}

const px = (value: number): number => Math.round(10 * value) / 10;

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
function nodesOf({ sources, storageNames }: SiteFlows, links: readonly FlowLink[], t: Translate): readonly FlowNode[] {
  const sumKwh = (some: readonly FlowLink[]) => sumOf(some, ({ value }) => value);
  const inKwh = (name: string) => sumKwh(links.filter(({ target }) => target === name));
  const outKwh = (name: string) => sumKwh(links.filter(({ source }) => source === name));
  const node = (name: string, label: string, column: 0 | 1 | 2, colour: ColourName): FlowNode => {
    const kwh = Math.max(inKwh(name), outKwh(name));
    const valueText =
      column === 1
        ? t("chart.flow_in_out", { in: formatKwh(inKwh(name)), out: formatKwh(outKwh(name)) })
        : formatKwh(kwh);
    return { name, label, column, colour, kwh, valueText };
  };
  const all = [
    ...sources.map(({ componentId }, k) =>
      node(`source-${k}`, componentId, 0, SOURCE_COLOURS[k % SOURCE_COLOURS.length]),
    ),
    node(IMPORT, t("chart.from_grid"), 0, "s1"),
    node(STORAGE, storageNames.length === 1 ? storageNames[0] : t("chart.storage"), 1, "s3"),
    node(LOAD, t("chart.load"), 2, "s4"),
    node(EXPORT, t("chart.to_grid"), 2, "s1"),
  ];
  return all.filter(({ name }) => links.some(({ source, target }) => source === name || target === name));
}

const SOURCE_COLOURS: readonly ColourName[] = ["s5", "s7", "s2"];

/** Sites with a chart: all in their order if there are few, otherwise the `countMax` with the most energy. */
export function selectDrawnFlows(flows: readonly SiteFlows[], countMax: number): readonly SiteFlows[] {
  if (flows.length <= countMax) return flows;
  return flows
    .map((flow, k) => ({ flow, k }))
    .sort((a, b) => totalFlowKwh(b.flow) - totalFlowKwh(a.flow) || a.k - b.k)
    .slice(0, countMax)
    .map(({ flow }) => flow);
}
