import type { JsonObject } from "../openapi/jsonObject.ts";

export const instant = { type: "string", format: "date-time" };
export const text = { type: "string" };
export const nullable = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });
export const record = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  properties,
});
export const list = (items: JsonObject): JsonObject => ({ type: "array", items });
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** A response with a JSON body. */
export const json = (description: string, schema: JsonObject): JsonObject => ({
  description,
  content: { "application/json": { schema } },
});
