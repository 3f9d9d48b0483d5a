import type { Language } from "../../base/language.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Series } from "../../engine/series/model/series.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { NumberOrSeries } from "../../engine/vpp/instructions/instructionSpec.ts";
import type { BidSlot } from "../../market/clearBid.ts";
import type { SettlementSpec } from "../../market/settlementSpec.ts";
import type { DayBaseline } from "./build/dayBaselineBuilder.ts";
import type { Remark } from "./checks/remark.ts";
import type { SettingGroup } from "./effectiveSettings.ts";
import type { Patch } from "./patch/patchValue.ts";
import type { SessionConfig } from "./schema/injectSchema.ts";
import type { CSV_DIALECTS, REPORT_FORMATS, TABLE_TIMES } from "./schema/scenarioSchema.ts";
import type { SessionAlarms } from "./sessionAlarms.ts";

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Report options. */
export interface ReportSpec {
  readonly intervalMs: number;
  /** `null`: no power series. */
  readonly powerIntervalMs: number | null;
  readonly formats: readonly ReportFormat[];
  /** `null`: UTC, but local in files for a spreadsheet. */
  readonly times: (typeof TABLE_TIMES)[number] | null;
  readonly csv: (typeof CSV_DIALECTS)[number];
  /** File stems that are not written. */
  readonly omit: readonly string[];
}

/** Flags of a run that change its results, as the key `options` of run.json has them; absent ones were not given. */
export interface Overrides {
  readonly seed?: number;
  /** ISO 8601 in UTC. */
  readonly from?: string;
  readonly to?: string;
  /** Values by study path; several patches in their order. */
  readonly patch?: Patch | readonly Patch[];
  readonly times?: "utc" | "local";
  readonly csv?: "plain" | "excel";
  /** Keys of `investment`. */
  readonly investment?: Readonly<Record<string, number>>;
}

/** A scenario with every file that it names, read, checked and with defaults applied. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** IANA name; for market days and printing only. */
  readonly timezone: string;
  /** Of pages and printed texts. */
  readonly language: Language;
  /** Absolute path of the file it came from. */
  readonly file: string;
  /** What the command line gave in place of the file's keys. */
  readonly overrides: Overrides;
  /** SHA-256 in hex of all files read for it, itself included, by absolute path. */
  readonly inputFiles: ReadonlyMap<string, string>;
  readonly world: WorldSpec;
  readonly report: ReportSpec;
  /** Market result of each bid, slot by slot, in file order. The awards of accepted slots are in `world`. */
  readonly bids: readonly BidSlot[];
  /** `null`: the run is not settled. */
  readonly settlement: SettlementSpec | null;
  /** Expected price per kWh, for plans; `null`: none is given. It changes no run. */
  readonly priceForecast: Series | null;
  /** Reserve prices by product per kW and 30 minutes, for plans. They change no run. */
  readonly reservePrices: ReadonlyMap<Sku, NumberOrSeries>;
  /** Names of the sites that follow the plan of `vppsim plan`. */
  readonly plannedSites: ReadonlySet<string>;
  /** Start of the session whose export this is, if it lies within the run; else `null`. */
  readonly sessionOpenedMs: EpochMs | null;
  /** Commands of the session whose export this is, in the order in which they acted. They change no run. */
  readonly sessionCommands: SessionConfig["commands"];
  /** Alarms of the session whose export this is; `null`: it is none. */
  readonly sessionAlarms: SessionAlarms | null;
  /** SHA-256 of the effective scenario: canonical JSON with digests of its series, awards and events (docs/model/report-files.md#formats). */
  readonly hash: string;
  /** The effective values, for scenario.json; computed on each call. */
  readonly settings: () => Iterable<SettingGroup>;
  /** By site name: derivation of baselines from past days. */
  readonly dayBaselines: ReadonlyMap<string, DayBaseline>;
  /** Messages of the remarks that are warnings, for the report. */
  readonly warnings: readonly string[];
  /** Findings of the plausibility checks, with their places (docs/model/scenario-format.md#checks). */
  readonly remarks: readonly Remark[];
}
