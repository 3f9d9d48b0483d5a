import type { EpochMs } from "../../base/time.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import type { CsvRecord } from "../../series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { quoteCell } from "../formatProblem.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../text/amountColumns.ts";
import { HeaderColumns } from "../text/headerColumns.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { type LocalClock, LocalTimeOrder, UTC, zoneClock } from "../time/localTime.ts";
import { parseStamp } from "../time/parseDate.ts";
import { shortestLengthMs } from "./shortestLength.ts";

const MTU = /^MTU\((CET\/CEST|UTC)\)$/;
const PRICE = /^Day-aheadPrice[[(](EUR|GBP|PLN|CHF)\/MWh[\])]$/;
/** Offsets of the zone marks behind a time. */
const MARKS: Readonly<Record<string, number>> = { CET: MS_PER_HOUR, CEST: 2 * MS_PER_HOUR, UTC: 0 };

/** Day-ahead prices as exported by the transparency platform: the layout since 2025 and the one before. */
export const entsoe: FileFormat = {
  id: "entsoe_prices",
  title: "ENTSO-E day-ahead prices (export of the transparency platform)",
  terms: "ENTSO-E Transparency Platform. Free with a note of the source; not verified in detail.",
  options: ["area", "sequence", "encoding"],
  detect: ({ head }) => (/^MTU\((CET\/CEST|UTC)\),/.test(head) && head.includes("Day-aheadPrice") ? 1 : 0),
  read: readEntsoe,
};

function readEntsoe(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  if (table === null) return null;
  const header = new HeaderColumns(table, 0);
  const mtuIndex = header.names.findIndex((name) => MTU.test(name));
  const priceIndex = header.names.findIndex((name) => PRICE.test(name));
  const clock = MTU.exec(header.names[mtuIndex] ?? "")?.[1] === "UTC" ? UTC : zoneClock("Europe/Berlin");
  if (mtuIndex < 0 || priceIndex < 0 || clock === null) {
    file.problems.refuse("no header row", "a row with MTU (CET/CEST) or MTU (UTC), and Day-ahead Price");
    return null;
  }
  const currency = PRICE.exec(header.names[priceIndex])?.[1] ?? "EUR";
  const role = `price_${currency.toLowerCase()}_per_mwh`;
  const limits = { minimum: -20_000, maximum: 20_000 };
  const column: AmountColumn = {
    index: priceIndex,
    role,
    unit: `${currency}/MWh`,
    source: header.row.cells[priceIndex],
    ...limits,
  };
  const rows = table.rows.slice(1).filter((row) => !isBlankRow(row) && checkWidth(table, row, header.names.length));
  const chosen = chosenRows(file, header, rows);
  if (chosen === null) return null;
  const builder = new TableBuilder([column]);
  const mtus = new MtuReader(clock);
  const lengths: number[] = [];
  for (const row of chosen) {
    const period = mtus.read(row.cells[mtuIndex]);
    const values = readAmounts(table, row, [column]);
    if (period === null)
      table.reportCell(row, mtuIndex, "MTU", "a period such as 01/01/2025 00:00:00 - 01/01/2025 01:00:00, day first");
    else {
      lengths.push(period.endMs - period.startMs);
      builder.add(period.startMs, values, row.line);
    }
  }
  builder.notes.push("dates are day first; a repeated hour is read by its mark, or in its order");
  return builder.build(file.problems, shortestLengthMs(lengths));
}

/** Rows of one area and one auction. */
function chosenRows(
  { options, problems }: FileContent,
  header: HeaderColumns,
  rows: readonly CsvRecord[],
): CsvRecord[] | null {
  let chosen = [...rows];
  const choices = [
    { key: "area", index: header.find("Area"), wanted: options.area, plain: plainArea },
    { key: "sequence", index: header.find("Sequence"), wanted: options.sequence, plain: plainSequence },
  ];
  for (const { key, index, wanted, plain } of choices) {
    if (index < 0) {
      if (wanted !== undefined) problems.refuse(quoteCell(wanted), `no ${key}: the file has one only`, key);
      continue;
    }
    const known = [...new Set(chosen.map(({ cells }) => plain(cells[index])))];
    const name = wanted === undefined ? known[0] : plain(wanted);
    if ((wanted === undefined && known.length > 1) || (known.length > 0 && !known.includes(name))) {
      problems.refuse(
        wanted === undefined ? `${known.length} values of ${key}` : quoteCell(wanted),
        `one of ${known.join(", ")}`,
        key,
      );
      return null;
    }
    chosen = chosen.filter(({ cells }) => plain(cells[index]) === name);
  }
  return problems.count > 0 ? null : chosen;
}

/** "BZN|DE-LU" is "de-lu". */
const plainArea = (cell: string): string =>
  cell
    .trim()
    .replace(/^\w+\|/, "")
    .toLowerCase();
/** "Sequence Sequence 1" is "1". */
const plainSequence = (cell: string): string =>
  cell
    .trim()
    .replaceAll(/sequence\s*/gi, "")
    .trim()
    .toLowerCase() || "1";

/** Reads market time units in their order. */
class MtuReader {
  readonly #starts: LocalTimeOrder;
  readonly #ends: LocalTimeOrder;

  constructor(clock: LocalClock) {
    this.#starts = new LocalTimeOrder(clock);
    this.#ends = new LocalTimeOrder(clock);
  }

  read(cell: string): { readonly startMs: EpochMs; readonly endMs: EpochMs } | null {
    const parts = cell.split(" - ");
    if (parts.length !== 2) return null;
    const startMs = instantOf(parts[0], this.#starts);
    const endMs = instantOf(parts[1], this.#ends);
    return startMs === null || endMs === null || endMs <= startMs ? null : { startMs, endMs };
  }
}

function instantOf(text: string, order: LocalTimeOrder): EpochMs | null {
  const mark = /\((CET|CEST|UTC)\)\s*$/.exec(text)?.[1] ?? null;
  const stamp = parseStamp(text.replace(/\(\w+\)\s*$/, ""), "dmy");
  if (stamp === null) return null;
  return mark === null ? order.next(stamp.atMs) : stamp.atMs - MARKS[mark];
}
