import { parseInstantText, whyNotAnInstant } from "../series/parseInstant.ts";
import { type InputError, inputError, listed, shown } from "./inputError.ts";
import { parseDuration } from "./iso.ts";
import { nearest } from "./nearest.ts";
import { SERIES_ROLE } from "./schema/shapes.ts";
import type { MapNode, Origin, ScalarNode, SourceNode } from "./sourceNode.ts";

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

/** Where a checked mapping came from, so that later checks can point at it and a patch can find its limits. */
export interface Source {
  readonly node: SourceNode;
  readonly origin: Origin;
  readonly path: string;
  readonly schema: Schema;
}

/** What has been read of a mapping; `meant` are keys that a mistyped one stands for. */
interface Found {
  readonly value: Record<string, unknown>;
  readonly entries: MapNode["entries"];
  readonly meant: ReadonlySet<string>;
}

/** Most mappings have no mistyped key: no set is made for them. */
const NONE = new Set<string>();

/** Where a checked value keeps its source: a year of awards in a WeakMap takes longer to collect than to read. */
const SOURCE = Symbol("source");
interface Sourced {
  [SOURCE]?: Source;
}

/**
 * Turns source nodes into plain values of the schema's type: defaults filled in, instants and durations in
 * milliseconds. Every mistake becomes an error with its place; what is wrong is left out of the value, so later
 * checks must bear with absent members until the errors are thrown.
 */
export class DocumentChecker {
  readonly errors: InputError[];
  /** Every text that stands where a series and role are expected, in reading order. */
  readonly seriesRoles: string[] = [];

  constructor(errors: InputError[]) {
    this.errors = errors;
  }

  sourceOf(value: object): Source | undefined {
    return (value as Sourced)[SOURCE];
  }

  /** A copy shares the place of its original. */
  setSource(value: object, source: Source): void {
    (value as Sourced)[SOURCE] = source;
  }

  /** Adds an error about a key of a checked mapping, or about itself (`key` null). */
  report(value: object, key: string | number | null, found: string, allowed: string): void {
    const source = this.sourceOf(value);
    if (source === undefined) throw new Error(`no source is known of ${shown(value)}`);
    const { node, origin, path } = source;
    const at = key === null ? node.at : memberAt(node, key);
    this.#say(origin, at, key === null ? path : joined(path, key), found, allowed);
  }

  /** Reports a key that another key makes necessary; in a table without such a column, once. */
  requireKey(value: object, key: string, allowed: string): void {
    const source = this.sourceOf(value);
    if (source === undefined || (source.node.kind === "map" && source.node.entries.has(key))) return;
    if ((value as Record<string, unknown>)[key] !== undefined) return;
    this.#sayMissing(source.origin, source.node.at, joined(source.path, key), allowed);
  }

  check(schema: Schema, node: SourceNode, origin: Origin, path: string): unknown {
    if (schema.anyOf !== undefined) return this.#checkUnion(schema, node, origin, path);
    if (schema.type === "object") return this.#checkMap(schema, node, origin, path);
    if (schema.type === "array") return this.#checkList(schema, node, origin, path);
    if (schema.type === undefined && schema.const === undefined && schema.enum === undefined) return plain(node);
    if (node.kind !== "scalar") return this.#refuse(schema, node, origin, path);
    const value = scalarOf(schema, node);
    if (value === undefined) return this.#refuse(schema, node, origin, path);
    if (schema.title === SERIES_ROLE) this.seriesRoles.push(value as string);
    return value;
  }

  /** A patched number, checked as if the file had said it; says what is allowed when it is not. */
  static refusalOfNumber(schema: Schema, value: number): string | null {
    const branches = schema.anyOf ?? [schema];
    const numeric = branches.filter(({ type }) => type === "number" || type === "integer");
    if (numeric.length === 0) return "a numeric key";
    return numeric.some((branch) => numberOf(branch, value) !== undefined) ? null : described(numeric[0]);
  }

  #say(origin: Origin, at: number, keyPath: string, found: string, allowed: string): undefined {
    const { line, column } = origin.place(at);
    this.errors.push(inputError({ file: origin.file, line, column, keyPath, found, allowed }));
    return undefined;
  }

  /** A column that a table lacks is said once, at its header. */
  #sayMissing(origin: Origin, at: number, keyPath: string, allowed: string): void {
    const lack = origin.missingColumn?.(keyPath) ?? "cell";
    if (lack === "cell") this.#say(origin, at, keyPath, "nothing", allowed);
    else if (lack === "column") {
      this.errors.push(
        inputError({ file: origin.file, line: 1, column: 1, keyPath, found: "no such column", allowed }),
      );
    }
  }

  #refuse(schema: Schema, node: SourceNode, origin: Origin, path: string): undefined {
    return this.#say(origin, node.at, path, foundIn(node), describedFor(schema, node));
  }

  #checkUnion(schema: Schema, node: SourceNode, origin: Origin, path: string): unknown {
    const branches = schema.anyOf!;
    if (node.kind === "map" && branches.every(isMapping)) {
      const branch = this.#branchFor(branches, node, origin, path);
      return branch === null ? undefined : this.check(branch, node, origin, path);
    }
    if (node.kind === "scalar") {
      const branch = branches.find((candidate) => scalarOf(candidate, node) !== undefined);
      if (branch !== undefined) return this.check(branch, node, origin, path);
    } else {
      const branch = branches.find(({ type }) => type === (node.kind === "map" ? "object" : "array"));
      if (branch !== undefined) return this.check(branch, node, origin, path);
    }
    return this.#refuse(schema, node, origin, path);
  }

  /** The form of a mapping that its telling keys ask for: `component_type`, `kind`, `file` …. */
  #branchFor(branches: readonly Schema[], node: MapNode, origin: Origin, path: string): Schema | null {
    let rest = branches;
    for (const key of tellingKeys(branches)) {
      if (rest.length === 1) break;
      if (!rest.every((branch) => branch.properties?.[key] !== undefined)) continue;
      const choices = rest.flatMap((branch) => choicesOf(branch.properties![key]) ?? []);
      const entry = node.entries.get(key);
      const value = entry?.node.kind === "scalar" ? entry.node.value : undefined;
      if (!choices.includes(value)) {
        const found = entry === undefined ? "nothing" : foundIn(entry.node);
        this.#say(origin, entry?.node.at ?? node.at, joined(path, key), found, choiceText(choices, value));
        return null;
      }
      rest = rest.filter((branch) => choicesOf(branch.properties![key])?.includes(value));
    }
    if (rest.length === 1) return rest[0];
    const marked = rest.find((branch) => {
      const mark = branch.required?.find((key) => rest.every((other) => other === branch || !other.properties?.[key]));
      return mark !== undefined && node.entries.has(mark);
    });
    return marked ?? rest[rest.length - 1];
  }

  #checkMap(schema: Schema, node: SourceNode, origin: Origin, path: string): unknown {
    if (node.kind !== "map") return this.#refuse(schema, node, origin, path);
    const value: Record<string, unknown> = {};
    const { entries } = node;
    const properties = schema.properties;
    // Mappings of the user's own names (a breakdown, columns) are passed on as they are.
    if (properties !== undefined) this.setSource(value, { node, origin, path, schema });
    let meant: Set<string> = NONE;
    for (const [key, entry] of entries) {
      const member = properties === undefined ? patternMember(schema, key) : ownMember(properties, key);
      if (member === undefined) {
        this.#refuseKey(schema, key, entry.keyAt, origin, path);
        meant = new Set([...meant, nearest(key, Object.keys(properties ?? {})) ?? ""]);
      } else {
        const checked = this.check(member, entry.node, origin, joined(path, key));
        if (checked !== undefined) value[key] = checked;
      }
    }
    const count = entries.size;
    if (count < (schema.minProperties ?? 0) || count > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
      const found = count === 0 ? "no key" : listed(entries.keys());
      this.#say(origin, node.at, path, found, `exactly one of ${listed(Object.keys(properties ?? {}))}`);
    }
    if (properties !== undefined) this.#complete(schema, { value, entries, meant }, node, origin, path);
    return value;
  }

  /** Fills in defaults and reports what is missing, unless a mistyped key has been reported in its place. */
  #complete(schema: Schema, found: Found, node: MapNode, origin: Origin, path: string): void {
    const { properties = {}, required } = schema;
    const { value, entries, meant } = found;
    for (const key in properties) {
      if (entries.has(key)) continue;
      const member = properties[key];
      if (member.default !== undefined) value[key] = this.#defaultOf(member, node, origin, joined(path, key));
      else if (required?.includes(key) && !meant.has(key)) {
        this.#sayMissing(origin, node.at, joined(path, key), described(member));
      }
    }
  }

  #defaultOf(schema: Schema, node: SourceNode, origin: Origin, path: string): unknown {
    const value = schema.default;
    if (value === null || typeof value !== "object") {
      return typeof value === "string"
        ? this.check(schema, { kind: "scalar", at: node.at, value, untyped: false }, origin, path)
        : value;
    }
    return this.check(schema, sourceFrom(value, node.at), origin, path);
  }

  #refuseKey(schema: Schema, key: string, at: number, origin: Origin, path: string): void {
    const { properties, patternProperties = {} } = schema;
    if (properties === undefined) {
      const title = Object.keys(patternProperties).join(" or ");
      this.#say(origin, at, joined(path, key), `name ${shown(key)}`, `a name that matches ${title}`);
      return;
    }
    this.#say(origin, at, joined(path, key), "an unknown key", choiceText(Object.keys(properties), key));
  }

  #checkList(schema: Schema, node: SourceNode, origin: Origin, path: string): unknown {
    let items: readonly SourceNode[];
    if (node.kind === "list") items = node.items;
    else if (node.kind === "scalar" && node.untyped) items = cellItems(node);
    else return this.#refuse(schema, node, origin, path);
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (items.length < minItems || items.length > maxItems) {
      return this.#say(origin, node.at, path, `a list of ${items.length}`, described(schema));
    }
    const values: unknown[] = [];
    for (let k = 0; k < items.length; k++) {
      const value = this.check(schema.items ?? {}, items[k], origin, joined(path, k));
      if (value === undefined) continue;
      if (schema.uniqueItems && values.includes(value)) {
        this.#say(origin, items[k].at, joined(path, k), `${shown(value)} again`, "each value once");
      }
      values.push(value);
    }
    return values;
  }
}

/** Why a row may not have a column of this path; `null` when it may. */
export function columnRefusal(schema: Schema, path: readonly string[]): string | null {
  let candidates: Schema[] = flattened([schema]);
  for (const key of path) {
    const names = candidates.flatMap(({ properties }) => Object.keys(properties ?? {}));
    const next = candidates.flatMap((candidate) => {
      if (candidate.type === "array") return /^\d+$/.test(key) && candidate.items ? [candidate.items] : [];
      const member = candidate.properties ? ownMember(candidate.properties, key) : patternMember(candidate, key);
      return member === undefined ? [] : [member];
    });
    if (next.length === 0) return names.length === 0 ? "a shorter path" : choiceText([...new Set(names)], key);
    candidates = flattened(next);
  }
  return null;
}

/** The same with what the text there may have meant. */
function describedFor(schema: Schema, node: SourceNode): string {
  if (node.kind !== "scalar" || typeof node.value !== "string") return described(schema);
  if (schema.format === "date-time") return whyNotAnInstant(node.value);
  const choices = choicesOf(schema);
  return choices !== null && schema.title === undefined ? choiceText(choices, node.value) : described(schema);
}

/** What a schema takes, in words. */
export function described(schema: Schema): string {
  const { title, type, format } = schema;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(described))].join(", or ");
  if (title !== undefined) return title;
  const choices = choicesOf(schema);
  if (choices !== null) return choiceText(choices, undefined);
  if (type === "number" || type === "integer") return describedNumber(schema);
  if (type === "boolean") return "true or false";
  if (type === "null") return "null";
  if (type === "array") return describedList(schema);
  if (type === "object")
    return `a mapping with ${listed(schema.required?.length ? schema.required : Object.keys(schema.properties ?? {})) || "any keys"}`;
  if (format === "date-time") return whyNotAnInstant("");
  if (format === "duration") {
    return `an ISO 8601 duration${schema.exclusiveMinimum === 0 ? " above 0" : ""} of days, hours, minutes and seconds, as in P1DT12H or PT90S`;
  }
  if (format === "signed-duration")
    return "an ISO 8601 duration of days, hours, minutes and seconds, - in front to go back";
  return schema.minLength ? "text, not empty" : "text";
}

function describedNumber({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const noun = type === "integer" ? "a whole number" : "a number";
  const above = exclusiveMinimum === undefined ? "" : ` above ${exclusiveMinimum}`;
  const below = exclusiveMaximum === undefined ? "" : ` below ${exclusiveMaximum}`;
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${noun}, at least ${minimum}${below}`;
  if (maximum !== undefined) return `${noun}${above}, at most ${maximum}`;
  return `${noun}${above}${above && below ? " and" : ""}${below}`;
}

function describedList({ minItems = 0, maxItems, items }: Schema): string {
  const of = items && !isMapping(items) && items.anyOf === undefined ? ` of: ${described(items)}` : "";
  if (maxItems !== undefined) return `a list of ${minItems} to ${maxItems} entries${of}`;
  return minItems > 0 ? `a list of at least ${minItems} ${minItems === 1 ? "entry" : "entries"}${of}` : `a list${of}`;
}

function choiceText(choices: readonly unknown[], found: unknown): string {
  const names = [...new Set(choices.map(String))];
  const all = names.length === 1 ? names[0] : `one of ${listed(names)}`;
  const near = typeof found === "string" ? nearest(found, names) : null;
  return near === null || names.length === 1 ? all : `${near}? (${all})`;
}

/** The value of a scalar under a schema; `undefined` when it does not fit. */
function scalarOf(schema: Schema, node: ScalarNode): unknown {
  const { type } = schema;
  const { value, untyped } = node;
  const choices = choicesOf(schema);
  if (choices !== null) {
    const typed = untyped && typeof choices[0] === "number" ? cellNumber(value as string) : value;
    return choices.includes(typed) ? typed : undefined;
  }
  if (type === "number" || type === "integer") {
    return numberOf(schema, untyped ? cellNumber(value as string) : value);
  }
  if (type === "boolean") {
    if (untyped) return value === "true" ? true : value === "false" ? false : undefined;
    return typeof value === "boolean" ? value : undefined;
  }
  if (type === "null") return value === null ? null : undefined;
  return type === "string" && typeof value === "string" ? textOf(schema, value) : undefined;
}

function numberOf(schema: Schema, value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const fits =
    (schema.type !== "integer" || Number.isInteger(value)) &&
    (minimum === undefined || minimum <= value) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || exclusiveMinimum < value) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum);
  return fits ? value : undefined;
}

function textOf(schema: Schema, value: string): string | number | undefined {
  const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (format === "date-time") {
    const atMs = parseInstantText(value);
    return Number.isNaN(atMs) ? undefined : atMs;
  }
  if (format === "duration") {
    const ms = parseDuration(value);
    return ms === null || (schema.exclusiveMinimum !== undefined && ms <= schema.exclusiveMinimum) ? undefined : ms;
  }
  if (format === "signed-duration") {
    const ms = parseDuration(value.replace(/^-/, ""));
    return ms === null ? undefined : value.startsWith("-") ? -ms || 0 : ms;
  }
  if (value.length < minLength || maxLength < value.length) return undefined;
  return pattern === undefined || compiled(pattern).test(value) ? value : undefined;
}

const patterns = new Map<string, RegExp>();
function compiled(pattern: string): RegExp {
  let made = patterns.get(pattern);
  if (made === undefined) patterns.set(pattern, (made = new RegExp(pattern)));
  return made;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const cellNumber = (cell: string): number | undefined => (NUMBER.test(cell) ? Number(cell) : undefined);

const cellItems = (node: ScalarNode): ScalarNode[] =>
  String(node.value)
    .split(/\s+/)
    .filter((item) => item !== "")
    .map((value) => ({ ...node, value }));

const isMapping = (schema: Schema): boolean => schema.type === "object" || (schema.anyOf?.every(isMapping) ?? false);

const flattened = (schemas: readonly Schema[]): Schema[] =>
  schemas.flatMap((schema) => (schema.anyOf === undefined ? [schema] : flattened(schema.anyOf)));

function choicesOf(schema: Schema): readonly unknown[] | null {
  if (schema.enum !== undefined) return schema.enum;
  return schema.const === undefined ? null : [schema.const];
}

const tellingByUnion = new WeakMap<readonly Schema[], readonly string[]>();

/** Keys that every form requires and that name the form, in the order of the first form. */
function tellingKeys(branches: readonly Schema[]): readonly string[] {
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

const ownMember = (properties: Readonly<Record<string, Schema>>, key: string): Schema | undefined =>
  Object.hasOwn(properties, key) ? properties[key] : undefined;

function patternMember({ patternProperties = {} }: Schema, key: string): Schema | undefined {
  for (const pattern in patternProperties) if (compiled(pattern).test(key)) return patternProperties[pattern];
  return undefined;
}

function foundIn(node: SourceNode): string {
  if (node.kind === "list") return `a list of ${node.items.length}`;
  if (node.kind === "map") return `a mapping (${listed(node.entries.keys(), 5)})`;
  return shown(node.value);
}

function memberAt(node: SourceNode, key: string | number): number {
  if (node.kind === "map") return node.entries.get(String(key))?.node.at ?? node.at;
  return node.kind === "list" ? (node.items[Number(key)]?.at ?? node.at) : node.at;
}

const joined = (path: string, key: string | number): string => (path === "" ? String(key) : `${path}.${key}`);

/** Free content (a request's body) as plain data. */
function plain(node: SourceNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plain);
  return Object.fromEntries([...node.entries].map(([key, entry]) => [key, plain(entry.node)]));
}

function sourceFrom(value: unknown, at: number): SourceNode {
  if (Array.isArray(value)) return { kind: "list", at, items: value.map((item) => sourceFrom(item, at)) };
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).map(
      ([key, member]) => [key, { keyAt: at, node: sourceFrom(member, at) }] as const,
    );
    return { kind: "map", at, entries: new Map(entries) };
  }
  return { kind: "scalar", at, value: value as string | number | boolean | null, untyped: false };
}
