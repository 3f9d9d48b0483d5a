import { formatNameList } from "./inputError.ts";
import { nearestName } from "./nearestName.ts";

/** What a file may have in place of a wrong name of a key figure: one of `names`, and the one that was most likely meant. */
export function allowedKpis(typed: string, names: readonly string[]): string {
  const meant = nearestName(typed, names);
  return `a figure of summary.json${meant === null ? "" : ` (did you mean ${meant}?)`}: ${formatNameList(names)}`;
}
