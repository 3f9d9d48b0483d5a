/** The subset of JSON Schema keywords that the scenario format uses. */
export interface JsonSchema {
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
}

const compiledPatterns = new Map<string, RegExp>();
export function compilePattern(pattern: string): RegExp {
  let compiled = compiledPatterns.get(pattern);
  if (compiled === undefined) compiledPatterns.set(pattern, (compiled = new RegExp(pattern)));
  return compiled;
}

export const isObjectSchema = (schema: JsonSchema): boolean =>
  schema.type === "object" || (schema.anyOf?.every(isObjectSchema) ?? false);

export const flattenUnions = (schemas: readonly JsonSchema[]): JsonSchema[] =>
  schemas.flatMap((schema) => (schema.anyOf === undefined ? [schema] : flattenUnions(schema.anyOf)));

export function allowedValues(schema: JsonSchema): readonly unknown[] | null {
  if (schema.enum !== undefined) return schema.enum;
  return schema.const === undefined ? null : [schema.const];
}

const discriminatorsByUnion = new WeakMap<readonly JsonSchema[], readonly string[]>();

/** Keys that every branch requires and whose values identify it, in the order of the first branch. */
export function discriminatorKeys(branches: readonly JsonSchema[]): readonly string[] {
  let keys = discriminatorsByUnion.get(branches);
  if (keys === undefined) {
    const all = new Set(branches.flatMap(({ properties = {} }) => Object.keys(properties)));
    keys = [...all].filter((key) => {
      const members = branches.flatMap((branch) => branch.properties?.[key] ?? []);
      const required = branches.every(({ properties, required }) => !properties?.[key] || required?.includes(key));
      const values = members.flatMap((member) => allowedValues(member)?.join(" ") ?? []);
      return required && members.length > 1 && values.length === members.length && new Set(values).size > 1;
    });
    discriminatorsByUnion.set(branches, keys);
  }
  return keys;
}

export const propertySchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  key: string,
): JsonSchema | undefined => (Object.hasOwn(properties, key) ? properties[key] : undefined);

export function patternPropertySchema({ patternProperties = {} }: JsonSchema, key: string): JsonSchema | undefined {
  // Records are plain objects, in which this key would change the prototype.
  if (key === "__proto__") return undefined;
  for (const pattern in patternProperties) if (compilePattern(pattern).test(key)) return patternProperties[pattern];
  return undefined;
}
