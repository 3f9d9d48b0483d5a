import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inputRefusal } from "../../inputs/scenario/parse/inputError.ts";

/** Relative to src/live/drill and to dist/live/drill alike. */
const SHIPPED = fileURLToPath(new URL("../../../scenarios/drills/", import.meta.url));

/** Files of shipped drills by name. */
export const shippedDrills = (): string[] =>
  readdirSync(SHIPPED)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => join(SHIPPED, file));

/**
 * The file of a drill: a path, or the name of a shipped drill.
 *
 * @throws InputErrors
 */
export function drillFileOf(nameOrFile: string): string {
  if (existsSync(nameOrFile) || /[/\\.]/.test(nameOrFile)) return nameOrFile;
  const shipped = join(SHIPPED, `${nameOrFile}.yaml`);
  if (existsSync(shipped)) return shipped;
  const names = shippedDrills().map((file) => file.slice(SHIPPED.length, -".yaml".length));
  throw inputRefusal(nameOrFile, "no such drill", `a drill file, or one of ${names.join(", ")}`);
}
