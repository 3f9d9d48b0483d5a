import { isoUtc, MS_PER_HALF_HOUR } from "../../../../base/time.ts";
import type { FileContent, FileFormat, RecordTable } from "../../fileFormat.ts";
import { type AmountColumn, checkWidth, HeaderColumns, readAmounts } from "../../text/headerColumns.ts";
import { isBlankRow, TextTable } from "../../text/textTable.ts";
import { JST } from "../../time/localTime.ts";
import { parseDate } from "../../time/parseDate.ts";
import { parseSlot } from "../slotRows.ts";
import { JEPX_TERMS, PRICE_LIMITS } from "./jepxTerms.ts";

const DATE = "電力受渡日";
const SLOT = "商品コード";
const AREA = "分断エリア連番";
const AMOUNTS = [
  { source: "入札価格(円/kWh)", role: "price_jpy_per_kwh", unit: "JPY/kWh", ...PRICE_LIMITS },
  { source: "売入札量累積(MW)", role: "sell_mw", unit: "MW", minimum: 0 },
  { source: "買入札量累積(MW)", role: "buy_mw", unit: "MW", minimum: 0 },
] as const;

/** Points of the bid curves of a day: `spot_bid_curves_YYYYMMDD.csv`. */
export const jepxBidCurves: FileFormat = {
  id: "jepx_bid_curves",
  title: "JEPX bid curves of the day-ahead market (spot_bid_curves_YYYYMMDD.csv)",
  terms: JEPX_TERMS,
  options: ["encoding"],
  detect: ({ head }) => (/^電力受渡日,商品コード,入札価格/m.test(head) ? 1 : 0),
  read: readBidCurves,
};

/** A row for each point, in the order of the file; `split_area` is empty for the curve of the system price. */
function readBidCurves(file: FileContent): RecordTable | null {
  const { problems } = file;
  const table = TextTable.parse(file.text, problems);
  const start = table?.findHeader([DATE, SLOT]) ?? -1;
  if (table === null || start < 0) {
    if (table !== null) problems.refuse("no header row", `a row with the columns ${DATE} and ${SLOT}`);
    return null;
  }
  const header = new HeaderColumns(table, start);
  const [dateIndex, slotIndex, areaIndex] = [DATE, SLOT, AREA].map((name) => header.require(name));
  const columns = AMOUNTS.map((amount): AmountColumn => ({ ...amount, index: header.require(amount.source) }));
  if (problems.count > 0) return null;
  const rows: string[][] = [];
  for (const row of table.rows.slice(start + 1)) {
    if (isBlankRow(row) || !checkWidth(table, row, header.names.length)) continue;
    const dayMs = parseDate(row.cells[dateIndex]);
    const slot = parseSlot(row.cells[slotIndex]);
    const area = row.cells[areaIndex].trim();
    if (dayMs === null) table.reportCell(row, dateIndex, DATE, "a date such as 20260401");
    if (slot === null) table.reportCell(row, slotIndex, SLOT, "a slot code from 1 to 48");
    if (!/^(-1|\d*)$/.test(area)) table.reportCell(row, areaIndex, AREA, "a number of an area, or an empty cell");
    const amounts = readAmounts(table, row, columns);
    amounts.forEach((amount, k) => {
      const { index, source, unit } = columns[k];
      if (Number.isNaN(amount)) table.reportCell(row, index, source, `a number in ${unit}`);
    });
    if (dayMs === null || slot === null) continue;
    const [startMs] = JST.instantsOf(dayMs + (slot - 1) * MS_PER_HALF_HOUR);
    const period = [isoUtc(startMs), isoUtc(startMs + MS_PER_HALF_HOUR)];
    rows.push([...period, area === "-1" ? "" : area, ...amounts.map(String)]);
  }
  if (rows.length === 0) problems.refuse("no rows", "at least one point of a curve");
  const keys = ["start", "end", "split_area", ...AMOUNTS.map(({ role }) => role)];
  const notes = ["volumes are cumulated; an empty split_area is the curve of the system price"];
  return problems.count > 0 ? null : { kind: "records", keys, rows, notes };
}
