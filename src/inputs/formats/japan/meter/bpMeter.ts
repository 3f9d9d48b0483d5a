import { platform } from "#platform";
import { MS_PER_HALF_HOUR } from "../../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../../fileFormat.ts";
import { quoteCell } from "../../formatProblem.ts";
import { TableBuilder } from "../../tableBuilder.ts";
import { PLAIN_AMOUNTS, parseAmount } from "../../text/parseAmount.ts";
import { parseXml, type XmlNode } from "../../text/parseXml.ts";
import { JST } from "../../time/localTime.ts";
import { parseDate } from "../../time/parseDate.ts";
import { parseSlot } from "../slotRows.ts";

/** Information elements of the business protocol by meaning. */
const TAG = {
  message: "JPTRM",
  record: "JPMR00010",
  day: "JPMR00013",
  nested: "JPMR00011",
  slot: "JPMR00014",
  date: ["JP06116", "JP06423"],
  slotCode: "JP06219",
  point: "JP06400",
  state: "JP06122",
  notProvided: "JP06405",
  energy: ["JP06123", "JP06125", "JP06424"],
} as const;

/** Half-hourly meter values of the grid operators in their XML messages: same day, past days, confirmed month. */
export const bpMeter: FileFormat = {
  id: "bp_meter",
  title: "Half-hourly meter values of a grid operator (XML of the business protocol)",
  terms: "Private data of the consumer. Never publish a supply-point number.",
  options: ["point", "encoding"],
  detect: ({ text }) => (/<(\w+:)?SBD-MSG[\s>]/.test(text.slice(0, 2_000)) && text.includes("JPTRM") ? 1 : 0),
  read: readBpMeter,
};

/** One slot of one supply point. */
interface MeterValue {
  readonly point: string;
  readonly atMs: number;
  readonly kwh: number;
  readonly line: number;
}

function readBpMeter(file: FileContent): SeriesTable | null {
  const { problems, options } = file;
  const root = parseXml(file, "an XML message of the business protocol", {
    isArray: (name) => name.startsWith("JPMR"),
    captureMetaData: true,
  });
  if (root === null) return null;
  const reader = new MessageReader(file, root);
  const values = reader.read();
  if (problems.count > 0) return null;
  const points = [...new Set(values.map(({ point }) => point))];
  const chosen = options.point === undefined ? points : points.filter((point) => point === options.point);
  if (chosen.length === 0) {
    problems.refuse(quoteCell(options.point ?? ""), `one of the ${points.length} supply points of this file`, "point");
    return null;
  }
  return tableOf(file, values, chosen);
}

function tableOf(file: FileContent, values: readonly MeterValue[], points: readonly string[]): SeriesTable | null {
  const builder = new TableBuilder(
    points.map((point) => {
      const role = points.length === 1 ? "power_kw" : `power_${point}_kw`;
      return { role, unit: "kW", source: `kWh of ${point}` };
    }),
  );
  const rows = new Map<number, { values: number[]; line: number }>();
  for (const { point, atMs, kwh, line } of values) {
    const column = points.indexOf(point);
    if (column < 0) continue;
    const row = rows.get(atMs) ?? { values: points.map(() => Number.NaN), line };
    const meanKw = 2 * kwh;
    if (!Number.isNaN(row.values[column]) && row.values[column] !== meanKw)
      file.problems.add(TAG.slotCode, () => ({
        line,
        column: 1,
        found: `a second value of a slot of ${point}`,
        allowed: "one value",
      }));
    row.values[column] = meanKw;
    rows.set(atMs, row);
  }
  for (const [atMs, row] of rows) builder.add(atMs, row.values, row.line);
  builder.notes.push("kWh of a slot × 2 is its mean kW");
  return builder.build(file.problems, MS_PER_HALF_HOUR);
}

/** Values that a record inherits from the enclosing ones. */
interface Context {
  readonly date: string | null;
  readonly slot: string | null;
  readonly point: string | null;
  readonly isProvided: boolean;
  readonly line: number;
}

/** Walks the nested records: date, slot and point may stand at any level above the energy. */
class MessageReader {
  private readonly file: FileContent;
  private readonly root: XmlNode;
  private readonly values: MeterValue[] = [];
  /** Key under which the parser stores the position of a node. */
  private readonly metadataKey = platform.xmlParser().XMLParser.getMetaDataSymbol() as unknown as symbol;
  private lineStarts: readonly number[] | null = null;

  constructor(file: FileContent, root: XmlNode) {
    this.file = file;
    this.root = root;
  }

  read(): readonly MeterValue[] {
    this.walk(this.root, { date: null, slot: null, point: null, isProvided: true, line: 1 });
    return this.values;
  }

  private walk(node: XmlNode, outer: Context): void {
    const context: Context = {
      date: firstText(node, TAG.date) ?? outer.date,
      slot: firstText(node, [TAG.slotCode]) ?? outer.slot,
      point: firstText(node, [TAG.point]) ?? outer.point,
      isProvided: outer.isProvided && (firstText(node, [TAG.notProvided]) ?? "0") !== "1",
      line: this.lineOf(node) ?? outer.line,
    };
    const energy = firstText(node, TAG.energy);
    if (energy !== null) this.add(energy, context, firstText(node, [TAG.state]) ?? "0");
    for (const child of Object.values(node))
      for (const item of Array.isArray(child) ? child : [child])
        if (item !== null && typeof item === "object") this.walk(item as XmlNode, context);
  }

  /** A value that the operator does not provide, or whose state is not 0, is missing. */
  private add(energy: string, { date, slot, point, isProvided, line }: Context, state: string): void {
    const dayMs = date === null ? null : parseDate(date);
    const code = slot === null ? null : parseSlot(slot);
    const kwh = parseAmount(energy, PLAIN_AMOUNTS);
    const report = (key: string, text: string | null, allowed: string) =>
      this.file.problems.add(key, () => ({
        line,
        column: 1,
        found: text === null ? "nothing" : quoteCell(text),
        allowed,
      }));
    if (dayMs === null) report(TAG.date[0], date, "a date such as 20260401");
    if (code === null) report(TAG.slotCode, slot, "a slot code from 1 to 48");
    if (point === null || !/^\d{22}$/.test(point)) report(TAG.point, point, "a supply-point number of 22 digits");
    if (kwh === null || kwh < 0) report(TAG.energy[0], energy, "kWh of at least 0");
    if (dayMs === null || code === null || point === null || kwh === null) return;
    const isValid = isProvided && state === "0";
    const [atMs] = JST.instantsOf(dayMs + (code - 1) * MS_PER_HALF_HOUR);
    this.values.push({ point, atMs, kwh: isValid ? kwh : Number.NaN, line });
  }

  private lineOf(node: XmlNode): number | null {
    const metadata = (node as Record<symbol, { startIndex?: number } | undefined>)[this.metadataKey];
    if (metadata?.startIndex === undefined) return null;
    this.lineStarts ??= [...this.file.text.matchAll(/\n/g)].map(({ index }) => index);
    return 1 + countBelow(this.lineStarts, metadata.startIndex);
  }
}

/** Number of ascending values below a limit. */
function countBelow(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstText(node: XmlNode, tags: readonly string[]): string | null {
  for (const tag of tags) {
    const value = node[tag];
    if (typeof value === "string") return value.trim();
  }
  return null;
}
