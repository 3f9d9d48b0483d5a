import { type ErrorCollector, formatNameList, formatValue, NO_VALUE, truncateText } from "../../../base/inputError.ts";
import { IDENTIFIER_PATTERN, IDENTIFIER_TITLE, SERIES_REFERENCE_TITLE } from "../../../base/schemaBuilders.ts";
import {
  allowedValues,
  describeChoices,
  describeSchema,
  describeSchemaFor,
  discriminatorKeys,
  type JsonSchema,
  objectBranches,
  patternPropertySchema,
  propertySchema,
} from "./jsonSchema.ts";
import { nearestName } from "./nearestName.ts";
import { readNumber, readScalar, splitCellItems } from "./readScalar.ts";
import type { MapNode, SourceNode, SourceOrigin } from "./sourceNode.ts";

/** Source of a checked mapping, for errors of later checks and for the limits of a patch. */
interface ValueSource {
  readonly node: SourceNode;
  readonly origin: SourceOrigin;
  readonly path: string;
  readonly schema: JsonSchema;
}

/** A partly read mapping, with the keys that mistyped keys probably stand for. */
interface PartialMapping {
  readonly value: Record<string, unknown>;
  readonly entries: MapNode["entries"];
  readonly mistypedKeys: ReadonlySet<string>;
}

/** Shared by all mappings without mistyped keys. */
const NO_MISTYPED_KEYS = new Set<string>();

/**
 * A symbol property holds the source of a checked value: garbage collection of a WeakMap with a year of awards takes
 * longer than reading it.
 */
const SOURCE = Symbol("source");
interface Sourced {
  [SOURCE]?: ValueSource;
}

/**
 * Converts source nodes to plain values of the schema's type: defaults applied, instants and durations in milliseconds.
 * Each error is recorded with its position, and the faulty value is left out. Later checks must therefore handle absent
 * members until the errors are thrown.
 */
export class DocumentChecker {
  readonly errors: ErrorCollector;
  /** All series references (`series.role`), in reading order. */
  readonly seriesReferences: string[] = [];

  constructor(errors: ErrorCollector) {
    this.errors = errors;
  }

  sourceOf(value: object): ValueSource | undefined {
    return (value as Sourced)[SOURCE];
  }

  /** Sets the source, for example of a copy. */
  setSource(value: object, source: ValueSource): void {
    (value as Sourced)[SOURCE] = source;
  }

  /** Place of a key of a checked mapping, or of the mapping itself (`key` null); `null` where it is not known. */
  placeOf(value: object, key: string | null): { file: string; line: number; column: number; keyPath: string } | null {
    const source = this.sourceOf(value);
    if (source === undefined) return null;
    const { node, origin, path } = source;
    const at = key === null ? node.position : memberPosition(node, key);
    return { file: origin.file, ...origin.locate(at), keyPath: key === null ? path : joinKeyPath(path, key) };
  }

  /** Adds an error at a key of a checked mapping, or at the mapping itself (`key` null). */
  reportError(value: object, key: string | number | null, found: string, allowed: string): void {
    const source = this.sourceOf(value);
    if (source === undefined) throw new Error(`no source is known of ${formatValue(value)}`);
    const { node, origin, path } = source;
    const at = key === null ? node.position : memberPosition(node, key);
    this.addError(origin, at, key === null ? path : joinKeyPath(path, key), () => [found, allowed]);
  }

  /** Whether a key stands in the file, with a faulty value too. */
  isWritten(value: object, key: string): boolean {
    const node = this.sourceOf(value)?.node;
    return node?.kind === "map" && node.entries.has(key);
  }

  /** Reports a missing key that another key requires; for a missing table column, once. */
  requireKey(value: object, key: string, allowed: string): void {
    const source = this.sourceOf(value);
    if (source === undefined || this.isWritten(value, key)) return;
    if ((value as Record<string, unknown>)[key] !== undefined) return;
    this.addMissingError(source.origin, source.node.position, joinKeyPath(source.path, key), allowed);
  }

  check(schema: JsonSchema, node: SourceNode, origin: SourceOrigin, path: string): unknown {
    if (schema.anyOf !== undefined) return this.checkUnion(schema, schema.anyOf, node, origin, path);
    if (schema.type === "object") return this.checkMap(schema, node, origin, path);
    if (schema.type === "array") return this.checkList(schema, node, origin, path);
    if (schema.type === undefined && schema.const === undefined && schema.enum === undefined) return toPlainData(node);
    if (node.kind !== "scalar") return this.addSchemaError(schema, node, origin, path);
    const value = readScalar(schema, node);
    if (value === undefined) return this.addSchemaError(schema, node, origin, path);
    if (schema.title === SERIES_REFERENCE_TITLE) this.seriesReferences.push(value as string);
    return value;
  }

  /** Checks a patched number against the schema. @returns the allowed values when it does not match, else `null` */
  static describeNumberError(schema: JsonSchema, value: number): string | null {
    const branches = schema.anyOf ?? [schema];
    const numeric = branches.filter(({ type }) => type === "number" || type === "integer");
    if (numeric.length === 0) return "a numeric key";
    return numeric.some((branch) => readNumber(branch, value) !== undefined) ? null : describeSchema(numeric[0]);
  }

  /** @param describe gives what was found and what is allowed */
  private addError(origin: SourceOrigin, at: number, keyPath: string, describe: () => [string, string]): undefined {
    this.addErrorOfKind(origin, { at, keyPath, kindPath: keyPath }, describe);
    return undefined;
  }

  private addErrorOfKind(
    origin: SourceOrigin,
    { at, keyPath, kindPath, what }: { at: number; keyPath: string; kindPath: string; what?: string },
    describe: () => [string, string],
  ): void {
    const { file } = origin;
    this.errors.add({ file, keyPath: kindPath, ...(what === undefined ? {} : { what }) }, () => {
      const [found, allowed] = describe();
      return { file, ...origin.locate(at), keyPath, found, allowed };
    });
  }

  /** A missing column is reported once, at the header. */
  private addMissingError(origin: SourceOrigin, at: number, keyPath: string, allowed: string): void {
    const missing = origin.classifyMissingKey?.(keyPath) ?? "cell";
    if (missing === "cell") this.addError(origin, at, keyPath, () => [NO_VALUE, allowed]);
    else if (missing === "column") {
      this.errors.report({ file: origin.file, line: 1, column: 1, keyPath, found: "no such column", allowed });
    }
  }

  private addSchemaError(schema: JsonSchema, node: SourceNode, origin: SourceOrigin, path: string): undefined {
    return this.addError(origin, node.position, path, () => [describeNode(node), describeSchemaFor(schema, node)]);
  }

  private checkUnion(
    schema: JsonSchema,
    branches: readonly JsonSchema[],
    node: SourceNode,
    origin: SourceOrigin,
    path: string,
  ): unknown {
    const objects = node.kind === "map" ? objectBranches(branches) : [];
    if (node.kind === "map" && objects.length > 0) {
      const branch = this.branchFor(objects, node, origin, path);
      return branch === null ? undefined : this.check(branch, node, origin, path);
    }
    if (node.kind === "scalar") {
      const branch = branches.find((candidate) => readScalar(candidate, node) !== undefined);
      if (branch !== undefined) return this.check(branch, node, origin, path);
    } else {
      const branch = branches.find(({ type }) => type === "array");
      if (branch !== undefined) return this.check(branch, node, origin, path);
    }
    return this.addSchemaError(schema, node, origin, path);
  }

  /** Selects the branch of a union by its discriminator keys: `component_type`, `kind`, `file` …. */
  private branchFor(
    branches: readonly JsonSchema[],
    node: MapNode,
    origin: SourceOrigin,
    path: string,
  ): JsonSchema | null {
    let rest = branches;
    for (const key of discriminatorKeys(branches)) {
      if (rest.length === 1) break;
      const members = rest.flatMap((branch) => branch.properties?.[key] ?? []);
      if (members.length < rest.length) continue;
      const choices = members.flatMap((member) => allowedValues(member) ?? []);
      const entry = node.entries.get(key);
      const value = entry?.node.kind === "scalar" ? entry.node.value : undefined;
      if (!choices.includes(value)) {
        this.addError(origin, entry?.node.position ?? node.position, joinKeyPath(path, key), () => [
          entry === undefined ? NO_VALUE : describeNode(entry.node),
          describeChoices(choices, value),
        ]);
        return null;
      }
      rest = rest.filter((_, k) => allowedValues(members[k])?.includes(value));
    }
    return rest.length === 1 ? rest[0] : this.markedBranch(rest, node, origin, path);
  }

  /** Selects the branch whose own required key stands in the mapping. */
  private markedBranch(
    branches: readonly JsonSchema[],
    node: MapNode,
    origin: SourceOrigin,
    path: string,
  ): JsonSchema | null {
    const marks = branches.map((branch) =>
      branch.required?.find((key) => branches.every((other) => other === branch || !other.properties?.[key])),
    );
    const marked = branches.find((_, k) => node.entries.has(marks[k] ?? ""));
    const last = branches[branches.length - 1];
    if (marked !== undefined || marks.includes(undefined)) return marked ?? last;
    const unknown = [...node.entries].find(([key]) => branches.every(({ properties }) => !properties?.[key]));
    if (unknown === undefined) return last;
    const [key, { keyPosition }] = unknown;
    const choices = (): [string, string] => ["an unknown key", describeChoices(marks, key)];
    this.addError(origin, keyPosition, joinKeyPath(path, truncateText(key)), choices);
    return null;
  }

  private checkMap(schema: JsonSchema, node: SourceNode, origin: SourceOrigin, path: string): unknown {
    if (node.kind !== "map") return this.addSchemaError(schema, node, origin, path);
    const value: Record<string, unknown> = {};
    const { entries } = node;
    const properties = schema.properties;
    // Mappings with user-defined keys (a breakdown, columns) have no recorded source.
    if (properties !== undefined) this.setSource(value, { node, origin, path, schema });
    let mistypedKeys = NO_MISTYPED_KEYS;
    for (const [key, entry] of entries) {
      const member = properties === undefined ? patternPropertySchema(schema, key) : propertySchema(properties, key);
      if (member === undefined) {
        this.addKeyError(schema, key, entry.keyPosition, origin, path);
        mistypedKeys = mistypedKeys === NO_MISTYPED_KEYS ? new Set() : mistypedKeys;
        mistypedKeys.add(nearestName(key, Object.keys(properties ?? {})) ?? "");
      } else {
        const checked = this.check(member, entry.node, origin, joinKeyPath(path, key));
        if (checked !== undefined) value[key] = checked;
      }
    }
    const count = entries.size;
    if (count < (schema.minProperties ?? 0) || count > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
      this.addError(origin, node.position, path, () => [
        count === 0 ? "no key" : formatNameList(entries.keys()),
        `exactly one of ${formatNameList(Object.keys(properties ?? {}))}`,
      ]);
    }
    if (properties !== undefined) this.fillDefaults(schema, { value, entries, mistypedKeys }, node, origin, path);
    return value;
  }

  /** Applies defaults and reports missing keys, except those for which a mistyped key is already reported. */
  private fillDefaults(
    schema: JsonSchema,
    found: PartialMapping,
    node: MapNode,
    origin: SourceOrigin,
    path: string,
  ): void {
    const { properties = {}, required } = schema;
    const { value, entries, mistypedKeys } = found;
    for (const key in properties) {
      if (entries.has(key)) continue;
      const member = properties[key];
      if (member.default !== undefined) value[key] = this.defaultOf(member, node, origin, joinKeyPath(path, key));
      else if (required?.includes(key) && !mistypedKeys.has(key)) {
        this.addMissingError(origin, node.position, joinKeyPath(path, key), describeSchema(member));
      }
    }
  }

  private defaultOf(schema: JsonSchema, node: SourceNode, origin: SourceOrigin, path: string): unknown {
    const value = schema.default;
    if (value === null || typeof value !== "object") {
      return typeof value === "string"
        ? this.check(schema, { kind: "scalar", position: node.position, value, isUntyped: false }, origin, path)
        : value;
    }
    return this.check(schema, createSourceNode(value, node.position), origin, path);
  }

  private addKeyError(schema: JsonSchema, key: string, at: number, origin: SourceOrigin, path: string): void {
    const { properties, patternProperties = {} } = schema;
    const allowed = Object.keys(patternProperties).map((pattern) =>
      pattern === IDENTIFIER_PATTERN ? IDENTIFIER_TITLE : `a name that matches ${pattern}`,
    );
    const place = { at, keyPath: joinKeyPath(path, truncateText(key)), kindPath: path, what: "unknown keys" };
    this.addErrorOfKind(origin, place, () =>
      properties === undefined
        ? [`name ${formatValue(key)}`, key === "__proto__" ? "another name" : allowed.join(" or ")]
        : ["an unknown key", describeChoices(Object.keys(properties), key)],
    );
  }

  private checkList(schema: JsonSchema, node: SourceNode, origin: SourceOrigin, path: string): unknown {
    let items: readonly SourceNode[];
    if (node.kind === "list") items = node.items;
    else if (node.kind === "scalar" && node.isUntyped) items = splitCellItems(node);
    else return this.addSchemaError(schema, node, origin, path);
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (items.length < minItems || items.length > maxItems) {
      return this.addError(origin, node.position, path, () => [`a list of ${items.length}`, describeSchema(schema)]);
    }
    const values: unknown[] = [];
    const known = new Set<unknown>();
    for (let k = 0; k < items.length; k++) {
      const value = this.check(schema.items ?? {}, items[k], origin, joinKeyPath(path, k));
      if (value === undefined) continue;
      if (schema.uniqueItems && known.has(value))
        this.addError(origin, items[k].position, joinKeyPath(path, k), () => [
          `${formatValue(value)} again`,
          "each value once",
        ]);
      known.add(value);
      values.push(value);
    }
    return values;
  }
}

function describeNode(node: SourceNode): string {
  if (node.kind === "list") return `a list of ${node.items.length}`;
  if (node.kind === "map") return `a mapping (${formatNameList(node.entries.keys(), 5)})`;
  return formatValue(node.value);
}

function memberPosition(node: SourceNode, key: string | number): number {
  if (node.kind === "map") return node.entries.get(String(key))?.node.position ?? node.position;
  return node.kind === "list" ? (node.items[Number(key)]?.position ?? node.position) : node.position;
}

const joinKeyPath = (path: string, key: string | number): string => (path === "" ? String(key) : `${path}.${key}`);

/** Content without a schema (a request's body) as plain data. */
function toPlainData(node: SourceNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(toPlainData);
  return Object.fromEntries([...node.entries].map(([key, entry]) => [key, toPlainData(entry.node)]));
}

/** A plain value as a node without places of its own. */
export function createSourceNode(value: unknown, position: number): SourceNode {
  if (Array.isArray(value))
    return { kind: "list", position, items: value.map((item) => createSourceNode(item, position)) };
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).map(
      ([key, member]) => [key, { keyPosition: position, node: createSourceNode(member, position) }] as const,
    );
    return { kind: "map", position, entries: new Map(entries) };
  }
  return { kind: "scalar", position, value: value as string | number | boolean | null, isUntyped: false };
}
