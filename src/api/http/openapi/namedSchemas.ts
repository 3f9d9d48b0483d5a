import type { TSchema } from "typebox";
import type { JsonObject } from "./jsonObject.ts";

/** A description with each of the schemas once, by its name in `components.schemas`, and references where it is used. */
export function namedSchemas(
  { components, ...rest }: JsonObject & { readonly components: JsonObject },
  schemas: Readonly<Record<string, TSchema>>,
): JsonObject {
  const names = new Map<unknown, string>(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  const inner = (value: object): unknown =>
    Array.isArray(value)
      ? value.map(referenced)
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, referenced(member)]));
  const referenced = (value: unknown): unknown => {
    const name = names.get(value);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    return typeof value === "object" && value !== null ? inner(value) : value;
  };
  const written = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner(schema)]));
  return { ...(inner(rest) as JsonObject), components: { schemas: written, ...components } };
}
