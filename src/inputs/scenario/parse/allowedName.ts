import { formatNameList } from "./inputError.ts";
import { nearestName } from "./nearestName.ts";

/**
 * Describes the allowed names in place of a wrong one, with the name that was probably meant.
 *
 * @param what  such as "a site of the scenario"
 */
export function allowedName(what: string, typed: string, names: readonly string[]): string {
  const meant = nearestName(typed, names);
  return `${what}${meant === null ? "" : ` (did you mean ${meant}?)`}: ${formatNameList(names) || "there is none"}`;
}

/** Describes the allowed key figures in place of a wrong name. */
export const allowedKpis = (typed: string, names: readonly string[]): string =>
  allowedName("a figure of summary.json", typed, names);
