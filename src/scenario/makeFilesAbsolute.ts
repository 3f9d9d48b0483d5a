import { resolveBeside } from "./parse/scenarioFiles.ts";

type Mapping = Record<string, unknown>;

/**
 * Replaces the file names in a scenario document by absolute paths, in place, so that the document can be written to
 * another folder.
 *
 * @param document  the parsed YAML; no key other than `file` and `settlement.parameters` names a file
 * @param file      path of the scenario file
 */
export function makeFilesAbsolute(document: Mapping, file: string): void {
  for (const key of ["series", "sites", "awards", "bids", "instructions", "events"]) makeAbsolute(document[key], file);
  const settlement = document.settlement as Mapping | undefined;
  const parameters = settlement?.parameters;
  if (settlement !== undefined && typeof parameters === "string" && parameters.endsWith(".yaml"))
    settlement.parameters = resolveBeside(file, parameters);
}

/** Components of a site may name files of their own. */
function makeAbsolute(entry: unknown, file: string): void {
  if (typeof entry !== "object" || entry === null) return;
  for (const [key, value] of Object.entries(entry)) {
    if (key === "file" && typeof value === "string") (entry as Mapping).file = resolveBeside(file, value);
    else makeAbsolute(value, file);
  }
}
