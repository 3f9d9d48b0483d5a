// Reports written by hand, small enough to work out every number by eye.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "../../temporaryFolder.ts";

export type ReportFiles = Readonly<Record<string, string>>;

export const writeReport = (files: ReportFiles): string => {
  const dir = createTemporaryFolder("explain");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
};

export const createEmptyFolder = (): string => writeReport({});

export const summaryFile = (scenario: object = { timezone: "Asia/Tokyo" }): string =>
  JSON.stringify({
    scenario: { name: "hand-made", hash: "a".repeat(64), ...scenario },
    seed: 1,
    period: { start: "2026-04-01T00:00:00Z", end: "2026-04-02T00:00:00Z" },
    kpis: {},
    warnings: [],
  });

const AWARD = {
  award_id: "A-1",
  vpp: "east",
  kind: "award",
  sku: "rr",
  start: "2026-04-01T10:00:00Z",
  end: "2026-04-01T11:00:00Z",
  requested_kw: "-300.000",
  uncovered_kw: "0.000",
  requested_kwh: "-300.000",
  delivered_kwh: "-300.000",
  shortfall_kwh: "0.000",
  excess_kwh: "0.000",
  executed_minutes: "60.000",
  state: "completed",
  overwritten_by: "",
  error_type: "",
  shortfall_out_of_service_kwh: "0.000",
  shortfall_refused_kwh: "0.000",
  shortfall_energy_limit_kwh: "0.000",
  shortfall_weather_kwh: "0.000",
  uncovered_refused_kw: "0.000",
  uncovered_weather_kw: "0.000",
  uncovered_energy_limit_kw: "0.000",
  fcr_response_kw: "",
  fcr_uncovered_kw: "",
  fcr_activated_up_kwh: "",
  fcr_activated_down_kwh: "",
  fcr_minutes_at_bound: "",
  fcr_mean_response_kw: "",
  fcr_uncovered_causes_kw: "",
  most_lacking_kwh: "",
};

export type AwardCells = Partial<Record<keyof typeof AWARD, string>>;

/** awards.csv with a row for each change to a plain award. */
export const awardsCsv = (...changes: readonly AwardCells[]): string =>
  csv(
    Object.keys(AWARD),
    changes.map((cells) => Object.values({ ...AWARD, ...cells })),
  );

/** dispatch.csv of A-1; lines are `at site delta status reason capability fcrCapacity fcrCapability`, `-` for an empty cell. */
export const dispatchCsv = (lines: string, awardId = "A-1"): string =>
  csv(
    [
      ...["at", "award_id", "site", "baseline_kw", "delta_kw", "dispatch_status", "skip_reason", "capability_kw"],
      ...["fcr_response_kw", "fcr_capability_kw"],
    ],
    rowsOf(lines).map((line) => {
      const [at, site, delta, status, reason, capability, fcrCapacity = "", fcrCapability = ""] = line
        .split(/ +/)
        .map((cell) => (cell === "-" ? "" : cell));
      const cells = [delta, status, reason, capability, fcrCapacity, fcrCapability];
      return [`2026-04-01T${at}Z`, awardId, site, "0.000", ...cells];
    }),
  );

/** events.csv; lines are `at kind subject detail…`. */
export const eventsCsv = (lines: string): string =>
  csv(
    ["at", "kind", "subject", "detail"],
    rowsOf(lines).map((line) => {
      const [at, kind, subject, ...detail] = line.split(/ +/);
      return [`2026-04-01T${at}Z`, kind, subject, detail.join(" ")];
    }),
  );

/** The same rows as JSON Lines, numbers and all as text. */
export function asJsonLines(table: string): string {
  const [head, ...rows] = table.trim().split("\n");
  const names = head.split(",");
  const cellsOf = (row: string): readonly string[] => row.match(/("[^"]*"|[^,]*)(,|$)/g) ?? [];
  return rows
    .map((row) => {
      const cells = cellsOf(row).map((cell) => cell.replace(/,$/, "").replace(/^"|"$/g, ""));
      return `${JSON.stringify(Object.fromEntries(names.map((name, k) => [name, cells[k] === "" ? null : cells[k]])))}\n`;
    })
    .join("");
}

const rowsOf = (lines: string): readonly string[] =>
  lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const csv = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, ...rows].map((cells) => `${cells.map(quoted).join(",")}\n`).join("");

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
