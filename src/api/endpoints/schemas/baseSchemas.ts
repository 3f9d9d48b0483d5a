/** Building blocks of the request and answer schemas. */
import type { Static, TNumberOptions, TProperties, TSchema, TSchemaOptions } from "typebox";
import { Type } from "../../../base/schemaType.ts";

export type { Static };

/** A body or a record with exactly these keys. */
export const record = <P extends TProperties>(properties: P, options: TSchemaOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const optional = Type.Optional;
export const listOf = Type.Array;
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const oneOf = <const T extends readonly string[]>(values: T, options: TSchemaOptions = {}) =>
  Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
export const literal = Type.Literal;
export const text = Type.String;
export const integer = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
export const binaryFlag = () => Type.Unsafe<0 | 1>({ type: "integer", enum: [0, 1] });

/** Id of a VPP, a site or a schedule. */
export const ID_PATTERN = "^[0-9a-f]{32}$";
export const id = () => Type.String({ pattern: ID_PATTERN, description: "32 lowercase hexadecimal characters" });

/** An instant in UTC. Answers have whole seconds; fractions in requests are truncated. */
const TIMESTAMP_PATTERN = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$";
export const timestamp = () => Type.String({ format: "date-time", pattern: TIMESTAMP_PATTERN });

/** A power in kW without limits by default; answers have one decimal. */
export const kw = (limits: TNumberOptions = {}) => Type.Number({ description: "kW, receiving positive", ...limits });
export const KW_MAX = 999_999.9;
/** A signed power in a request of the VPP and site v2 APIs. */
export const boundedKw = () => kw({ minimum: -KW_MAX, maximum: KW_MAX });
/** FCR capacity or another unsigned power in a request. */
export const boundedNonNegativeKw = () => Type.Number({ minimum: 0, maximum: KW_MAX });
