import { formatValue } from "../../../base/inputError.ts";
import {
  duration,
  enumOf,
  number,
  optional,
  percentage,
  type Static,
  strictObject,
} from "../../../base/schemaBuilders.ts";
import { OUTPUT_CONTROL_REASONS } from "../../../engine/site/siteSnapshot.ts";
import type { DocumentChecker } from "../parse/documentChecker.ts";

/** The faults that the sandbox can begin; the last four leave the site in service. */
export const FAULT_KINDS = [
  "outage",
  "maintenance",
  "warning",
  "link_down",
  "fcr_fault",
  "output_control",
  "derate",
  "sensor_offset",
  "sensor_stuck",
  "irradiance_shortfall",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export const SENSORS = ["soc", "power"] as const;

/** Keys that some kinds of faults have. Durations are in milliseconds. */
export const faultKeys = {
  limit_pct: optional(
    percentage({
      description:
        "Of output_control: % of the rated output; of derate: of the rated power; of irradiance_shortfall: of the generation",
    }),
  ),
  reason: optional(enumOf(OUTPUT_CONTROL_REASONS, { description: "Of output_control; default other" })),
  ramp_in: optional(duration({ description: "Of derate: from full power to the limit; default none" })),
  ramp_out: optional(duration({ description: "Of derate: back to full power after the end; default none" })),
  sensor: optional(enumOf(SENSORS, { description: "Of sensor_offset and sensor_stuck" })),
  offset: optional(
    number({ minimum: -1e6, maximum: 1e6, description: "Of sensor_offset: % points of the SOC, or kW" }),
  ),
};
const keysSchema = strictObject(faultKeys);
export type FaultKeys = Static<typeof keysSchema>;
type FaultKey = keyof FaultKeys;
type CheckedFault = { readonly kind: FaultKind } & FaultKeys;

const PERCENTAGE = "a number from 0 to 100";
const SENSOR = SENSORS.join(" or ");

/** The keys of a kind: what a required one may be, and those that may be absent. */
const KEYS_OF_KIND: Partial<
  Record<FaultKind, { readonly required: Partial<Record<FaultKey, string>>; readonly optional: readonly FaultKey[] }>
> = {
  output_control: { required: { limit_pct: PERCENTAGE }, optional: ["reason"] },
  derate: { required: { limit_pct: PERCENTAGE }, optional: ["ramp_in", "ramp_out"] },
  sensor_offset: { required: { sensor: SENSOR, offset: "a number of % points, or kW" }, optional: [] },
  sensor_stuck: { required: { sensor: SENSOR }, optional: [] },
  irradiance_shortfall: { required: { limit_pct: PERCENTAGE }, optional: [] },
};

/** Reports keys of a fault that are missing, and those that belong to other kinds. */
export function checkFaultKeys(checker: DocumentChecker, fault: CheckedFault): void {
  const { required = {}, optional: others = [] } = KEYS_OF_KIND[fault.kind] ?? {};
  for (const [key, allowed] of Object.entries(required)) checker.requireKey(fault, key, allowed);
  for (const key of Object.keys(faultKeys) as FaultKey[]) {
    if (fault[key] === undefined || Object.hasOwn(required, key) || others.includes(key)) continue;
    const kinds = FAULT_KINDS.filter((kind) => {
      const keys = KEYS_OF_KIND[kind];
      return keys !== undefined && (Object.hasOwn(keys.required, key) || keys.optional.includes(key));
    });
    checker.reportError(fault, key, formatValue(fault[key]), `nothing: it belongs to ${kinds.join(", ")}`);
  }
  checkOffset(checker, fault);
}

/** Reports an offset of a SOC that no SOC can have. */
export function checkOffset(checker: DocumentChecker, fault: CheckedFault): void {
  if (fault.sensor === "soc" && fault.offset !== undefined && Math.abs(fault.offset) > 100)
    checker.reportError(fault, "offset", formatValue(fault.offset), "a number of % points from -100 to 100");
}
