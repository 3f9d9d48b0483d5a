import { diskFiles } from "../disk/diskFiles.ts";
import { openDocument } from "../openDocument.ts";
import { formatValue } from "../parse/inputError.ts";
import type { ScenarioFiles } from "../parse/scenarioFiles.ts";

/**
 * Reads a patch: a YAML mapping from study path to number (docs/model/studies.md#paths), such as `best.patch.yaml` of a
 * study. Loading a scenario with the patch checks whether its paths exist.
 *
 * @throws InputErrors with all errors
 */
export function readPatch(file: string, files: ScenarioFiles = diskFiles): Readonly<Record<string, number>> {
  const { root, origin, errors } = openDocument(file, "a YAML file of paths and numbers", files);
  const patch = new Map<string, number>();
  const refuse = (at: number, keyPath: string, found: string, allowed: string) =>
    errors.report({ file, ...origin.locate(at), keyPath, found, allowed });
  if (root.kind !== "map") refuse(root.position, "", `a ${root.kind}`, "a mapping from path to number");
  else
    for (const [path, { node }] of root.entries) {
      const value = node.kind === "scalar" ? node.value : null;
      if (typeof value === "number" && Number.isFinite(value)) patch.set(path, value);
      else refuse(node.position, path, node.kind === "scalar" ? formatValue(value) : `a ${node.kind}`, "a number");
    }
  if (errors.count > 0) throw errors.toInputErrors();
  return Object.fromEntries(patch);
}
