import type { WorldSpec } from "../simulation/worldSpec.ts";
import type { DayBaseline } from "./build/dayBaselineBuilder.ts";

export type ReportFormat = "csv" | "json" | "html" | "parquet";

/** Report options. */
export interface ReportSpec {
  readonly intervalMs: number;
  /** `null`: no power series. */
  readonly powerIntervalMs: number | null;
  readonly formats: readonly ReportFormat[];
  /** File stems that are not written. */
  readonly omit: readonly string[];
}

/** A scenario with every file that it names, read, checked and with defaults applied. */
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
  /** By site name: derivation of baselines from past days. */
  readonly dayBaselines: ReadonlyMap<string, DayBaseline>;
  /** Remarks on a valid scenario. */
  readonly warnings: readonly string[];
}
