import { MS_PER_DAY, MS_PER_HALF_HOUR } from "../../../../base/time.ts";
import type { CsvRecord } from "../../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesTable } from "../../fileFormat.ts";
import { TableBuilder } from "../../tableBuilder.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../../text/headerColumns.ts";
import { normaliseName } from "../../text/normaliseText.ts";
import { isBlankRow, TextTable } from "../../text/textTable.ts";
import { JST } from "../../time/localTime.ts";
import { parseClock, parseDate } from "../../time/parseDate.ts";
import { areaOf, chosenArea } from "../areas.ts";
import { parseSlot } from "../slotRows.ts";

/** Cells before the prices: record type, date, slot, start, end. */
const FIRST_PRICE = 5;
const LIMITS = { minimum: 0, maximum: 999.99 } as const;

/** Imbalance prices of all areas, published again with corrections: `YYYYMM_imbalance-price_RR.csv`. */
export const imbalancePrice: FileFormat = {
  id: "imbalance_price",
  title: "Imbalance prices (YYYYMM_imbalance-price_<revision>.csv)",
  terms:
    "Imbalance price site of the grid operators (imbalanceprices-cs.jp). Terms of reuse not verified: do not redistribute.",
  options: ["area", "encoding"],
  detect: ({ head }) => (/^T,日付,時間帯コマ,時間帯_自,時間帯_至/m.test(head) ? 1 : 0),
  read: readImbalancePrices,
};

function readImbalancePrices(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  const header = table?.rows.find(({ cells }) => cells[0].trim() === "T");
  if (table === null || header === undefined) {
    if (table !== null) file.problems.refuse("no T record", "a line T with the names of the columns");
    return null;
  }
  const columns = columnsOf(file, table, header);
  if (columns === null) return null;
  const builder = new TableBuilder(columns);
  let changed = 0;
  for (const row of table.rows.filter(({ cells }) => cells[0].trim() === "D")) {
    if (!checkWidth(table, row, header.cells.length)) continue;
    const atMs = slotStart(table, row);
    const values = readAmounts(table, row, columns);
    if (columns.some(({ index }) => /[1-9]/.test(row.cells[index + 1]))) changed++;
    if (atMs !== null) builder.add(atMs, values, row.line);
  }
  for (const row of table.rows)
    if (!isBlankRow(row) && !["H", "T", "D"].includes(row.cells[0].trim()))
      table.reportCell(row, 0, "record", "a record of type H, T or D");
  const revision = Number(/_(\d{2})(?:_[a-z]+)?\.csv/i.exec(file.name)?.[1] ?? Number.NaN);
  builder.notes.push(Number.isNaN(revision) ? "revision not known: the file name has none" : `revision ${revision}`);
  if (changed > 0) builder.notes.push(`${changed} slots carry a mark of change`);
  const built = builder.build(file.problems, MS_PER_HALF_HOUR);
  return built === null || Number.isNaN(revision) ? built : { ...built, revision };
}

/** The first half of the price columns is surplus, the second shortage; both have the same area names. */
function columnsOf(file: FileContent, table: TextTable, header: CsvRecord): AmountColumn[] | null {
  const names = header.cells.map(normaliseName);
  const count = (names.length - FIRST_PRICE) / 4;
  const areas = Array.from({ length: Math.max(0, Math.floor(count)) }, (_, k) => names[FIRST_PRICE + 2 * k]);
  const isSymmetric = areas.every((name, k) => names[FIRST_PRICE + 2 * (areas.length + k)] === name);
  const known = areas.flatMap((name) => areaOf(name) ?? []);
  if (!Number.isInteger(count) || !isSymmetric || known.length < areas.length || known.length === 0) {
    table.reportRow(
      header,
      `${names.length} columns`,
      "price and 変更S of each area for surplus, then the same for shortage",
    );
    return null;
  }
  const area = chosenArea(file, known);
  if (area === undefined) return null;
  return ["surplus", "shortage"].flatMap((side, half) =>
    known.flatMap((name, k): AmountColumn[] => {
      if (area !== null && area !== name) return [];
      const role = area === null ? `${side}_price_${name}_jpy_per_kwh` : `${side}_price_jpy_per_kwh`;
      const index = FIRST_PRICE + 2 * (half * known.length + k);
      return [{ index, role, unit: "JPY/kWh", source: `${areas[k]} (${side})`, ...LIMITS }];
    }),
  );
}

/** `null` after reporting a row whose date, slot and times do not fit together. */
function slotStart(table: TextTable, row: CsvRecord): number | null {
  const [, date, slotCell, fromCell, toCell] = row.cells;
  const dayMs = parseDate(date);
  const slot = parseSlot(slotCell);
  if (dayMs === null) table.reportCell(row, 1, "日付", "a date such as 20260401");
  if (slot === null) table.reportCell(row, 2, "時間帯コマ", "a slot code from 1 to 48");
  if (dayMs === null || slot === null) return null;
  const startMs = (slot - 1) * MS_PER_HALF_HOUR;
  const endMs = startMs + MS_PER_HALF_HOUR;
  const printedEndMs = parseClock(toCell);
  const hasSameEnd = printedEndMs === endMs || (endMs === MS_PER_DAY && printedEndMs === 0);
  if (parseClock(fromCell) !== startMs || !hasSameEnd) {
    table.reportCell(row, 3, "時間帯_自", `the time of slot ${slot}`);
    return null;
  }
  return JST.instantsOf(dayMs + startMs)[0];
}
