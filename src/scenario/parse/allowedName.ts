import { formatNameList } from "./inputError.ts";
import { nearestName } from "./nearestName.ts";

/**
 * What a file may have in place of a wrong name: one of `names`, and the one that was most likely meant.
 *
 * @param what  such as "a site of the scenario"
 */
export function allowedName(what: string, typed: string, names: readonly string[]): string {
  const meant = nearestName(typed, names);
  return `${what}${meant === null ? "" : ` (did you mean ${meant}?)`}: ${formatNameList(names) || "there is none"}`;
}

/** In place of a wrong name of a key figure. */
export const allowedKpis = (typed: string, names: readonly string[]): string =>
  allowedName("a figure of summary.json", typed, names);
