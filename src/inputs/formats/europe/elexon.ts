import { MS_PER_DAY, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { type FormatProblems, quoteCell } from "../formatProblem.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { PLAIN_AMOUNTS, parseAmount } from "../text/parseAmount.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { type LocalTimeConverter, zoneClock } from "../time/localTime.ts";
import { type LocalMs, parseDate, parseStamp } from "../time/parseDate.ts";

const COLUMNS = [
  { key: "systemSellPrice", role: "system_sell_price_gbp_per_mwh", unit: "GBP/MWh" },
  { key: "systemBuyPrice", role: "system_buy_price_gbp_per_mwh", unit: "GBP/MWh" },
  { key: "price", role: "market_index_price_gbp_per_mwh", unit: "GBP/MWh" },
  { key: "volume", role: "market_index_volume_mwh", unit: "MWh" },
] as const;
/** The other provider of the market index publishes zeros. */
const IGNORED_PROVIDER = "N2EXMIDP";
const PERIODS_MAX = 50;

/** System prices and market index of Elexon, as JSON or CSV. */
export const elexon: FileFormat = {
  id: "elexon_prices",
  title: "Elexon system prices and market index (JSON, CSV)",
  terms: "Elexon BMRS. Free with a note of the source; not verified in detail.",
  options: ["encoding"],
  detect: ({ text }) =>
    /settlementDate/i.test(text.slice(0, 4_000)) && /settlementPeriod/i.test(text.slice(0, 4_000)) ? 1 : 0,
  read: readElexon,
};

interface ElexonRow {
  readonly line: number;
  readonly get: (key: string) => string;
}

function readElexon(file: FileContent): SeriesTable | null {
  const { problems } = file;
  const isJson = /^\s*[[{]/.test(file.text);
  const rows = isJson ? jsonRows(file) : csvRows(file);
  const clock = zoneClock("Europe/London");
  if (rows === null || clock === null) return null;
  const columns = COLUMNS.filter(({ key }) => rows.some(({ get }) => get(key) !== ""));
  const builder = new TableBuilder(columns.map(({ key, role, unit }) => ({ role, unit, source: key })));
  for (const [k, { get, line }] of rows.entries()) {
    if (get("dataProvider") === IGNORED_PROVIDER) continue;
    const dayMs = parseDate(get("settlementDate"));
    const period = Number(get("settlementPeriod") || Number.NaN);
    const report = reporter(problems, line, isJson ? ` in entry ${k + 1}` : "");
    if (dayMs === null) report("settlementDate", get("settlementDate"), "a date such as 2026-03-29");
    const count = dayMs === null ? PERIODS_MAX : periodsOf(clock, dayMs);
    if (!Number.isInteger(period) || period < 1 || count < period)
      report("settlementPeriod", get("settlementPeriod"), `a period from 1 to ${count}`);
    const values = columns.map(({ key }) => {
      const value = parseAmount(get(key), PLAIN_AMOUNTS);
      if (value === null || Math.abs(value) > 100_000) report(key, get(key), "a number from -100000 to 100000");
      return value ?? Number.NaN;
    });
    if (dayMs === null || Number.isNaN(period)) continue;
    // Periods are counted from local midnight, so that days of clock changes have 46 or 50 of them.
    const atMs = clock.instantsOf(dayMs)[0] + (period - 1) * MS_PER_HALF_HOUR;
    const stamp = parseStamp(get("startTime"));
    if (get("startTime") !== "" && stamp?.atMs !== atMs)
      report("startTime", get("startTime"), `the start of period ${period}, ${new Date(atMs).toISOString()}`);
    builder.add(atMs, values, line);
  }
  builder.notes.push("settlement periods are counted from midnight in Europe/London");
  return builder.build(problems, MS_PER_HALF_HOUR);
}

/** Half hours of a local day: 46 and 50 on days of clock changes. */
const periodsOf = (clock: LocalTimeConverter, dayMs: LocalMs): number =>
  (clock.instantsOf(dayMs + MS_PER_DAY)[0] - clock.instantsOf(dayMs)[0]) / MS_PER_HALF_HOUR;

const reporter =
  (problems: FormatProblems, line: number, place: string) =>
  (key: string, text: string, allowed: string): void =>
    problems.add(key, () => ({ line, column: 1, found: `${quoteCell(text)}${place}`, allowed }));

function csvRows(file: FileContent): ElexonRow[] | null {
  const table = TextTable.parse(file.text, file.problems);
  if (table === null) return null;
  const names = table.rows[0].cells.map((cell) => cell.trim().toLowerCase());
  return table.rows
    .slice(1)
    .filter((row) => !isBlankRow(row))
    .map(({ cells, line }) => ({ line, get: (key) => (cells[names.indexOf(key.toLowerCase())] ?? "").trim() }));
}

/** `null` after reporting text that is no such JSON. */
function jsonRows({ text, problems }: FileContent): ElexonRow[] | null {
  const allowed = "JSON with a list data of settlement periods";
  try {
    const parsed = JSON.parse(text);
    const list = Array.isArray(parsed) ? parsed : parsed?.data;
    if (Array.isArray(list) && list.every((row) => row !== null && typeof row === "object"))
      return list.map((row: Record<string, unknown>) => ({ line: 1, get: (key) => String(row[key] ?? "") }));
    problems.refuse("no list of settlement periods", allowed);
  } catch (error) {
    problems.refuse(error instanceof Error ? error.message : String(error), allowed);
  }
  return null;
}
