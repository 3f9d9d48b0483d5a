// Parses a row of a report's awards table back into an AwardRow.

import type { AwardRow, AwardState, FcrFigures } from "../../accounting/runRecord.ts";
import { CAUSES } from "../../accounting/settlement/causes.ts";
import { SKUS, type Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import { formatValue, inputRefusal } from "../../inputs/scenario/parse/inputError.ts";
import { type CsvRow, readNumberCell } from "../compare/readReport.ts";
import { parseRefusalKind } from "../refusalText.ts";

const STATES: readonly AwardState[] = ["pending", "running", "completed", "overwritten", "deleted", "refused"];

/**
 * @param file  named in errors
 * @throws InputErrors if a required cell is missing or invalid
 */
export function parseAwardRow(row: CsvRow, file: string): AwardRow {
  const state = STATES.find((name) => name === row.state);
  if (state === undefined) throw wrongCell(file, row, "state", STATES.join(", "));
  const sku = SKUS.find((name) => name === row.sku) ?? null;
  return {
    awardId: row.award_id,
    kind: row.kind === "instruction" ? "instruction" : "award",
    vpp: row.vpp ?? "",
    sku,
    startMs: parseInstantCell(row, "start", file),
    endMs: parseInstantCell(row, "end", file),
    requestedKw: readNumberCell(row, "requested_kw") ?? 0,
    isFcr: sku === "fcr",
    fcr: parseFcrFigures(row, sku),
    uncoveredKw: readNumberCell(row, "uncovered_kw"),
    uncoveredKwPeak: readNumberCell(row, "uncovered_kw_peak"),
    uncoveredPeakMs: row.uncovered_peak_at ? parseInstantCell(row, "uncovered_peak_at", file) : null,
    requestedKwh: readNumberCell(row, "requested_kwh"),
    deliveredKwh: readNumberCell(row, "delivered_kwh"),
    shortfallKwh: readNumberCell(row, "shortfall_kwh"),
    excessKwh: readNumberCell(row, "excess_kwh"),
    compliancePct: readNumberCell(row, "compliance_pct"),
    executedMinutes: readNumberCell(row, "executed_minutes") ?? 0,
    state,
    overwrittenBy: row.overwritten_by || null,
    errorType: parseRefusalKind(row.error_type),
    shortfallByCauseKwh: Float64Array.from(CAUSES, (cause) => readNumberCell(row, `shortfall_${cause}_kwh`) ?? 0),
    uncoveredByCauseKw: Float64Array.from(CAUSES, (cause) => readNumberCell(row, `uncovered_${cause}_kw`) ?? 0),
    topContributors: parseTopContributors(row.most_lacking_kwh ?? ""),
  };
}

/** `null` for an award without frequency response; figures missing in reports of older versions are `null` inside. */
function parseFcrFigures(row: CsvRow, sku: Sku | null): FcrFigures | null {
  const isFcr = sku === "fcr";
  const responseKw = readNumberCell(row, "fcr_response_kw") ?? (isFcr ? readNumberCell(row, "requested_kw") : null);
  if (responseKw === null) return null;
  const causesKw = parseCauseAmounts(row.fcr_uncovered_causes_kw ?? "");
  return {
    responseKw,
    uncoveredKw: readNumberCell(row, "fcr_uncovered_kw") ?? (isFcr ? readNumberCell(row, "uncovered_kw") : null),
    activatedUpKwh: readNumberCell(row, "fcr_activated_up_kwh"),
    activatedDownKwh: readNumberCell(row, "fcr_activated_down_kwh"),
    minutesAtBound: readNumberCell(row, "fcr_minutes_at_bound"),
    meanResponseKw: readNumberCell(row, "fcr_mean_response_kw"),
    uncoveredByCauseKw: Float64Array.from(
      CAUSES,
      (cause) => (isFcr ? readNumberCell(row, `uncovered_${cause}_kw`) : causesKw.get(cause)) ?? 0,
    ),
  };
}

/** Parses `incompatible 20.000; energy_limit 5.500`. */
const parseCauseAmounts = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split("; ").map((part) => {
      const [cause, kw] = part.split(" ");
      return [cause, Number(kw)];
    }),
  );

/** `null` if the text is not an `error_type`. */
/** @throws InputErrors if the cell is not an instant */
export function parseInstantCell(row: CsvRow, column: string, file: string): EpochMs {
  const atMs = Date.parse(row[column] ?? "");
  if (Number.isNaN(atMs)) throw wrongCell(file, row, column, "an instant in UTC");
  return atMs;
}

/** Parses the column `most_lacking_kwh`; keeps its order. */
function parseTopContributors(text: string): AwardRow["topContributors"] {
  return text.split("; ").flatMap((part) => {
    const [site, causeName, kwh] = part.split(" ");
    const cause = CAUSES.find((name) => name === causeName);
    return cause === undefined ? [] : [{ site, cause, kwh: Number(kwh) }];
  });
}

const wrongCell = (file: string, row: CsvRow, column: string, allowed: string) =>
  inputRefusal({ file, keyPath: column }, formatValue(row[column]), allowed);
