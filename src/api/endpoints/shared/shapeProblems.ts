import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/schema";
import type { Refusal } from "../../../base/result.ts";
import { keywordsOf, type SchemaKeywords } from "../schemas/baseSchemas.ts";

/** One violation of a schema. */
export interface ShapeProblem {
  /** Path as in JavaScript: `delta_kw`, `member_baselines[2].ems_id`; empty for the whole value. */
  readonly parameter: string;
  /** Name of the violated JSON Schema keyword. */
  readonly keyword: string;
  readonly refusal: Refusal;
}

/** Validators, compiled on first use. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

/** Violations of a schema, in its order; empty for a valid value. */
export function shapeProblems(schema: TSchema, value: unknown): readonly ShapeProblem[] {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return [];
  const problems: ShapeProblem[] = [];
  const seen = new Set<string>();
  for (const error of validator.Errors(value)[1]) {
    const { keyword, params } = error as { keyword: string; params: Record<string, unknown> };
    const { instancePath } = error;
    // An unknown key is reported once already, and the branches of a union are implied by the union.
    if (keyword === "boolean" || keyword === "anyOf" || keyword === "const") {
      if (keyword !== "const" || /\/anyOf\//.test(error.schemaPath)) continue;
    }
    for (const path of pathsOf(keyword, instancePath, params)) {
      if (seen.has(path)) continue;
      seen.add(path);
      problems.push(problemAt(schema, value, path, keyword, params));
    }
  }
  return problems.length > 0 ? problems : [problemAt(schema, value, "", "schema", {})];
}

/** The first violation of a value's schema, or `null`. */
export const shapeRefusal = (schema: TSchema, value: unknown): Refusal | null =>
  shapeProblems(schema, value)[0]?.refusal ?? null;

function pathsOf(keyword: string, path: string, params: Record<string, unknown>): readonly string[] {
  const inside = (names: unknown) => (names as readonly string[]).map((name) => `${path}/${name}`);
  if (keyword === "required") return inside(params.requiredProperties);
  if (keyword === "additionalProperties") return inside(params.additionalProperties);
  return [path];
}

function problemAt(
  root: TSchema,
  value: unknown,
  path: string,
  keyword: string,
  params: Record<string, unknown>,
): ShapeProblem {
  const keys = path.split("/").slice(1);
  const parameter = keys.reduce(
    (text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text === "" ? key : `${text}.${key}`),
    "",
  );
  const schema = schemaAt(root, keys);
  const validRange = schema === null ? undefined : rangeOf(schema);
  const received = keys.reduce<unknown>(
    (inner, key) =>
      inner !== null && typeof inner === "object" && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );
  const name = parameter === "" ? "The body" : parameter;
  const range =
    validRange === undefined
      ? ""
      : schema === null || branchOf(schema).enum === undefined
        ? `within ${validRange}`
        : `one of ${validRange}`;
  // A range has no meaning for a value of another type, or for none.
  const isOfType = !["type", "required"].includes(keyword) || (schema !== null && branchOf(schema).enum !== undefined);
  const allowed =
    range === "" ? describeAllowed(schema, params) : isOfType ? range : `${describeAllowed(schema, params)} ${range}`;
  const details =
    keyword === "required"
      ? `${name} is required${allowed === UNKNOWN_FORM ? "" : `: ${allowed}`}`
      : keyword === "additionalProperties"
        ? `${name} is not a parameter of this request${knownNames(schemaAt(root, keys.slice(0, -1)))}`
        : `${name} must be ${allowed}`;
  return {
    parameter,
    keyword,
    refusal: {
      kind: "invalid_parameter",
      isMalformed: true,
      details,
      ...(parameter === "" ? {} : { parameter }),
      ...(received === undefined || keys.length === 0 ? {} : { receivedValue: received }),
      ...(validRange === undefined ? {} : { validRange }),
    },
  };
}

/** The keys that an object may have, as the end of a sentence. */
function knownNames(schema: SchemaKeywords | null): string {
  const names = Object.keys(schema?.properties ?? {});
  return names.length === 0 ? "" : `; allowed: ${names.join(", ")}`;
}

const UNKNOWN_FORM = "as documented";

/** The part of a schema at a path; of a union, the branch that has the key. */
function schemaAt(root: TSchema, keys: readonly string[]): SchemaKeywords | null {
  let schema: SchemaKeywords | null = keywordsOf(root);
  for (const key of keys) {
    if (schema === null) return null;
    schema = (/^\d+$/.test(key) ? schema.items : schema.properties?.[key]) ?? null;
  }
  return schema;
}

/** Allowed values or range of a schema, as text of `valid_range`. */
function rangeOf(written: SchemaKeywords): string | undefined {
  const schema = branchOf(written);
  const { minimum, maximum, enum: values, maxLength, minLength } = schema;
  if (values !== undefined) return values.join(", ");
  if (schema.type === "boolean") return "true, false";
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters`;
  return undefined;
}

/** The branch of a nullable schema that is not null. */
const branchOf = (schema: SchemaKeywords): SchemaKeywords =>
  schema.anyOf?.find(({ type }) => type !== "null") ?? schema;

function describeAllowed(written: SchemaKeywords | null, params: Readonly<Record<string, unknown>>): string {
  if (written === null) return UNKNOWN_FORM;
  const schema = branchOf(written);
  if (params.limit !== undefined && schema.minItems !== undefined) return `an array of at least ${schema.minItems}`;
  if (schema.format === "date-time") return "an ISO 8601 instant in UTC that ends in Z";
  if (schema.description !== undefined && schema.pattern !== undefined) return schema.description;
  const type = schema.type ?? params.type;
  if (type === "object" || type === "array" || type === "integer") return `an ${type}`;
  return typeof type === "string" ? `a ${type}` : UNKNOWN_FORM;
}
