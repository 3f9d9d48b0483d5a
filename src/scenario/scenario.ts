import type { WorldSpec } from "../simulation/worldSpec.ts";
import type { DayBaseline } from "./build/dayBaselineBuilder.ts";

export type ReportFormat = "csv" | "json" | "html" | "parquet";

/** What to write about a run. */
export interface ReportSpec {
  readonly intervalMs: number;
  /** `null`: no power series. */
  readonly powerIntervalMs: number | null;
  readonly formats: readonly ReportFormat[];
  /** File stems that are not written. */
  readonly omit: readonly string[];
}

/** A scenario file with all that it names, read, checked and complete. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** IANA name; for market days and printing only. */
  readonly timezone: string;
  /** Absolute path of the file it came from. */
  readonly file: string;
  readonly world: WorldSpec;
  readonly report: ReportSpec;
  /** SHA-256 of the effective scenario: canonical JSON with digests of its series, awards and events (docs/model/report-files.md#formats). */
  readonly hash: string;
  /** By site name: how baselines of past days came about. */
  readonly dayBaselines: ReadonlyMap<string, DayBaseline>;
  /** What a reader should know although nothing is wrong. */
  readonly warnings: readonly string[];
}
