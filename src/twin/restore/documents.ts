import { stringify } from "yaml";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { MemberEnergy } from "./readHistory.ts";
import type { Column } from "./series.ts";
import { QUANTITIES, type SiteSamples } from "./siteSamples.ts";

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

/** A CSV file of series; a column has a cell at its own instants alone. */
export function seriesCsv(columns: ReadonlyMap<string, Column>): string {
  const names = [...columns.keys()];
  const cells = new Map<EpochMs, string[]>();
  for (const [k, { atMs, values }] of [...columns.values()].entries())
    atMs.forEach((each, row) => {
      const line = cells.get(each) ?? names.map(() => "");
      line[k] = `${values[row]}`;
      cells.set(each, line);
    });
  const rows = [...cells].sort(([a], [b]) => a - b).map(([atMs, line]) => `${isoUtc(atMs)},${line.join(",")}\n`);
  return `timestamp,${names.join(",")}\n${rows.join("")}`;
}

/**
 * Columns of a measured file (docs/model/twin.md#measured-files). Energy stands in the row in which its half hour begins.
 *
 * @param energy  `null`: none
 * @param weather  irradiance and weather by instant, `null`: none
 */
export function measuredCsv(samples: SiteSamples, energy: MemberEnergy | null, weather: Weather | null): string {
  const names = QUANTITIES.filter((name) => name !== "dr_target_reduction_kw");
  const used = names.filter((name) => samples.values[name].some((value) => !Number.isNaN(value)));
  const sku = samples.sku.some((each) => each !== null) ? ["active_sku"] : [];
  const header = [...used, ...sku, "status"];
  const rows = new Map<EpochMs, string[]>();
  samples.atMs.forEach((atMs, row) => {
    const values = used.map((name) => (Number.isNaN(samples.values[name][row]) ? "" : `${samples.values[name][row]}`));
    rows.set(atMs, [...values, ...sku.map(() => samples.sku[row] ?? ""), samples.isInService(row) ? "0" : "9"]);
  });
  const firstMs = samples.atMs[0] ?? Number.POSITIVE_INFINITY;
  const counters =
    energy?.atMs.map((atMs, k) => [atMs, `${energy.importKwh[k]},${energy.exportKwh[k]}`] as const) ?? [];
  const energyAt = new Map(counters.filter(([atMs]) => rows.has(atMs) || atMs < firstMs));
  for (const atMs of energyAt.keys())
    if (!rows.has(atMs))
      rows.set(
        atMs,
        header.map(() => ""),
      );
  const lines = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([atMs, cells]) => {
      const counted = energy === null ? [] : [energyAt.get(atMs) ?? ","];
      const sky = weather === null ? [] : [weather.cellsAt(atMs)];
      return [isoUtc(atMs), ...cells, ...counted, ...sky].join(",");
    });
  const further = [...(energy === null ? [] : ["import_kwh", "export_kwh"]), ...(weather?.columns ?? [])];
  return `${["timestamp", ...header, ...further].join(",")}\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** Weather of the period, of `--weather`. */
export interface Weather {
  readonly columns: readonly string[];
  /** The cells of an instant with commas between them, all empty where the file has no row. */
  readonly cellsAt: (atMs: EpochMs) => string;
}
