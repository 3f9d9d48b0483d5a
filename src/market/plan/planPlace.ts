import { utf8Text } from "../../base/bytes.ts";
import { basename, isAbsolute, join, relative, resolve } from "../../base/paths.ts";
import type { ScenarioFiles } from "../../inputs/scenario/parse/loadContext.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import type { PlanOptions } from "./planOptions.ts";

export const PLAN_JSON = "plan.json";

/** Where a plan is written, and the name of its scenario, by which a run of it names the report. */
export interface PlanPlace {
  readonly folder: string;
  /** What the scenario and older plans are read from. */
  readonly files: ScenarioFiles;
  readonly name: string;
  /** Files of the patches that the scenario was planned with. */
  readonly patches: readonly string[];
}

/**
 * The place of a plan (docs/model/planning.md#name).
 *
 * @param out  folder that the user gave; absent: the first in `plans/` that has no plan, or an older one of the same
 *   scenario file and options
 */
export function planPlace(
  scenario: Scenario,
  options: PlanOptions,
  files: ScenarioFiles,
  { out, patches }: { readonly out: string | undefined; readonly patches: readonly string[] },
): PlanPlace {
  if (out !== undefined) return { files, folder: out, name: planName(scenario.name, folderWords(out)), patches };
  for (let count = 1; ; count++) {
    const name = planName(scenario.name, count === 1 ? "" : `-${count}`);
    const place = { files, folder: join("plans", name), name, patches };
    const origin = originIn(files, place.folder);
    if (origin === null || origin === JSON.stringify(planOrigin(scenario, options, place))) return place;
  }
}

/** What a plan was computed from, its files by paths from the folder of the plan. */
export function planOrigin(
  { file }: Scenario,
  options: PlanOptions,
  { folder, patches }: Pick<PlanPlace, "folder" | "patches">,
): object {
  const fromFolder = (path: string): string => relative(resolve(folder), resolve(path));
  return {
    file: fromFolder(file),
    ...(patches.length === 0 ? {} : { patches: patches.map(fromFolder) }),
    options,
  };
}

/** Names of scenarios have at most 100 characters. */
const planName = (name: string, suffix: string): string => `${name.slice(0, 95 - suffix.length)}-plan${suffix}`;

/** The words of a path, without folders outside the working directory, in the characters of a name. */
function folderWords(out: string): string {
  const path = isAbsolute(out) || out.includes("..") ? basename(resolve(out)) : out;
  return (path.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .map((word) => `-${word}`)
    .join("")
    .slice(-50);
}

/** The origin of the plan in a folder, as JSON; `null` without a plan. */
function originIn(files: ScenarioFiles, folder: string): string | null {
  try {
    return JSON.stringify(JSON.parse(utf8Text(files.read(join(folder, PLAN_JSON)) ?? new Uint8Array())).origin);
  } catch {
    return null;
  }
}
