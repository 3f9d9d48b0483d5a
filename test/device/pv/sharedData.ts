import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { needingShared } from "../../needing.ts";

/** A file of the shared measurements and vectors beside the project; tests skip where it is absent. */
export const shared = (path: string): URL => new URL(`../../../../shared/data/${path}`, import.meta.url);

export const needingData = (...paths: readonly string[]) => needingShared(...paths.map((path) => `data/${path}`));

/** Rows as text by column. */
export function readRows(path: string): Record<string, string>[] {
  const bytes = readFileSync(shared(path));
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const [head, ...lines] = text.trimEnd().split("\n");
  const names = head.trim().split(",");
  return lines.map((line) =>
    Object.fromEntries(
      line
        .trim()
        .split(",")
        .map((cell, k) => [names[k], cell]),
    ),
  );
}

/** Numbers by column, NaN where empty; the instants, if there are any, as epoch ms in `timesMs`. */
export function readColumns(path: string, names: readonly string[]): Record<string, Float64Array> {
  const rows = readRows(path);
  const columns = names.map((name) => [
    name,
    Float64Array.from(rows, (row) => (row[name] === "" ? Number.NaN : Number(row[name]))),
  ]);
  const timesMs = Float64Array.from(rows, (row) => Date.parse(row.timestamp_utc));
  return { ...Object.fromEntries(columns), timesMs };
}
