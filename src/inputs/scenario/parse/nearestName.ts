import { distance as editDistance } from "fastest-levenshtein";
import { formatNameList } from "../../../base/inputError.ts";

/**
 * The known name that a mistyped one most likely meant.
 *
 * @returns a name that differs in case and separators only; `null` where no name is within two edits (one of a word below four letters) or a third of the letters
 */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const plain = plainSpelling(typed);
  const same = names.find((name) => plainSpelling(name) === plain);
  if (same !== undefined) return same;
  let best: string | null = null;
  let bestDistance = Math.max(typed.length < 4 ? 1 : 2, Math.floor(typed.length / 3)) + 1;
  for (const name of names) {
    const distance = nameDistance(typed, name);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** A name without case and separators, so that FRR, Battery, Delta_kW and exchange_da are recognised. */
const plainSpelling = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, "");

/** A missing or additional last word, such as a unit, counts as one edit. */
function nameDistance(typed: string, name: string): number {
  if (name.startsWith(`${typed}_`) || typed.startsWith(`${name}_`)) return 1;
  return editDistance(typed, name);
}

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
