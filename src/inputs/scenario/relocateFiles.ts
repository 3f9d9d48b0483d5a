type Mapping = Record<string, unknown>;

/**
 * Renames the files in a scenario document, in place, so that the document can be written to another folder.
 *
 * @param document  the parsed YAML; no key other than `file` and `settlement.parameters` names a file
 * @param rename    returns the new path of a file for the path in the document
 */
export function relocateFiles(document: Mapping, rename: (path: string) => string): void {
  for (const key of ["series", "sites", "awards", "bids", "instructions", "events"]) relocate(document[key], rename);
  const settlement = document.settlement as Mapping | undefined;
  const parameters = settlement?.parameters;
  if (settlement !== undefined && typeof parameters === "string" && parameters.endsWith(".yaml"))
    settlement.parameters = rename(parameters);
}

/** Components of a site may name files of their own. */
function relocate(entry: unknown, rename: (path: string) => string): void {
  if (typeof entry !== "object" || entry === null) return;
  for (const [key, value] of Object.entries(entry)) {
    if (key === "file" && typeof value === "string") (entry as Mapping).file = rename(value);
    else relocate(value, rename);
  }
}
