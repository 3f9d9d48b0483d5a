/**
 * The words that the format's schemas are made of. One schema serves three readers: the checker (which also fills in
 * `default` and turns instants and durations into milliseconds), TypeScript, and the JSON Schema for editors.
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

/** A mapping with exactly these keys; those with a default need not be written. */
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

/** Ten gigawatts: far above any site, and sums of doubles still keep the thousandths that reports print. */
const RATING_MAX_KW = 10_000_000;
/** A rating that may be nothing. */
export const ratingKw = (options: TNumberOptions = {}) =>
  Type.Number({ minimum: 0, maximum: RATING_MAX_KW, ...options });
/** One without which the thing is none. */
export const positiveRatingKw = (options: TNumberOptions = {}) =>
  Type.Number({ exclusiveMinimum: 0, maximum: RATING_MAX_KW, ...options });
export const capacityKwh = (options: TNumberOptions = {}) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 100 * RATING_MAX_KW, ...options });
/** kW a second or a minute; slower than a watt in a quarter of an hour is no ramp but a standstill. */
export const rampRate = (options: TNumberOptions = {}) =>
  Type.Number({ minimum: 0.000_001, maximum: RATING_MAX_KW, description: "Absent: instant", ...options });

/** Read as epoch milliseconds. */
export const instant = (options: TSchemaOptions = {}) =>
  Type.Unsafe<EpochMs>({ type: "string", format: "date-time", ...options });
/** Read as milliseconds. */
export const duration = (options: TSchemaOptions = {}) =>
  Type.Unsafe<number>({ type: "string", format: "duration", ...options });
/** Read as milliseconds; JSON Schema has no word for "longer than nothing", the checker reads the minimum. */
export const positiveDuration = (options: TSchemaOptions = {}) => duration({ exclusiveMinimum: 0, ...options });

export const IDENTIFIER_PATTERN = "^[A-Za-z0-9][A-Za-z0-9_-]*$";
/** Names of VPPs and series; of sites once {n} is filled in (docs/model/scenario-format.md#names). */
export const identifier = (options: TStringOptions = {}) =>
  Type.String({
    pattern: IDENTIFIER_PATTERN,
    title: "letters, digits, - and _, starting with a letter or digit",
    ...options,
  });
export const hexId = (options: TStringOptions = {}) =>
  Type.String({ pattern: "^[0-9a-f]{32}$", title: "32 lowercase hex digits (in quotes)", ...options });
/** Also how the checker knows such a text. */
export const SERIES_REFERENCE_TITLE = "a series and its role, as in factory.load_kw";
export const seriesReference = (options: TStringOptions = {}) =>
  Type.String({
    pattern: "^[A-Za-z0-9][A-Za-z0-9_-]*\\.[^\\s]+$",
    title: SERIES_REFERENCE_TITLE,
    ...options,
  });
export const numberOrSchema = <S extends TSchema>(limits: TNumberOptions, other: S, options: TSchemaOptions = {}) =>
  Type.Union([Type.Number(limits), other], options);

export type { Static };
