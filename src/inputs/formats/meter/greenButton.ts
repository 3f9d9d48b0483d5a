import { groupBy } from "../../../base/lists.ts";
import { MS_PER_HOUR, MS_PER_SECOND } from "../../../base/time.ts";
import type { FileContent, FileFormat, SeriesColumn, SeriesTable } from "../fileFormat.ts";
import { seriesTable, TableBuilder } from "../tableBuilder.ts";
import { parseXml, type XmlNode } from "../text/parseXml.ts";

/** Interval readings of a customer in the XML of the Energy Services Provider Interface (ESPI, NAESB REQ.21). */
export const greenButton: FileFormat = {
  id: "green_button",
  title: "Green Button interval readings (ESPI XML)",
  terms: "Private data of the consumer.",
  options: ["point", "encoding"],
  detect: ({ text }) =>
    /^\s*</.test(text.slice(0, 200)) && text.includes("IntervalReading") && text.includes("naesb.org/espi") ? 1 : 0,
  read: readGreenButton,
};

/** Codes of ReadingType: unit, direction of the flow and accumulation. */
const UNITS: Readonly<Record<string, "Wh" | "W">> = { 72: "Wh", 38: "W" };
const ROLES: Readonly<Record<string, string>> = { 1: "import_kw", 4: "net_kw", 19: "export_kw" };
const COUNTERS: readonly string[] = ["1", "3", "9"];

interface Entry {
  readonly self: string;
  readonly up: string;
  readonly related: readonly string[];
  readonly content: XmlNode;
}

function readGreenButton(file: FileContent): SeriesTable | null {
  const entries = readEntries(file);
  if (entries === null) return null;
  const { problems, options } = file;
  const blocks = entries.flatMap((entry) => nodesOf(entry.content, "IntervalBlock").map((node) => ({ entry, node })));
  const byPoint = groupBy(blocks, ({ entry }) => pointOf(entry));
  const points = [...byPoint.keys()];
  const point = options.point ?? points[0];
  const chosen = byPoint.get(point);
  if (chosen === undefined || (options.point === undefined && points.length > 1)) {
    problems.refuse(`${points.length} usage points`, `one of ${points.join(", ")}`, "point");
    return null;
  }
  const builders = new Map<string, TableBuilder>();
  const skipped = new Set<string>();
  for (const { entry, node } of chosen) {
    const type = readingType(entries, entry);
    const unit = UNITS[textOf(type, "uom")];
    if (unit === undefined) skipped.add(textOf(type, "uom"));
    else if (COUNTERS.includes(textOf(type, "accumulationBehaviour")))
      problems.refuse("readings of a counter", "energies of intervals (accumulationBehaviour 4)");
    else addReadings(file, node, type, unit, builders);
  }
  if (builders.size === 0 && problems.count === 0)
    problems.refuse(
      `readings with the unit code ${[...skipped].join(", ") || "that no ReadingType states"}`,
      "72 (Wh) or 38 (W)",
    );
  const columns = [...builders.values()].flatMap(
    (builder): SeriesColumn[] => builder.build(problems)?.columns.slice() ?? [],
  );
  if (problems.count > 0) return null;
  const note = skipped.size === 0 ? [] : [`readings of other units are not read: codes ${[...skipped].join(", ")}`];
  return seriesTable(columns, ["each reading has the duration that is printed", ...note]);
}

function addReadings(
  { problems }: FileContent,
  block: XmlNode,
  type: XmlNode,
  unit: "Wh" | "W",
  builders: Map<string, TableBuilder>,
): void {
  const role = ROLES[textOf(type, "flowDirection")] ?? "power_kw";
  const builder = builders.get(role) ?? new TableBuilder([{ role, unit: "kW", source: `IntervalReading [${unit}]` }]);
  builders.set(role, builder);
  const exponent = Number(textOf(type, "powerOfTenMultiplier") || "0") - 3;
  for (const reading of nodesOf(block, "IntervalReading")) {
    const [period] = nodesOf(reading, "timePeriod");
    const [start, duration, value] = [textOf(period, "start"), textOf(period, "duration"), textOf(reading, "value")];
    const startMs = Number(start) * MS_PER_SECOND;
    const lengthMs = Number(duration) * MS_PER_SECOND;
    const size = Number(`${value}e${exponent}`);
    if (start === "" || value === "" || !Number.isSafeInteger(startMs) || !(lengthMs > 0) || !Number.isFinite(size)) {
      const found = `a reading of ${JSON.stringify(value)} from ${JSON.stringify(start)} for ${JSON.stringify(duration)}`;
      problems.refuse(found, "a number, a start in seconds since 1970 and a duration in seconds", "IntervalReading");
      continue;
    }
    builder.add(startMs, [unit === "Wh" ? (size * MS_PER_HOUR) / lengthMs : size], 1, startMs + lengthMs);
  }
}

/** `null` after reporting damaged XML. */
function readEntries(file: FileContent): Entry[] | null {
  const feed = parseXml(file, "a Green Button feed", { ignoreAttributes: false });
  if (feed === null) return null;
  return nodesOf(nodesOf(feed, "feed")[0], "entry").map((entry) => {
    const hrefs = (rel: string) =>
      nodesOf(entry, "link")
        .filter((link) => link["@_rel"] === rel)
        .map((link) => String(link["@_href"]));
    const [content = {}] = nodesOf(entry, "content");
    return { self: hrefs("self")[0] ?? "", up: hrefs("up")[0] ?? "", related: hrefs("related"), content };
  });
}

/** The usage point in the address of a block; empty where it has none. */
const pointOf = ({ self, up }: Entry): string => /UsagePoint\/([^/]+)/.exec(`${up} ${self}`)?.[1] ?? "";

/** The type that the block's meter reading names, else the only one of the file. */
function readingType(entries: readonly Entry[], { up, self }: Entry): XmlNode {
  const address = (up || self).replace(/\/IntervalBlock.*$/, "");
  const reading = entries.find((entry) => entry.self === address && nodesOf(entry.content, "MeterReading").length > 0);
  const types = entries.filter(({ content }) => nodesOf(content, "ReadingType").length > 0);
  const linked = types.find((type) => type.self !== "" && reading?.related.includes(type.self) === true);
  const type = linked ?? (types.length === 1 ? types[0] : undefined);
  return type === undefined ? {} : nodesOf(type.content, "ReadingType")[0];
}

function nodesOf(node: unknown, name: string): XmlNode[] {
  const child = node !== null && typeof node === "object" ? (node as XmlNode)[name] : undefined;
  const list = Array.isArray(child) ? child : child === undefined ? [] : [child];
  return list.map((item) => (typeof item === "object" && item !== null ? (item as XmlNode) : {}));
}

function textOf(node: unknown, name: string): string {
  const value = node !== null && typeof node === "object" ? (node as XmlNode)[name] : undefined;
  return typeof value === "string" ? value.trim() : "";
}
