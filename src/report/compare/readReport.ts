// Reads and checks the files of a report that a comparison needs.
import { platform } from "#platform";
import type { KpiValue } from "../../accounting/kpis/kpi.ts";
import { isKpiName, KPI_NAMES, type KpiName, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import { utf8Text } from "../../base/bytes.ts";
import { baseName, CURRENCIES, type Currency, moneyName } from "../../base/currency.ts";
import { formatValue, type InputErrors, inputRefusal } from "../../base/inputError.ts";
import type { Language } from "../../base/language.ts";
import { join } from "../../base/paths.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Settings } from "../../inputs/scenario/effectiveSettings.ts";
import { allowedKpis } from "../../inputs/scenario/parse/nearestName.ts";
import { isPatchValue, type Patch, type PatchValue } from "../../inputs/scenario/patch/patchValue.ts";
import { RUN_FILE } from "../../platform/files.ts";
import { refuseChangedContent } from "../reportFiles.ts";

export interface ReportSummary {
  readonly scenario: {
    readonly name: string;
    readonly hash: string;
    /** IANA name; `null` in reports of older versions. */
    readonly timezone: string | null;
    readonly language: Language;
  };
  readonly seed: number;
  readonly currency: Currency;
  readonly period: { readonly start: string; readonly end: string };
  /** A report of an older version may have fewer. */
  readonly kpis: ReadonlyMap<KpiName, KpiValue>;
  /** `null`: no session opened within the run. */
  readonly session: SessionSummary | null;
}

/** The shortfall until a session opened, of the awards that were in force then. */
interface SessionSummary {
  readonly openedMs: EpochMs;
  readonly awards: ReadonlyMap<string, ShortfallBefore>;
}

/** Energies in kWh, at least 0. */
export interface ShortfallBefore {
  readonly beforeKwh: number;
  /** By cause; empty in reports that do not divide causes. */
  readonly byCauseKwh: ReadonlyMap<string, number>;
}

/** @throws InputErrors if the folder is not the report of a finished run */
export function readReportSummary(dir: string): ReportSummary {
  const file = join(dir, "summary.json");
  platform.restoreReport(dir);
  if (!platform.exists(dir)) throw inputRefusal(dir, "no such folder", "the report folder of a run");
  if (!platform.exists(file)) throw inputRefusal(dir, "no summary.json in it", "the report folder of a run");
  const root = asMapping(parsed(file), file, "");
  if (root.study !== undefined)
    throw inputRefusal(dir, "the report of a study", "the report folder of a run; run candidates with --patch");
  const scenario = asMapping(root.scenario, file, "scenario");
  const period = asMapping(root.period, file, "period");
  const kpis = asMapping(root.kpis, file, "kpis");
  return {
    scenario: {
      name: asText(scenario.name, file, "scenario.name"),
      hash: asText(scenario.hash, file, "scenario.hash"),
      timezone: typeof scenario.timezone === "string" ? scenario.timezone : null,
      language: scenario.language === "ja" ? "ja" : "en",
    },
    seed: asNumber(root.seed, file, "seed"),
    currency: CURRENCIES.find((currency) => moneyName("profit_jpy", currency) in kpis) ?? "JPY",
    period: { start: asText(period.start, file, "period.start"), end: asText(period.end, file, "period.end") },
    kpis: kpisOf(kpis, file),
    session: root.session === undefined ? null : sessionOf(asMapping(root.session, file, "session"), file),
  };
}

function sessionOf(session: Readonly<Record<string, unknown>>, file: string): SessionSummary {
  const openedMs = Date.parse(asText(session.opened_at, file, "session.opened_at"));
  if (Number.isNaN(openedMs)) throw wrong(session.opened_at, file, "session.opened_at", "an instant");
  const beforeOf = (part: Readonly<Record<string, unknown>>, path: string): number =>
    asNumber(part.shortfall_before_kwh, file, `${path}.shortfall_before_kwh`);
  const awards = mappingsOf(session.awards_in_force, file, "session.awards_in_force").map(
    ([award, path]): [string, ShortfallBefore] => {
      const causes = award.causes === undefined ? [] : mappingsOf(award.causes, file, `${path}.causes`);
      const byCauseKwh = new Map(
        causes.map(([part, at]) => [asText(part.cause, file, `${at}.cause`), beforeOf(part, at)]),
      );
      return [asText(award.award_id, file, `${path}.award_id`), { beforeKwh: beforeOf(award, path), byCauseKwh }];
    },
  );
  return { openedMs, awards: new Map(awards) };
}

/** The mappings of a list, each with its key path. */
function mappingsOf(list: unknown, file: string, keyPath: string): [Readonly<Record<string, unknown>>, string][] {
  if (!Array.isArray(list)) throw wrong(list, file, keyPath, "a list");
  return list.map((item, k) => [asMapping(item, file, `${keyPath}[${k}]`), `${keyPath}[${k}]`]);
}

/** The settings in scenario.json; `null` in reports of older versions. @throws InputErrors if the file is not valid */
export function readSettings(dir: string): Settings | null {
  const file = join(dir, "scenario.json");
  if (!platform.exists(file)) return null;
  const settings = asMapping(asMapping(parsed(file), file, "").settings, file, "settings");
  for (const [path, value] of Object.entries(settings))
    if (!["number", "string", "boolean"].includes(typeof value)) throw wrong(value, file, path, "a single value");
  // Checked above: values are numbers, texts and flags.
  return settings as Settings;
}

/** The patch of the run in run.json; `null` where there is none. */
export function readPatchOf(dir: string): Patch | null {
  const file = join(dir, RUN_FILE);
  if (!platform.exists(file)) return null;
  const { options } = asMapping(parsed(file), file, "");
  const { patch } = options === undefined ? {} : asMapping(options, file, "options");
  if (patch === undefined) return null;
  const values = [patch].flat().flatMap((given) => Object.entries(asMapping(given, file, "options.patch")));
  return Object.fromEntries(values.filter((entry): entry is [string, PatchValue] => isPatchValue(entry[1])));
}

function parsed(file: string): unknown {
  const content = platform.files.read(file);
  if (content === null) throw inputRefusal(file, "a file that cannot be read", "a file of a report");
  refuseChangedContent(file, content);
  try {
    return JSON.parse(utf8Text(content));
  } catch {
    throw inputRefusal(file, "text that is not JSON", "one JSON object");
  }
}

/** Instants stay ISO texts. */
function kpisOf(kpis: Readonly<Record<string, unknown>>, file: string): ReadonlyMap<KpiName, KpiValue> {
  return new Map(
    Object.entries(kpis).map(([written, value]) => {
      const name = baseName(written);
      if (!isKpiName(name)) throw wrong(name, file, "kpis", allowedKpis(name, KPI_NAMES));
      const asValue = kpiOf(name).kind === "number" ? asNumber : asText;
      return [name, value === null ? null : asValue(value, file, `kpis.${name}`)];
    }),
  );
}

function asMapping(value: unknown, file: string, keyPath: string): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw wrong(value, file, keyPath, "a mapping");
  // Checked above: an object that is not a list.
  return value as Readonly<Record<string, unknown>>;
}

function asText(value: unknown, file: string, keyPath: string): string {
  if (typeof value !== "string") throw wrong(value, file, keyPath, "text");
  return value;
}

function asNumber(value: unknown, file: string, keyPath: string): number {
  if (typeof value !== "number") throw wrong(value, file, keyPath, "a number");
  return value;
}

const wrong = (value: unknown, file: string, keyPath: string, allowed: string): InputErrors =>
  inputRefusal({ file, keyPath }, formatValue(value), allowed);
