/**
 * The few builders of typebox that the formats need, typed by typebox itself, which stays out of the running program:
 * to load its hundreds of files takes longer than to run a small scenario. A test holds each builder to typebox's own.
 */
import type { TObject, TOptional, TProperties, TSchema, Type as TypeBox } from "typebox";

const OPTIONAL = "~optional";

/** A schema with a mark that JSON does not show. */
const markOptional = (schema: object): object => Object.defineProperty({ ...schema }, OPTIONAL, { value: true });

const isOptional = (schema: TSchema): schema is TOptional<TSchema> => OPTIONAL in schema;

function objectOf(properties: TProperties, options: object = {}): object {
  const required = Object.keys(properties).filter((key) => !isOptional(properties[key]));
  return { type: "object", ...(required.length === 0 ? {} : { required }), properties, ...options };
}

const recordOf = ({ pattern = "^.*$" }: { pattern?: string }, values: TSchema, options: object = {}) => ({
  type: "object",
  patternProperties: { [pattern]: values },
  ...options,
});

/** Options of the whole are not carried over. */
function partialOf({ properties }: TObject): object {
  const entries = Object.entries(properties).map(([key, schema]) => [key, markOptional(schema)]);
  return { type: "object", properties: Object.fromEntries(entries) };
}

const schemaOfType =
  (type: string) =>
  (options: object = {}) => ({ type, ...options });

type Builders = Pick<
  typeof TypeBox,
  | "Array"
  | "Boolean"
  | "Integer"
  | "IsOptional"
  | "Literal"
  | "Null"
  | "Number"
  | "Object"
  | "Optional"
  | "Partial"
  | "Record"
  | "String"
  | "Union"
  | "Unknown"
  | "Unsafe"
>;

// What typebox's signatures tell of the results beyond their JSON is for the compiler alone.
export const Type = {
  Array: (items: TSchema, options: object = {}) => ({ type: "array", items, ...options }),
  Boolean: schemaOfType("boolean"),
  Integer: schemaOfType("integer"),
  IsOptional: isOptional,
  Literal: (value: string | number | boolean, options: object = {}) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: schemaOfType("null"),
  Number: schemaOfType("number"),
  Object: objectOf,
  Optional: markOptional,
  Partial: partialOf,
  Record: recordOf,
  String: schemaOfType("string"),
  Union: (anyOf: readonly TSchema[], options: object = {}) => ({ anyOf, ...options }),
  Unknown: (options: object = {}) => ({ ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
} as unknown as Builders;
