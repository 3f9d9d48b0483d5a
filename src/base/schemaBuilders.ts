/**
 * Builders for the schemas of the scenario format. One schema serves the checker, the TypeScript types and the JSON Schema
 * for editors. The checker also applies `default` and converts instants and durations into milliseconds.
 */
import type {
  Static,
  TArrayOptions,
  TNumberOptions,
  TObject,
  TProperties,
  TSchema,
  TSchemaOptions,
  TStringOptions,
} from "typebox";
import { Type } from "./schemaType.ts";
import type { EpochMs } from "./time.ts";

/** A mapping with exactly these keys; keys with a default are optional in the file. */
export function strictObject<P extends TProperties>(properties: P, options: TSchemaOptions = {}): TObject<P> {
  const schema = Type.Object(properties, { additionalProperties: false, ...options });
  const required = Object.keys(properties).filter(
    (key) => !Type.IsOptional(properties[key]) && !("default" in properties[key]),
  );
  return Object.assign(schema, { required }) as unknown as TObject<P>;
}

export const optional = Type.Optional;
export const arrayOf = <S extends TSchema>(items: S, options: TArrayOptions = {}) => Type.Array(items, options);

export const enumOf = <const T extends readonly string[]>(values: T, options: TSchemaOptions = {}) =>
  Type.Unsafe<T[number]>({ enum: [...values], ...options });
export const literal = <const T extends string>(value: T) => Type.Unsafe<T>({ const: value });

export const string = (options: TStringOptions = {}) => Type.String(options);
export const boolean = (options: TSchemaOptions = {}) => Type.Boolean(options);
export const number = (options: TNumberOptions = {}) => Type.Number(options);
export const integer = (minimum: number, maximum: number, options: TNumberOptions = {}) =>
  Type.Integer({ minimum, maximum, ...options });
export const nonNegativeNumber = (options: TNumberOptions = {}) => Type.Number({ minimum: 0, ...options });
export const positiveNumber = (options: TNumberOptions = {}) => Type.Number({ exclusiveMinimum: 0, ...options });
export const percentage = (options: TNumberOptions = {}) => Type.Number({ minimum: 0, maximum: 100, ...options });
export const fraction = (options: TNumberOptions = {}) => Type.Number({ minimum: 0, maximum: 1, ...options });
export const efficiency = (options: TNumberOptions = {}) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 1, ...options });

/** Larger than any quantity or price. Products of such numbers, summed over a hundred years, can be written in a table (docs/model/scenario-format.md#figures). */
export const FIGURE_MAX = 1e12;
/** Ten gigawatts: far above any site, and small enough that sums of doubles are exact to the thousandths in reports. */
const RATING_MAX_KW = 10_000_000;
/** A rating that may be 0. */
export const ratingKw = (options: TNumberOptions = {}) =>
  Type.Number({ minimum: 0, maximum: RATING_MAX_KW, ...options });
/** A rating above 0. */
export const positiveRatingKw = (options: TNumberOptions = {}) =>
  Type.Number({ exclusiveMinimum: 0, maximum: RATING_MAX_KW, ...options });
/** At least a watt-hour, the resolution of reports. */
export const capacityKwh = (options: TNumberOptions = {}) =>
  Type.Number({ minimum: 0.001, maximum: 100 * RATING_MAX_KW, ...options });
/** Ramp rate in kW per second or minute. The minimum excludes ramps that are practically a standstill. */
export const rampRate = (options: TNumberOptions = {}) =>
  Type.Number({ minimum: 0.000_001, maximum: RATING_MAX_KW, description: "Absent: instant", ...options });

/** Converted to epoch milliseconds. */
export const instant = (options: TSchemaOptions = {}) =>
  Type.Unsafe<EpochMs>({ type: "string", format: "date-time", ...options });
/** Converted to milliseconds. */
export const duration = (options: TSchemaOptions = {}) =>
  Type.Unsafe<number>({ type: "string", format: "duration", ...options });
/** Converted to milliseconds. JSON Schema cannot express a positive duration, so only the checker applies the minimum. */
export const positiveDuration = (options: TSchemaOptions = {}) => duration({ exclusiveMinimum: 0, ...options });

/** Text in one line: no control characters, and no characters that end a line or turn its direction. */
export const plainText = (minLength: number, maxLength: number, options: TStringOptions = {}) =>
  Type.String({
    pattern: `^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]{${minLength},${maxLength}}$`,
    title: `text of ${minLength === 0 ? "at most" : `${minLength} to`} ${maxLength} characters without control characters`,
    ...options,
  });

/** Names of reports and their folders: 100 characters leave room for the names beside them. */
export const folderName = (options: TStringOptions = {}) =>
  Type.String({
    pattern: "^[a-z0-9][a-z0-9-]{0,99}$",
    title: "at most 100 lowercase letters, digits and -, starting with a letter or digit",
    ...options,
  });
export const IDENTIFIER_PATTERN = "^[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}_-]{0,199}$";
export const IDENTIFIER_BYTES_MAX = 200;
export const IDENTIFIER_TITLE =
  "letters and digits of any script, _ and -, at most 200 bytes, starting with a letter or digit";
/**
 * Names of VPPs and series, and of sites after {n} is substituted (docs/model/scenario-format.md#names). Readers also
 * limit them to IDENTIFIER_BYTES_MAX, which no pattern states.
 */
export const identifier = (options: TStringOptions = {}) =>
  Type.String({
    pattern: IDENTIFIER_PATTERN,
    title: IDENTIFIER_TITLE,
    ...options,
  });
export const hexId = (options: TStringOptions = {}) =>
  Type.String({ pattern: "^[0-9a-f]{32}$", title: "32 lowercase hex digits (in quotes)", ...options });
/** The checker recognizes series references by this title. */
export const SERIES_REFERENCE_TITLE = "a series and its role, as in factory.load_kw";
export const seriesReference = (options: TStringOptions = {}) =>
  Type.String({
    pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}_-]*\\.[^\\s]+$",
    title: SERIES_REFERENCE_TITLE,
    ...options,
  });
export const numberOrSchema = <S extends TSchema>(limits: TNumberOptions, other: S, options: TSchemaOptions = {}) =>
  Type.Union([Type.Number(limits), other], options);

export type { Static };
