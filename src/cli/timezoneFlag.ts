import { IANAZone } from "luxon";
import { inputRefusal } from "../base/inputError.ts";
import { nearestName } from "../inputs/scenario/parse/nearestName.ts";

/**
 * Checks the value of `--tz`, or of another flag.
 *
 * @returns the IANA name in its usual case; `undefined` without the flag
 * @throws InputErrors with similar names
 */
export function timezoneOf(text: string | undefined, flag = "--tz"): string | undefined {
  if (text === undefined) return undefined;
  const names = ["UTC", ...Intl.supportedValuesOf("timeZone")];
  const lower = text.toLowerCase();
  const known = names.find((name) => name.toLowerCase() === lower);
  if (known !== undefined) return known;
  if (IANAZone.isValidZone(text)) return text;
  const near = namesOfPlace(lower.replaceAll(" ", "_"), names) ?? nearestName(text, names);
  const allowed = `an IANA time zone, as in Asia/Tokyo or UTC${near === null ? "" : `; did you mean ${near}`}`;
  throw inputRefusal(flag, JSON.stringify(text), allowed);
}

/** The zone of a city without its region, as in "tokyo". */
const namesOfPlace = (place: string, names: readonly string[]): string | null =>
  names.find((name) => name.toLowerCase().endsWith(`/${place}`)) ?? null;
