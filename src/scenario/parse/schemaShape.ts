/** What the format's schemas are made of, and questions about them. */

/** The words of JSON Schema that the format's schemas use. */
export interface Schema {
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
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

const patterns = new Map<string, RegExp>();
export function compiled(pattern: string): RegExp {
  let made = patterns.get(pattern);
  if (made === undefined) patterns.set(pattern, (made = new RegExp(pattern)));
  return made;
}

export const isMapping = (schema: Schema): boolean =>
  schema.type === "object" || (schema.anyOf?.every(isMapping) ?? false);

export const flattened = (schemas: readonly Schema[]): Schema[] =>
  schemas.flatMap((schema) => (schema.anyOf === undefined ? [schema] : flattened(schema.anyOf)));

export function choicesOf(schema: Schema): readonly unknown[] | null {
  if (schema.enum !== undefined) return schema.enum;
  return schema.const === undefined ? null : [schema.const];
}

const tellingByUnion = new WeakMap<readonly Schema[], readonly string[]>();

/** Keys that every form requires and that name the form, in the order of the first form. */
export function tellingKeys(branches: readonly Schema[]): readonly string[] {
  let keys = tellingByUnion.get(branches);
  if (keys === undefined) {
    const all = new Set(branches.flatMap(({ properties = {} }) => Object.keys(properties)));
    keys = [...all].filter((key) => {
      const members = branches.flatMap((branch) => branch.properties?.[key] ?? []);
      const required = branches.every(({ properties, required }) => !properties?.[key] || required?.includes(key));
      return members.length > 1 && required && members.every((member) => choicesOf(member) !== null) && differ(members);
    });
    tellingByUnion.set(branches, keys);
  }
  return keys;
}

const differ = (members: readonly Schema[]): boolean =>
  new Set(members.map((member) => choicesOf(member)!.join(" "))).size > 1;

export const ownMember = (properties: Readonly<Record<string, Schema>>, key: string): Schema | undefined =>
  Object.hasOwn(properties, key) ? properties[key] : undefined;

export function patternMember({ patternProperties = {} }: Schema, key: string): Schema | undefined {
  for (const pattern in patternProperties) if (compiled(pattern).test(key)) return patternProperties[pattern];
  return undefined;
}
