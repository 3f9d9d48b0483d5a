import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { quoteCell } from "../formatProblem.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, HeaderColumns, readAmounts } from "../text/headerColumns.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { type LocalTimeConverter, type PrintedInterval, resolveIntervals, UTC, zoneClock } from "../time/localTime.ts";
import { type LocalMs, parseStamp } from "../time/parseDate.ts";

const MTU = /^MTU\((CET\/CEST|UTC)\)$/;
const LIMITS = { minimum: -20_000, maximum: 20_000 } as const;

/** Headers of a price and of its periods. */
interface PriceNames {
  readonly period: RegExp;
  readonly price: RegExp;
  readonly stem: string;
}
const DAY_AHEAD: PriceNames = {
  period: MTU,
  price: /^Day-aheadPrice[[(](EUR|GBP|PLN|CHF)\/MWh[\])]$/,
  stem: "price",
};
const INTRADAY: PriceNames = {
  period: /^IntradayPeriod\((CET\/CEST|UTC)\)$/,
  price: /^IntradayPrice[[(](EUR|GBP|PLN|CHF)\/MWh[\])]$/,
  stem: "intraday_price",
};
const MARK = /\((CET|CEST|UTC)\)$/;
/** Offsets of the zone marks behind a time. */
const MARKS: Readonly<Record<string, number>> = { CET: MS_PER_HOUR, CEST: 2 * MS_PER_HOUR, UTC: 0 };

/** Day-ahead and intraday auction prices as exported by the transparency platform: the layout since 2025 and the one before. */
export const entsoe: FileFormat = {
  id: "entsoe_prices",
  title: "ENTSO-E day-ahead and intraday prices (export of the transparency platform)",
  terms: "ENTSO-E Transparency Platform. Free with a note of the source; not verified in detail.",
  options: ["area", "sequence", "encoding"],
  detect: ({ head }) => (/^MTU\((CET\/CEST|UTC)\),/.test(head) && head.includes("Day-aheadPrice") ? 1 : 0),
  read: readEntsoe,
};

/** A price of the export with the periods that it applies to. */
interface PriceColumn {
  readonly periodIndex: number;
  readonly periodName: string;
  readonly amount: AmountColumn;
}

function readEntsoe(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  if (table === null) return null;
  const header = new HeaderColumns(table, 0);
  const zone = MTU.exec(header.names.find((name) => MTU.test(name)) ?? "")?.[1];
  const clock = zone === "UTC" ? UTC : zoneClock("Europe/Berlin");
  const dayAhead = priceColumn(header, DAY_AHEAD);
  if (dayAhead === null || clock === null) {
    file.problems.refuse("no header row", "a row with MTU (CET/CEST) or MTU (UTC), and Day-ahead Price");
    return null;
  }
  const rows = table.rows.slice(1).filter((row) => !isBlankRow(row) && checkWidth(table, row, header.names.length));
  const chosen = chosenRows(file, header, rows);
  if (chosen === null) return null;
  const intraday = priceColumn(header, INTRADAY);
  const hasIntraday = ({ cells }: CsvRecord) => intraday !== null && cells[intraday.amount.index].trim() !== "";
  // A row that belongs only to an intraday auction has no day-ahead price.
  const main = chosen.filter((row) => !hasIntraday(row) || row.cells[dayAhead.amount.index].trim() !== "");
  const prices = readPrices({ file, table, clock }, dayAhead, main);
  const intradayRows = chosen.filter(hasIntraday);
  const second =
    intraday === null || intradayRows.length === 0 ? null : readPrices({ file, table, clock }, intraday, intradayRows);
  if (prices === null || second === null) return file.problems.count > 0 ? null : prices;
  return { ...prices, columns: [...prices.columns, ...second.columns] };
}

/** `null` where the file does not have both columns. */
function priceColumn(header: HeaderColumns, { period, price, stem }: PriceNames): PriceColumn | null {
  const periodIndex = header.names.findIndex((name) => period.test(name));
  const index = header.names.findIndex((name) => price.test(name));
  if (periodIndex < 0 || index < 0) return null;
  const currency = price.exec(header.names[index])?.[1] ?? "EUR";
  return {
    periodIndex,
    periodName: header.row.cells[periodIndex],
    amount: {
      index,
      role: `${stem}_${currency.toLowerCase()}_per_mwh`,
      unit: `${currency}/MWh`,
      source: header.row.cells[index],
      ...LIMITS,
    },
  };
}

interface EntsoeFile {
  readonly file: FileContent;
  readonly table: TextTable;
  readonly clock: LocalTimeConverter;
}

function readPrices(
  { file, table, clock }: EntsoeFile,
  { periodIndex, periodName, amount }: PriceColumn,
  rows: readonly CsvRecord[],
): SeriesTable | null {
  const builder = new TableBuilder([amount]);
  const periods = rows.map(({ cells }) => printedPeriod(cells[periodIndex]));
  const intervals = resolveIntervals(
    periods.map((period) => period ?? UNREADABLE),
    clock,
  );
  for (const [k, row] of rows.entries()) {
    const { startMs, endMs } = intervals[k];
    const values = readAmounts(table, row, [amount]);
    if (Number.isNaN(startMs) || Number.isNaN(endMs))
      table.reportCell(
        row,
        periodIndex,
        periodName,
        "a period such as 01/01/2025 00:00:00 - 01/01/2025 01:00:00, day first",
      );
    else builder.add(startMs, values, row.line, endMs);
  }
  builder.notes.push("dates are day first; a repeated hour is read by its mark, or in its order");
  return builder.build(file.problems);
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

const UNREADABLE: PrintedInterval = { fromMs: Number.NaN, toMs: Number.NaN };

/** `null` for anything but two times; a mark of the zone behind a time says its instant. */
function printedPeriod(cell: string): PrintedInterval | null {
  const [from, to, ...rest] = cell.split(" - ").map(markedTime);
  if (from === undefined || to === undefined || from === null || to === null || rest.length > 0) return null;
  return { fromMs: from.localMs, toMs: to.localMs, startMs: from.instantMs, endMs: to.instantMs };
}

function markedTime(text: string): { readonly localMs: LocalMs; readonly instantMs?: EpochMs } | null {
  const mark = MARK.exec(text)?.[1];
  const stamp = parseStamp(text.replace(MARK, ""), "dmy");
  if (stamp === null) return null;
  return mark === undefined ? stamp : { localMs: stamp.localMs, instantMs: stamp.localMs - MARKS[mark] };
}
