import { isMap, isScalar, isSeq, type Node, type ParsedNode } from "yaml";

/** What the editor reads of a JSON schema. */
export interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export type YamlPath = readonly (string | number)[];

/** The schemas that a value may have at a path: of alternatives, those that fit the constants beside it, such as `component_type`. */
export function schemasAt(root: Schema, document: Node | ParsedNode | null, path: YamlPath): readonly Schema[] {
  let schemas = fitting([root], document);
  let node: unknown = document;
  for (const step of path) {
    const next = schemas.flatMap((schema) => childrenOf(schema, step));
    node = isMap(node) || isSeq(node) ? node.get(step, true) : undefined;
    schemas = fitting(next, node);
  }
  return schemas;
}

function childrenOf({ properties, patternProperties, items }: Schema, step: string | number): readonly Schema[] {
  if (typeof step === "number") return items === undefined ? [] : [items];
  if (properties !== undefined && Object.hasOwn(properties, step)) return [properties[step]];
  return Object.entries(patternProperties ?? {}).flatMap(([pattern, schema]) =>
    new RegExp(pattern, "u").test(step) ? [schema] : [],
  );
}

/** Alternatives, without those whose constants or kind of value contradict the node. */
function fitting(schemas: readonly Schema[], node: unknown): readonly Schema[] {
  const flat = schemas.flatMap((schema) => (schema.anyOf === undefined ? [schema] : fitting(schema.anyOf, node)));
  const fit = flat.filter((schema) => fits(schema, node));
  return fit.length > 0 ? fit : flat;
}

function fits({ properties = {}, type }: Schema, node: unknown): boolean {
  if (isSeq(node)) return type === "array";
  if (!isMap(node)) return true;
  if (type !== "object") return false;
  return node.items.every(({ key, value }) => {
    const schema = isScalar(key) && Object.hasOwn(properties, String(key.value)) ? properties[String(key.value)] : null;
    return schema?.const === undefined || !isScalar(value) || value.value === null || value.value === schema.const;
  });
}

/** Keys of a mapping with their schemas; of alternatives, all. */
export function keysOf(
  schemas: readonly Schema[],
): ReadonlyMap<string, { readonly schema: Schema; readonly isRequired: boolean }> {
  const keys = new Map<string, { readonly schema: Schema; readonly isRequired: boolean }>();
  for (const { properties = {}, required = [] } of schemas)
    for (const [key, schema] of Object.entries(properties))
      if (!keys.has(key)) keys.set(key, { schema, isRequired: required.includes(key) });
  return keys;
}

/** Values that can be listed. */
export function valuesOf(schemas: readonly Schema[]): readonly string[] {
  const values = schemas.flatMap((schema): readonly unknown[] => {
    if (schema.anyOf !== undefined) return valuesOf(schema.anyOf);
    if (schema.const !== undefined) return [schema.const];
    if (schema.type === "boolean") return [true, false];
    return schema.enum ?? (schema.type === "null" ? [null] : []);
  });
  return [...new Set(values.map(String))];
}

/** "number, 0…100", "one of fcr, frr". */
export function kindText(schema: Schema): string {
  const { type, enum: values, minimum, maximum, exclusiveMinimum, exclusiveMaximum, anyOf } = schema;
  if (anyOf !== undefined) return [...new Set(anyOf.map(kindText))].join(" | ");
  if (values !== undefined) return values.map(String).join(" | ");
  if (schema.const !== undefined) return String(schema.const);
  const low = minimum ?? (exclusiveMinimum === undefined ? "" : `>${exclusiveMinimum}`);
  const high = maximum ?? (exclusiveMaximum === undefined ? "" : `<${exclusiveMaximum}`);
  const range = low === "" && high === "" ? "" : ` ${low}…${high}`;
  return `${type ?? ""}${range}`;
}
