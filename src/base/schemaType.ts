/**
 * The typebox builders that the formats need, with typebox's own types. typebox itself is not loaded at run time: loading its
 * hundreds of files takes longer than running a small scenario. A test compares each builder with typebox's.
 */
import type { TObject, TOptional, TProperties, TSchema, Type as TypeBox } from "typebox";

const OPTIONAL = "~optional";

/** A schema with a non-enumerable mark. */
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

/** Options of the object are not copied. */
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

// The types of typebox have more properties than the JSON; only the compiler uses them.
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
