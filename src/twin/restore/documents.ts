import { stringify } from "yaml";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { MeasuredTable } from "../measured/measuredSeries.ts";
import type { Column } from "./series.ts";
import { QUANTITIES, type SiteEnergy, type SiteSamples } from "./siteSamples.ts";

/** Weather of the period, of `--weather`. */
export type Weather = Pick<MeasuredTable, "timesMs" | "columns">;

/** A scenario as text: the head as YAML, each award and event as one line of JSON, which is YAML. */
export function scenarioText(
  comment: readonly string[],
  head: object,
  lists: Readonly<Record<string, readonly object[]>>,
): string {
  const lines = Object.entries(lists)
    .filter(([, entries]) => entries.length > 0)
    .map(([key, entries]) => `${key}:\n${entries.map((entry) => `  - ${JSON.stringify(entry)}\n`).join("")}`);
  const heading = comment.map((line) => `# ${line}\n`).join("");
  return `${heading}${stringify(head, { aliasDuplicateObjects: false, lineWidth: 0 })}${lines.join("")}`;
}

/** A column of a CSV file: a cell at each of its own instants. */
type Cells = ReadonlyMap<EpochMs, string>;

function csvOf(columns: ReadonlyMap<string, Cells>): string {
  const instants = new Set([...columns.values()].flatMap((cells) => [...cells.keys()]));
  const rows = [...instants]
    .sort((a, b) => a - b)
    .map((atMs) => [isoUtc(atMs), ...[...columns.values()].map((cells) => cells.get(atMs) ?? "")]);
  return [["timestamp", ...columns.keys()], ...rows].map((cells) => `${cells.join(",")}\n`).join("");
}

const cellsOf = (atMs: ArrayLike<EpochMs>, values: ArrayLike<number | string>): Cells =>
  new Map(Array.from(atMs, (each, row) => [each, Number.isNaN(values[row]) ? "" : `${values[row]}`]));

/** A CSV file of series; a column has a cell at its own instants alone. */
export const seriesCsv = (columns: ReadonlyMap<string, Column>): string =>
  csvOf(new Map([...columns].map(([name, { atMs, values }]) => [name, cellsOf(atMs, values)])));

/**
 * Columns of a measured file (docs/model/twin.md#measured-files). Energy stands in the row in which its half hour begins.
 *
 * @param energy  `null`: none
 * @param weather  irradiance and weather, `null`: none
 */
export function measuredCsv(samples: SiteSamples, energy: SiteEnergy | null, weather: Weather | null): string {
  const { atMs, sku, values } = samples;
  const columns = new Map<string, Cells>();
  for (const name of QUANTITIES)
    if (name !== "dr_target_reduction_kw" && samples.has(name)) columns.set(name, cellsOf(atMs, values[name]));
  const products = sku.map((each) => each ?? "");
  if (products.some((each) => each !== "")) columns.set("active_sku", cellsOf(atMs, products));
  const statuses = atMs.map((_, row) => (samples.isInService(row) ? 0 : 9));
  columns.set("status", cellsOf(atMs, statuses));
  const firstMs = atMs[0] ?? Number.POSITIVE_INFINITY;
  const rows = new Set([...atMs, ...(energy?.atMs ?? []).filter((each) => each < firstMs)]);
  const add = (name: string, times: ArrayLike<EpochMs>, quantities: ArrayLike<number>) =>
    columns.set(name, new Map([...cellsOf(times, quantities)].filter(([each]) => rows.has(each))));
  if (energy !== null) {
    add("import_kwh", energy.atMs, energy.importKwh);
    add("export_kwh", energy.atMs, energy.exportKwh);
  }
  for (const [name, quantities] of weather?.columns ?? []) add(name, weather?.timesMs ?? [], quantities);
  return csvOf(columns);
}
