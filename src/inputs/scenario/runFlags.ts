import { inputRefusal } from "../../base/inputError.ts";
import type { EpochMs } from "../../base/time.ts";
import { expectedInstantFormat, parseInstantText } from "../../engine/series/csv/parseInstant.ts";
import type { LoadOptions } from "./loadScenario.ts";
import type { ScenarioFiles } from "./parse/loadContext.ts";
import { allowedName } from "./parse/nearestName.ts";
import { readPatch } from "./patch/applyPatch.ts";
import type { ReportFormat } from "./scenario.ts";
import { CSV_DIALECTS, REPORT_FORMATS, TABLE_TIMES } from "./schema/scenarioSchema.ts";

/** Flags of a run that change its scenario or its tables, as texts of the command line. */
export interface RunOptionFlags {
  /** Files with patches, in their order. */
  readonly patch?: readonly string[];
  readonly seed?: number;
  readonly from?: string;
  readonly to?: string;
  readonly format?: string;
  readonly times?: string;
  readonly csv?: string;
}

/** @throws InputErrors that name the flag, or are of a patch */
export function loadOptions(flags: RunOptionFlags, files: ScenarioFiles): LoadOptions {
  return {
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.from === undefined ? {} : { fromMs: instantOf("--from", flags.from) }),
    ...(flags.to === undefined ? {} : { toMs: instantOf("--to", flags.to) }),
    ...(flags.format === undefined ? {} : { formats: formatsOf(flags.format) }),
    ...(flags.times === undefined ? {} : { times: oneOf("--times", flags.times, TABLE_TIMES) }),
    ...(flags.csv === undefined ? {} : { csv: oneOf("--csv", flags.csv, CSV_DIALECTS) }),
    ...(flags.patch === undefined ? {} : { patch: flags.patch.map((path) => readPatch(path, files)) }),
  };
}

export function instantOf(flag: string, text: string): EpochMs {
  const atMs = parseInstantText(text);
  if (Number.isNaN(atMs)) throw inputRefusal(flag, JSON.stringify(text), expectedInstantFormat(text));
  return atMs;
}

function oneOf<Name extends string>(flag: string, text: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === text);
  if (name === undefined) throw inputRefusal(flag, JSON.stringify(text), names.join(" or "));
  return name;
}

function formatsOf(text: string): ReportFormat[] {
  return text.split(",").map((name) => {
    const format = REPORT_FORMATS.find((known) => known === name.trim());
    if (format === undefined)
      throw inputRefusal("--format", JSON.stringify(name), allowedName("a format", name.trim(), REPORT_FORMATS));
    return format;
  });
}
