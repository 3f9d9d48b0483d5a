import { isoUtc } from "../../base/time.ts";
import type { RecordTable, SeriesColumn, SeriesTable } from "../fileFormat.ts";

/**
 * CSV of a table: `timestamp` in UTC and a column for each role, numbers with all their digits. A row stands for an interval and
 * begins with its start; readings of tables with intervals stay in the row in which they were printed.
 */
export function seriesCsv({ columns }: SeriesTable): string {
  if (columns.every(({ label }) => label === "instant")) return readingsCsv(columns);
  const stamps = (columns.find(({ label }) => label === "start") ?? columns[0]).timesMs;
  const lines = [["timestamp", ...columns.map(({ role }) => quoted(role))].join(",")];
  for (let k = 0; k < stamps.length; k++) {
    const cells = columns.map(({ values }) => (Number.isNaN(values[k]) ? "" : String(values[k])));
    lines.push([isoUtc(stamps[k]), ...cells].join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** Readings at their instants; a column without a reading at an instant has an empty cell. */
function readingsCsv(columns: readonly SeriesColumn[]): string {
  const cells = new Map<number, string[]>();
  columns.forEach(({ timesMs, values }, k) => {
    timesMs.forEach((atMs, row) => {
      const known = cells.get(atMs) ?? columns.map(() => "");
      if (!Number.isNaN(values[row])) known[k] = String(values[row]);
      cells.set(atMs, known);
    });
  });
  const lines = [...cells].sort(([a], [b]) => a - b).map(([atMs, row]) => [isoUtc(atMs), ...row].join(","));
  return `${[["timestamp", ...columns.map(({ role }) => quoted(role))].join(","), ...lines].join("\n")}\n`;
}

/** How the stamps of that file are to be read. */
export const labelOf = ({ columns }: SeriesTable): "start" | "instant" =>
  columns.some(({ label }) => label === "start") ? "start" : "instant";

export const recordsCsv = ({ keys, rows }: RecordTable): string =>
  [keys, ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join("");

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
