import type { JsonObject } from "./jsonObject.ts";

/** Sample values by property name, where a generated value would be misleading. */
const SAMPLES_BY_NAME: Readonly<Record<string, unknown>> = {
  delta_kw: -500,
  baseline_kw: 0,
  allocation_weight: 100,
  duration_minutes: 30,
  interval_seconds: 1800,
  start_time: "2026-04-01T01:00:00Z",
  end_time: "2026-04-01T02:00:00Z",
  start_time_from: "2026-04-01T00:00:00Z",
  start_time_to: "2026-04-02T00:00:00Z",
  label: "north-01",
  request_id: "r-1",
};

/**
 * A fixed value that satisfies a schema.
 *
 * Uses the first branch of a union and all optional properties, except those that other rules exclude.
 */
export function sampleValue(schema: JsonObject, name = ""): unknown {
  const { type, properties, items, anyOf, allOf } = schema as {
    readonly type?: string;
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly items?: JsonObject;
    readonly anyOf?: readonly JsonObject[];
    readonly allOf?: readonly JsonObject[];
  };
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (anyOf !== undefined) return sampleValue(anyOf[0], name);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((branch) => sampleValue(branch, name)));
  if (type === "object" || properties !== undefined)
    return Object.fromEntries(Object.entries(properties ?? {}).map(([key, inner]) => [key, sampleValue(inner, key)]));
  if (type === "array") {
    const length = Math.max(1, (schema.minItems as number | undefined) ?? 1);
    return items === undefined ? [] : new Array<unknown>(length).fill(sampleValue(items, name));
  }
  const sample = SAMPLES_BY_NAME[name];
  if (sample !== undefined && fits(schema, sample)) return sample;
  if (type === "string") return textSample(schema);
  if (type === "integer" || type === "number") return (schema.minimum as number | undefined) ?? 0;
  return type === "boolean" ? false : null;
}

function fits({ type, minimum, maximum }: JsonObject, value: unknown): boolean {
  if (typeof value === "string") return type === "string";
  if (type !== "number" && type !== "integer") return false;
  const number = value as number;
  return ((minimum as number | undefined) ?? number) <= number && number <= ((maximum as number | undefined) ?? number);
}

function textSample({ format, pattern }: JsonObject): string {
  if (format === "date-time") return "2026-04-01T00:00:00Z";
  return typeof pattern === "string" && pattern.includes("[0-9a-f]") ? "0123456789abcdef0123456789abcdef" : "text";
}
