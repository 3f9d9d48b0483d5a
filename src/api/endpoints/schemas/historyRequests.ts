/** Bodies of history requests. Retention, lengths and counts are checked by rules, not by the schema. */
import { Type } from "../../../base/schemaType.ts";
import { id, integer, listOf, optional, record, type Static, text, timestamp } from "./baseSchemas.ts";

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
