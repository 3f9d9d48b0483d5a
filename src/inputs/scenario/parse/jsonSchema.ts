import { formatNameList } from "../../../base/inputError.ts";
import { FIGURE_MAX, IDENTIFIER_BYTES_MAX, IDENTIFIER_PATTERN } from "../../../base/schemaBuilders.ts";
import { expectedInstantFormat } from "../../../engine/series/csv/parseInstant.ts";
import { nearestName } from "./nearestName.ts";
import type { SourceNode } from "./sourceNode.ts";

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
export function matchesPattern(pattern: string, text: string): boolean {
  let compiled = compiledPatterns.get(pattern);
  if (compiled === undefined) compiledPatterns.set(pattern, (compiled = new RegExp(pattern, "u")));
  return compiled.test(text) && (pattern !== IDENTIFIER_PATTERN || fitsBytes(text, IDENTIFIER_BYTES_MAX));
}

const BYTES_PER_CHARACTER_MAX = 3;

const encoder = new TextEncoder();
const fitsBytes = (text: string, max: number): boolean =>
  BYTES_PER_CHARACTER_MAX * text.length <= max || encoder.encode(text).length <= max;

const isObjectSchema = (schema: JsonSchema): boolean =>
  schema.type === "object" || (schema.anyOf?.every(isObjectSchema) ?? false);

const objectsOfUnion = new WeakMap<readonly JsonSchema[], readonly JsonSchema[]>();

/** The branches of a union that are mappings; the same list for each call, which is a key of `discriminatorKeys`. */
export function objectBranches(branches: readonly JsonSchema[]): readonly JsonSchema[] {
  let objects = objectsOfUnion.get(branches);
  if (objects === undefined) objectsOfUnion.set(branches, (objects = branches.filter(isObjectSchema)));
  return objects;
}

const flattenUnions = (schemas: readonly JsonSchema[]): JsonSchema[] =>
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
  for (const pattern in patternProperties) if (matchesPattern(pattern, key)) return patternProperties[pattern];
  return undefined;
}

/** Describes the values that a schema allows, with a suggestion for a mistyped text. */
export function describeSchemaFor(schema: JsonSchema, node: SourceNode): string {
  const isTooLarge =
    node.kind === "scalar" && FIGURE_MAX < Math.abs(Number(node.value)) && schema.maximum === undefined;
  if (isTooLarge) return `${describeSchema(schema)}; numbers are at most ${FIGURE_MAX} in size`;
  const correction = node.kind === "scalar" ? correctionOf(schema, node.value) : null;
  if (correction !== null) return `${describeSchema(schema)} (write ${correction})`;
  if (node.kind !== "scalar" || typeof node.value !== "string") return describeSchema(schema);
  if (schema.format === "date-time") return expectedInstantFormat(node.value);
  const choices = allowedValues(schema);
  if (schema.anyOf !== undefined) {
    const meant = nearestName(node.value, schema.anyOf.flatMap((branch) => allowedValues(branch) ?? []).map(String));
    return `${describeSchema(schema)}${meant === null ? "" : ` (did you mean ${meant}?)`}`;
  }
  return choices !== null && schema.title === undefined ? describeChoices(choices, node.value) : describeSchema(schema);
}

/** The value that was probably meant: `TRUE` of a spreadsheet, a percentage in place of a fraction; `null`: none. */
function correctionOf({ type, minimum, maximum, exclusiveMinimum }: JsonSchema, value: unknown): string | null {
  if (type === "boolean" && typeof value === "string") {
    const plain = value.toLowerCase();
    return plain === "true" || plain === "yes" ? "true" : plain === "false" || plain === "no" ? "false" : null;
  }
  const number = typeof value === "string" ? Number(value) : value;
  const isFraction = type === "number" && maximum === 1 && (minimum ?? exclusiveMinimum) === 0;
  if (!isFraction || typeof number !== "number" || !(2 <= number && number <= 100)) return null;
  return `${Number((number / 100).toPrecision(6))} for ${number} %`;
}

/** Describes the values that a schema allows. */
export function describeSchema(schema: JsonSchema): string {
  const { title, type, format } = schema;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(describeSchema))].join(", or ");
  if (title !== undefined) return title;
  const choices = allowedValues(schema);
  if (choices !== null) return describeChoices(choices, undefined);
  if (type === "number" || type === "integer") return describeNumber(schema);
  if (type === "boolean") return "true or false";
  if (type === "null") return "null";
  if (type === "array") return describeList(schema);
  if (type === "object")
    return `a mapping with ${formatNameList(schema.required?.length ? schema.required : Object.keys(schema.properties ?? {})) || "any keys"}`;
  if (format === "date-time") return expectedInstantFormat("");
  if (format === "duration") {
    return `an ISO 8601 duration${schema.exclusiveMinimum === 0 ? " above 0" : ""} of days, hours, minutes and seconds, as in P1DT12H or PT90S`;
  }
  if (format === "signed-duration")
    return "an ISO 8601 duration of days, hours, minutes and seconds, - in front to go back";
  return schema.minLength ? "text, not empty" : "text";
}

function describeNumber({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  const noun = type === "integer" ? "a whole number" : "a number";
  const lowerText = exclusiveMinimum === undefined ? "" : ` above ${exclusiveMinimum}`;
  const upperText = exclusiveMaximum === undefined ? "" : ` below ${exclusiveMaximum}`;
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${noun}, at least ${minimum}${upperText}`;
  if (maximum !== undefined) return `${noun}${lowerText}, at most ${maximum}`;
  return `${noun}${lowerText}${lowerText && upperText ? " and" : ""}${upperText}`;
}

function describeList({ minItems = 0, maxItems, items }: JsonSchema): string {
  const of = items && !isObjectSchema(items) && items.anyOf === undefined ? ` of: ${describeSchema(items)}` : "";
  if (maxItems !== undefined) return `a list of ${minItems} to ${maxItems} entries${of}`;
  return minItems > 0 ? `a list of at least ${minItems} ${minItems === 1 ? "entry" : "entries"}${of}` : `a list${of}`;
}

export function describeChoices(choices: readonly unknown[], found: unknown): string {
  const names = [...new Set(choices.map(String))];
  const list = names.length === 1 ? names[0] : `one of ${formatNameList(names)}`;
  const suggestion = typeof found === "string" ? nearestName(found, names) : null;
  return suggestion === null || names.length === 1 ? list : `${list} (did you mean ${suggestion}?)`;
}

/** A column that the schema does not have. */
export interface ColumnError {
  readonly allowed: string;
  /** Whether the path resembles that of a key or extends it, so that its values are probably lost by an error. */
  readonly isMistyped: boolean;
}

/** The error of a column path; `null` for a valid path. */
export function describeColumnError(schema: JsonSchema, path: readonly string[]): ColumnError | null {
  let candidates: JsonSchema[] = flattenUnions([schema]);
  for (const key of path) {
    const names = candidates.flatMap(({ properties }) => Object.keys(properties ?? {}));
    const next = candidates.flatMap((candidate) => {
      if (candidate.type === "array") return /^\d+$/.test(key) && candidate.items ? [candidate.items] : [];
      const member = candidate.properties
        ? propertySchema(candidate.properties, key)
        : patternPropertySchema(candidate, key);
      return member === undefined ? [] : [member];
    });
    if (next.length === 0) {
      if (names.length === 0) return { allowed: "a shorter path", isMistyped: true };
      return { allowed: describeChoices([...new Set(names)], key), isMistyped: nearestName(key, names) !== null };
    }
    candidates = flattenUnions(next);
  }
  return null;
}
