import { type EpochMs, isoUtc } from "../../../base/time.ts";
import { expectedInstantFormat, parseInstantText } from "../../../engine/series/csv/parseInstant.ts";
import { formatValue } from "../../../inputs/scenario/parse/inputError.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";

type Query = Readonly<Record<string, string | undefined>>;

/** The parameters of a query, each given once and with one of these names. */
export function readQuery(names: readonly string[], query: unknown): Query {
  const given = (query ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name))
      throw new SessionRefusal(
        400,
        `Found the parameter ${formatValue(name)}, allowed ${names.join(", ") || "none"}`,
        name,
      );
    if (typeof value !== "string") throw new SessionRefusal(400, "Found it more than once, allowed once", name);
  }
  return given as Query;
}

/** A whole number. */
export function readCount(
  name: string,
  text: string | undefined,
  { fallback, min, max }: { readonly fallback: number; readonly min: number; readonly max: number },
): number {
  if (text === undefined) return fallback;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (min <= value && value <= max) return value;
  throw new SessionRefusal(400, `Found ${formatValue(text)}, allowed a whole number from ${min} to ${max}`, name);
}

export function readInstantParameter(
  name: string,
  text: string,
  { minMs, maxMs }: { readonly minMs: EpochMs; readonly maxMs: EpochMs },
): EpochMs {
  const atMs = parseInstantText(text);
  if (Number.isNaN(atMs))
    throw new SessionRefusal(400, `Found ${formatValue(text)}, allowed ${expectedInstantFormat(text)}`, name);
  if (minMs <= atMs && atMs <= maxMs) return atMs;
  const allowed = `an instant from ${isoUtc(minMs)} to ${isoUtc(maxMs)}`;
  throw new SessionRefusal(400, `Found ${isoUtc(atMs)}, allowed ${allowed}`, name);
}
