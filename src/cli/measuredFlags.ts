import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { inputRefusal } from "../base/inputError.ts";
import { ratedKwOf } from "../engine/site/components/ratedKwOf.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { diskFiles } from "../platform/node/diskFiles.ts";
import { type Measured, readMeasured } from "../twin/measured/measuredFile.ts";
import { printWarning } from "./printWarning.ts";

export interface MeasuredFlags {
  readonly measured?: readonly string[];
  readonly fromImport?: boolean;
  readonly label?: "start" | "end";
}

/** The series of `--measured` or `--from-import`. @throws InputErrors */
export async function measuredOf(scenario: Scenario, flags: MeasuredFlags): Promise<Measured> {
  const paths = flags.fromImport === true ? importedFiles(dirname(scenario.file)) : (flags.measured ?? []);
  if (paths.length === 0) throw inputRefusal("--measured", "no file", "--measured FILE, or --from-import");
  const { sites } = scenario.world;
  const siteNames = sites.map(({ name }) => name);
  const ratingsKw = new Map(sites.map(({ name, components }) => [name, ratedKwOf(components)]));
  const label = flags.label === undefined ? {} : { label: flags.label };
  const measured = await readMeasured(paths, { files: diskFiles, siteNames, ratingsKw, ...label });
  for (const warning of measured.warnings) printWarning(warning);
  return measured;
}

function importedFiles(folder: string): string[] {
  const measured = join(folder, "measured");
  const names = existsSync(measured)
    ? readdirSync(measured).filter((name) => /\.(csv|csv\.gz|parquet)$/.test(name))
    : [];
  if (names.length === 0)
    throw inputRefusal("--from-import", `no series in ${measured}`, "a scenario that vppsim twin import wrote");
  return names.sort().map((name) => join(measured, name));
}
