import { isoUtc } from "../../../base/time.ts";
import type { RecordTable, SeriesTable } from "../fileFormat.ts";
import { scenarioColumn } from "../scenarioColumn.ts";

/**
 * CSV of a table: `timestamp` in UTC and a column for each role, numbers with all their digits. Values of intervals stand at
 * the start of their interval and readings at their instant. Intervals of several lengths are cut into equal parts. A column without a value at a stamp has an empty cell.
 */
export function seriesCsv(table: SeriesTable): string {
  const { columns } = table;
  const cells = new Map<number, string[]>();
  columns.forEach((column, k) => {
    const { timesMs, values } = scenarioColumn(column, table);
    timesMs.forEach((atMs, row) => {
      const known = cells.get(atMs) ?? columns.map(() => "");
      if (!Number.isNaN(values[row])) known[k] = String(values[row]);
      cells.set(atMs, known);
    });
  });
  const lines = [...cells].sort(([a], [b]) => a - b).map(([atMs, row]) => [isoUtc(atMs), ...row].join(","));
  return `${[["timestamp", ...columns.map(({ role }) => quoted(role))].join(","), ...lines].join("\n")}\n`;
}

/** How a scenario reads the stamps of that file: those of most roles, and of readings beside values of intervals. */
export function labelKeys({ columns }: SeriesTable): {
  readonly label: "start" | "instant";
  readonly labels?: Readonly<Record<string, "instant">>;
} {
  const readings = columns.filter(({ label }) => label === "instant");
  if (readings.length === columns.length) return { label: "instant" };
  if (readings.length === 0) return { label: "start" };
  return { label: "start", labels: Object.fromEntries(readings.map(({ role }) => [role, "instant" as const])) };
}

export const recordsCsv = ({ keys, rows }: RecordTable): string =>
  [keys, ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join("");

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
