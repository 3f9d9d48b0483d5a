import { stringify } from "yaml";
import { type EpochMs, isoUtc } from "../../base/time.ts";
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

/** Columns of a measured file (docs/model/twin.md#import). */
export function measuredCsv(samples: SiteSamples): string {
  const names = QUANTITIES.filter((name) => name !== "dr_target_reduction_kw");
  const used = names.filter((name) => samples.values[name].some((value) => !Number.isNaN(value)));
  const hasSku = samples.sku.some((sku) => sku !== null);
  const header = ["timestamp", ...used, ...(hasSku ? ["active_sku"] : []), "status"];
  const rows = samples.atMs.map((atMs, row) => {
    const values = used.map((name) => (Number.isNaN(samples.values[name][row]) ? "" : `${samples.values[name][row]}`));
    const sku = hasSku ? [samples.sku[row] ?? ""] : [];
    return [isoUtc(atMs), ...values, ...sku, samples.isInService(row) ? "0" : "9"].join(",");
  });
  return `${[header.join(","), ...rows].join("\n")}\n`;
}
