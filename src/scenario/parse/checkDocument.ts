import { SERIES_ROLE } from "../schema/shapes.ts";
import { choiceText, described, describedFor } from "./describeSchema.ts";
import { type InputError, inputError, listed, shown } from "./inputError.ts";
import { nearest } from "./nearest.ts";
import { cellItems, numberOf, scalarOf } from "./readScalar.ts";
import { choicesOf, isMapping, ownMember, patternMember, type Schema, tellingKeys } from "./schemaShape.ts";
import type { MapNode, Origin, SourceNode } from "./sourceNode.ts";

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
