import { ownValue } from "../../../base/ownValue.ts";
import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { quoteCell } from "../formatProblem.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../text/headerColumns.ts";
import { normaliseText } from "../text/normaliseText.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { resolveIntervals, zoneClock } from "../time/localTime.ts";
import { type LocalMs, parseStamp } from "../time/parseDate.ts";

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
  const rows = table.rows
    .slice(start + 1)
    .filter((row) => !isBlankRow(row) && checkWidth(table, row, header.cells.length));
  const printed = rows.map((row) => ({ fromMs: localTime(table, row, 0), toMs: localTime(table, row, 1) }));
  if (file.problems.count > 0) return null;
  for (const [k, interval] of resolveIntervals(printed, clock).entries()) {
    const { startMs, endMs } = interval;
    const values = readAmounts(table, rows[k], columns, GERMAN);
    if (Number.isNaN(startMs)) table.reportCell(rows[k], 0, FROM, "a time that Europe/Berlin has");
    else if (Number.isNaN(endMs)) table.reportCell(rows[k], 1, TO, "a time after Datum von");
    else builder.add(startMs, values, rows[k].line, endMs);
  }
  builder.notes.push("times of Europe/Berlin; a repeated hour is read in its order");
  return builder.build(file.problems);
}

function columnsOf({ options, problems }: FileContent, header: CsvRecord): AmountColumn[] | null {
  const prices = header.cells.flatMap((cell, index) => {
    const name = HEADER.exec(normaliseText(cell))?.[1];
    return name === undefined
      ? []
      : [{ index, source: cell.trim(), zone: ownValue(ZONES, name) ?? name.toLowerCase().replaceAll(/[\s/]+/g, "-") }];
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

function localTime(table: TextTable, row: CsvRecord, cell: number): LocalMs {
  const stamp = parseStamp(row.cells[cell], "dmy");
  if (stamp === null)
    table.reportCell(row, cell, cell === 0 ? FROM : TO, "a time of Europe/Berlin such as 01.07.2024 00:00");
  return stamp?.localMs ?? Number.NaN;
}
