import type { Static, TNumberOptions, TProperties, TSchema, TSchemaOptions } from "typebox";
import { Type } from "../../../base/schemaType.ts";
import { SKUS } from "../../../base/sku.ts";

/** Building blocks of the request and answer schemas. */

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

/** Quantities common to the answers of all three APIs. A quantity that does not apply to a kind is absent or null. */

export const nullableKw = () => nullable(kw());
export const kwh = () => Type.Number({ description: "kWh" });
export const nonNegativeKwh = () => Type.Number({ minimum: 0, description: "kWh" });
export const nonNegativeKw = () => Type.Number({ minimum: 0, description: "kW" });
export const pct = () => Type.Number({ minimum: 0, maximum: 100, description: "%" });
export const integerPct = () => Type.Integer({ minimum: 0, maximum: 100, description: "%" });
export const serviceStatus = () =>
  Type.Unsafe<0 | 9>({ type: "integer", enum: [0, 9], description: "0 in service, 9 out" });
export const irradianceWm2 = () => nullable(Type.Number({ minimum: 0, description: "W/m²" }));
export const frequencyHz = () => Type.Number({ description: "Hz" });

/** A market product, or `mixed` where several are active. */
export const activeSku = () => nullable(oneOf([...SKUS, "mixed"]));

/** Result of an execution for a member. */
export const EXECUTED_STATUSES = [
  "dispatched",
  "skipped_out_of_service",
  "skipped_incompatible",
  "skipped_weight_zero",
  "skipped_baseline_missing",
  "failed",
] as const;
/** The same, or that a schedule has not been executed. */
export const DISPATCH_STATUSES = [...EXECUTED_STATUSES, "pending"] as const;

/** kW of each product in a compound award, recorded for audit. */
export const CompoundBreakdown = Type.Record(Type.String(), Type.Number());
export const compoundBreakdown = () => CompoundBreakdown;

/** A block or record in which every key is optional. */
export const partialRecord = <P extends Parameters<typeof record>[0]>(properties: P) =>
  Type.Partial(record(properties));

/** Bodies of history requests. Retention, lengths and counts are checked by rules, not by the schema. */

const oneOfSeconds = <const T extends readonly number[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: "integer", enum: [...values] });

const period = {
  request_id: optional(text({ maxLength: 256 })),
  start_time: timestamp(),
  end_time: timestamp(),
};

const powerInterval = () => optional(oneOfSeconds([1, 60, 1800, 3600, 86_400]));
const energyInterval = () => optional(oneOfSeconds([1800, 3600, 86_400]));
const choice = {
  ems_ids: optional(listOf(id(), { minItems: 1 })),
  include_components: optional(Type.Boolean()),
};

export const VppPowerRequest = record({ ...period, interval_seconds: powerInterval(), ...choice });
export type VppPowerRequest = Static<typeof VppPowerRequest>;

export const VppEnergyRequest = record({ ...period, interval_seconds: energyInterval(), ...choice });
export type VppEnergyRequest = Static<typeof VppEnergyRequest>;

export const SitePowerRequest = record({ ...period, interval_seconds: powerInterval() });
export type SitePowerRequest = Static<typeof SitePowerRequest>;

export const SiteEnergyRequest = record({ ...period, interval_seconds: energyInterval() });
export type SiteEnergyRequest = Static<typeof SiteEnergyRequest>;

export const ReportPowerRequest = record({ ...period, interval_seconds: optional(integer(1, 3600)) });
export type ReportPowerRequest = Static<typeof ReportPowerRequest>;

export const ReportEnergyRequest = record(period);
export type ReportEnergyRequest = Static<typeof ReportEnergyRequest>;

/** The JSON of a schema, as far as messages and descriptions read it. */
export interface SchemaKeywords {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaKeywords[];
  readonly properties?: Readonly<Record<string, SchemaKeywords>>;
  readonly required?: readonly string[];
  readonly items?: SchemaKeywords;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
}

/** A schema of typebox is its own JSON. */
export const keywordsOf = (schema: TSchema): SchemaKeywords => schema;
