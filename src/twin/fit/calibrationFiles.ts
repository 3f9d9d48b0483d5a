import { type EpochMs, isoUtc } from "../../base/time.ts";
import { parseInstantText } from "../../engine/series/csv/parseInstant.ts";
import type { MeasuredFile } from "../measured/measuredFile.ts";
import { type Calibration, type CalibrationOptions, parameterSets, patched } from "./calibrate.ts";

export interface CalibrationSource extends CalibrationOptions {
  readonly scenarioHash: string;
  readonly files: readonly MeasuredFile[];
  /** Of what was fitted. */
  readonly period: Period;
}

interface Period {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

/** More digits than any interval is wide. */
const DIGITS = 6;
export const printedValue = <Value extends number | string | null>(value: Value): Value | number =>
  typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value;

/** Parameter sets for `twin check`. */
const CHECKED_SETS = 50;

/** calibration.json (docs/model/twin.md#calibration-files). */
export function calibrationJson(calibration: Calibration, source: CalibrationSource): string {
  const { parameters, fits } = calibration;
  const { level, resamples, seed, scenarioHash, files } = source;
  const document = {
    format: "vppsim-calibration",
    version: 1,
    level,
    resamples,
    seed,
    scenario_hash: scenarioHash,
    measured: files.map(({ file, sha256, fromMs, toMs, rows }) => {
      return { file, sha256, from: isoUtc(fromMs), to: isoUtc(toMs), rows };
    }),
    parameters: parameters.map(({ site, component, parameter, path, unit, status, why, method, samples, ...row }) => ({
      site,
      component,
      parameter,
      path,
      unit,
      before: printedValue(row.before),
      value: printedValue(row.value),
      low: printedValue(row.low),
      high: printedValue(row.high),
      status,
      why,
      method,
      samples,
    })),
    draws: parameterSets(calibration, CHECKED_SETS).map((set) =>
      Object.fromEntries(Object.entries(set).map(([path, value]) => [path, printedValue(value)])),
    ),
    fits: fits.map(({ site, quantity, unit, maeBefore, maeAfter, rows }) => {
      return { site, quantity, unit, mae_before: printedValue(maeBefore), mae_after: printedValue(maeAfter), rows };
    }),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

const FITTED = "# Fitted by vppsim twin calibrate from ";

/** calibration.patch.yaml: identified parameters with a path. Its first line names the fitted period. */
export function calibrationPatch(calibration: Calibration, { period: { fromMs, toMs } }: CalibrationSource): string {
  const rows = patched(calibration);
  const lines = rows.map(({ path, value, low, high, unit }) => {
    const interval = low === null || high === null ? "" : ` # ${printedValue(low)} to ${printedValue(high)} ${unit}`;
    return `${JSON.stringify(path)}: ${printedValue(value)}${interval}`;
  });
  const body = rows.length === 0 ? ["# Nothing was identifiable; calibration.json says why.", "{}"] : lines;
  return `${[`${FITTED}${isoUtc(fromMs)} to ${isoUtc(toMs)}`, ...body].join("\n")}\n`;
}

/** The fitted period that a patch names; `null`: it names none. */
export function fittedPeriodOf(patchText: string): Period | null {
  const line = patchText.split("\n").find((text) => text.startsWith(FITTED));
  const [fromMs = Number.NaN, toMs = Number.NaN] = (line ?? "")
    .slice(FITTED.length)
    .split(" to ")
    .map(parseInstantText);
  return Number.isNaN(fromMs + toMs) ? null : { fromMs, toMs };
}
