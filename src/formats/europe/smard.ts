import type { EpochMs } from "../../base/time.ts";
import type { CsvRecord } from "../../series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { quoteCell } from "../formatProblem.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../text/amountColumns.ts";
import { normaliseText } from "../text/normaliseText.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { LocalTimeOrder, zoneClock } from "../time/localTime.ts";
import { parseStamp } from "../time/parseDate.ts";
import { shortestLengthMs } from "./shortestLength.ts";

/** Bidding zones by their name in the file. */
const ZONES: Readonly<Record<string, string>> = {
  "Deutschland/Luxemburg": "de-lu",
  "Anrainer DE/LU": "neighbours",
  "∅ Anrainer DE/LU": "neighbours",
  "Deutschland/Österreich/Luxemburg": "de-at-lu",
  Belgien: "be",
  "Dänemark 1": "dk1",
  "Dänemark 2": "dk2",
  Frankreich: "fr",
  Niederlande: "nl",
  "Norwegen 2": "no2",
  Österreich: "at",
  Polen: "pl",
  "Schweden 4": "se4",
  Schweiz: "ch",
  Slowenien: "si",
  Tschechien: "cz",
  Ungarn: "hu",
  "Italien (Nord)": "it-north",
};
const HEADER = /^(.+?) \[€\/MWh\]( (Originalauflösungen|Berechnete Auflösungen))?$/;
const GERMAN = { decimal: ",", missing: new Set<string>() } as const;
const FROM = "Datum von";
const TO = "Datum bis";

/** Day-ahead prices of SMARD; days of clock changes have 23 or 25 hours without a mark. */
export const smard: FileFormat = {
  id: "smard",
  title: "SMARD wholesale prices (Gro_handelspreise_….csv)",
  terms: "Bundesnetzagentur | SMARD.de, CC BY 4.0. Name the source.",
  options: ["area", "encoding"],
  detect: ({ head }) => (head.startsWith("Datumvon;Datumbis;") && head.includes("[€/MWh]") ? 1 : 0),
  read: readSmard,
};

function readSmard(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems, ";");
  const start = table?.findHeader([FROM, TO]) ?? -1;
  const clock = zoneClock("Europe/Berlin");
  if (table === null || start < 0 || clock === null) {
    if (table !== null) file.problems.refuse("no header row", `a row with the columns ${FROM} and ${TO}`);
    return null;
  }
  const header = table.rows[start];
  const columns = columnsOf(file, header);
  if (columns === null) return null;
  const builder = new TableBuilder(columns);
  const [starts, ends] = [new LocalTimeOrder(clock), new LocalTimeOrder(clock)];
  const lengths: number[] = [];
  for (const row of table.rows.slice(start + 1)) {
    if (isBlankRow(row) || !checkWidth(table, row, header.cells.length)) continue;
    const startMs = instantOf(table, row, 0, starts);
    const endMs = instantOf(table, row, 1, ends);
    const values = readAmounts(table, row, columns, GERMAN);
    if (startMs === null || endMs === null) continue;
    lengths.push(endMs - startMs);
    if (endMs <= startMs) table.reportCell(row, 1, TO, "a time after Datum von");
    builder.add(startMs, values, row.line);
  }
  builder.notes.push("times of Europe/Berlin; a repeated hour is read in its order");
  return builder.build(file.problems, shortestLengthMs(lengths));
}

function columnsOf({ options, problems }: FileContent, header: CsvRecord): AmountColumn[] | null {
  const prices = header.cells.flatMap((cell, index) => {
    const name = HEADER.exec(normaliseText(cell))?.[1];
    return name === undefined
      ? []
      : [{ index, source: cell.trim(), zone: ZONES[name] ?? name.toLowerCase().replaceAll(/[\s/]+/g, "-") }];
  });
  const wanted = options.area?.toLowerCase();
  const chosen = prices.filter(({ zone }) => wanted === undefined || zone === wanted);
  if (chosen.length === 0) {
    const known = prices.map(({ zone }) => zone).join(", ");
    problems.refuse(
      wanted === undefined ? "no column in €/MWh" : quoteCell(wanted),
      `a bidding zone of this file: ${known}`,
      "area",
    );
    return null;
  }
  return chosen.map(({ index, source, zone }): AmountColumn => {
    const role = chosen.length === 1 ? "price_eur_per_mwh" : `price_${zone}_eur_per_mwh`;
    return { index, source, role, unit: "EUR/MWh", minimum: -20_000, maximum: 20_000 };
  });
}

function instantOf(table: TextTable, row: CsvRecord, cell: number, order: LocalTimeOrder): EpochMs | null {
  const stamp = parseStamp(row.cells[cell], "dmy");
  const atMs = stamp === null ? null : order.next(stamp.atMs);
  if (atMs === null)
    table.reportCell(row, cell, cell === 0 ? FROM : TO, "a time of Europe/Berlin such as 01.07.2024 00:00");
  return atMs;
}
