import { platform } from "#platform";
import { formatNameList, formatValue } from "../../../base/inputError.ts";
import type { ExpandedSite, ExpandedVpp } from "../build/expandEntries.ts";
import { openDocument } from "../openDocument.ts";
import { createGlobMatcher } from "../parse/createGlobMatcher.ts";
import { createSourceNode, DocumentChecker } from "../parse/documentChecker.ts";
import { type JsonSchema, patternPropertySchema, propertySchema } from "../parse/jsonSchema.ts";
import type { ScenarioFiles } from "../parse/loadContext.ts";
import type { AwardConfig, BidConfig } from "../schema/awardSchema.ts";
import type { ScenarioConfig } from "../schema/scenarioSchema.ts";
import type { SettlementConfig } from "../schema/settlementSchema.ts";
import {
  CHANGE_ALLOWED,
  isPatchValue,
  isWord,
  NOTHING_TO_SCALE,
  type Patch,
  type PatchValue,
  patchedNumber,
} from "./patchValue.ts";

/**
 * Targets of study paths: expanded sites, members by site, awards and bids by id (docs/model/studies.md#paths). Changed parts
 * are copied first.
 */
export interface PatchTarget {
  readonly sites: ExpandedSite[];
  readonly vpps: ExpandedVpp[];
  awards: readonly AwardConfig[];
  bids: readonly BidConfig[];
  /** The parts of the file that paths name by their keys. */
  parts: Pick<ScenarioConfig, "frequency" | "market" | "investment"> & { readonly settlement?: SettlementConfig };
}

/** Keys of the file whose numbers have paths, and the keys below them that have none. */
const PATCHED_PARTS = { frequency: null, market: null, settlement: "values", investment: null } as const;
type PatchedPart = keyof typeof PATCHED_PARTS;

const isPatchedPart = (name: string): name is PatchedPart => Object.hasOwn(PATCHED_PARTS, name);

/** A path that does not exist, or a value that it does not allow. */
export interface PatchRefusal {
  readonly path: string;
  readonly found: string;
  readonly allowed: string;
}

/** `found` of a path that does not exist in the scenario. */
export const NO_SUCH_PATH = "a path that does not exist";

const PATH_FORMS =
  "weights.<vpp>.<site glob>, sites.<glob>.<key>, vpps.<name>.<key>, awards.<award_id>.<key>, bids.<bid_id glob>.<key>, frequency.<key>, market.<key>, settlement.values.<key> or investment.<key>";

/** A key of one mapping, of a number or of words. */
interface PatchedKey {
  readonly owner: Record<string, unknown>;
  readonly key: string;
}

/** Sets or changes numbers and words by study path, alike for all matches. @returns refusals, of which none changed the target */
export function applyPatch(checker: DocumentChecker, patch: Patch, target: PatchTarget): PatchRefusal[] {
  const refusals: PatchRefusal[] = [];
  const copies = new CopyOnWriteTarget(checker, target);
  const pathsByTarget = new Map<object, Map<string, string>>();
  for (const [path, value] of Object.entries(patch)) {
    const slots = copies.findKeys(path);
    if (typeof slots === "string") {
      refusals.push({ path, found: NO_SUCH_PATH, allowed: slots });
      continue;
    }
    for (const { owner, key } of slots) {
      const set = checkValue(memberSchema(checker.sourceOf(owner)?.schema, key), value, owner[key]);
      if (!set.ok) {
        refusals.push({ path, found: set.found, allowed: set.allowed });
        break;
      }
      const byKey = pathsByTarget.get(owner) ?? new Map<string, string>();
      pathsByTarget.set(owner, byKey);
      const other = byKey.get(key);
      if (other !== undefined) {
        refusals.push({ path, found: `a target that ${other} sets too`, allowed: "one path for each target" });
        break;
      }
      byKey.set(key, path);
      owner[key] = set.value;
    }
  }
  return refusals;
}

type CheckedValue =
  | { readonly ok: true; readonly value: PatchValue }
  | { readonly ok: false; readonly found: string; readonly allowed: string };

/** @param written  the value before */
function checkValue(schema: JsonSchema | undefined, value: PatchValue, written: unknown): CheckedValue {
  const found = formatValue(value);
  if (schema?.enum !== undefined) {
    const isAllowed = schema.enum.some((word) => word === value);
    return isAllowed ? { ok: true, value } : { ok: false, found, allowed: `one of ${formatNameList(schema.enum)}` };
  }
  if (isWord(value)) return { ok: false, found, allowed: CHANGE_ALLOWED };
  const number = patchedNumber(value, written);
  if (number === null) return { ok: false, found, allowed: NOTHING_TO_SCALE };
  const allowed = schema === undefined ? "a numeric key" : DocumentChecker.describeNumberError(schema, number);
  if (allowed === null) return { ok: true, value: number };
  return { ok: false, found: typeof value === "number" ? found : `${found} (${number})`, allowed };
}

/** Values at a path, in scenario order; `null` for an absent key, and for a path that does not exist. */
export function readValuesAt(
  checker: DocumentChecker,
  path: string,
  target: PatchTarget,
): (PatchValue | null)[] | null {
  const slots = new CopyOnWriteTarget(checker, target).findKeys(path);
  if (typeof slots === "string") return null;
  return slots.map(({ owner, key }) => {
    const value = owner[key];
    return typeof value === "number" || typeof value === "string" ? value : null;
  });
}

function memberSchema(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  return schema.properties === undefined ? patternPropertySchema(schema, key) : propertySchema(schema.properties, key);
}

/** The keys that were found, or why there are none. @param unmatched  where nothing matches */
function mergeSlots(found: readonly (PatchedKey[] | string)[], unmatched: string): PatchedKey[] | string {
  const slots = found.flatMap((each) => (typeof each === "string" ? [] : each));
  return slots.length > 0 ? slots : (found.find((each) => typeof each === "string") ?? unmatched);
}

/** Resolves paths. Data shared by several sites or members is copied before a change. */
class CopyOnWriteTarget {
  private readonly checker: DocumentChecker;
  private readonly target: PatchTarget;
  private readonly copies = new Set<object>();

  constructor(checker: DocumentChecker, target: PatchTarget) {
    this.checker = checker;
    this.target = target;
  }

  /** The numeric keys at a path, or a description of valid paths. */
  findKeys(path: string): PatchedKey[] | string {
    const [head, name = "", ...rest] = path.split(".");
    if (head === "weights" && rest.length === 1) return this.weights(name, rest[0]);
    if (head === "sites" && rest.length > 0) return this.sites(name, rest);
    if (head === "vpps" && rest.length === 1) return this.vpp(name, rest[0]);
    if (head === "awards" && rest.length === 1) return this.award(name, rest[0]);
    if (head === "bids" && rest.length === 1) return this.bids(name, rest[0]);
    if (isPatchedPart(head)) return this.part(head, [name, ...rest]);
    return PATH_FORMS;
  }

  private weights(vppName: string, glob: string): PatchedKey[] | string {
    const { vpps, sites } = this.target;
    const vpp = vpps.find(({ config }) => config.name === vppName);
    if (vpp === undefined) return `one of the VPPs ${formatNameList(vpps.map(({ config }) => config.name))}`;
    const test = createGlobMatcher(glob);
    const members = vpp.members.filter(({ siteIndex }) => test(sites[siteIndex].name));
    if (members.length === 0) return `a glob that matches a member of ${vppName}`;
    return members.map((member) => {
      member.config = this.copied(member.config);
      return { owner: member.config, key: "allocation_weight" };
    });
  }

  private sites(glob: string, keys: readonly string[]): PatchedKey[] | string {
    const { sites } = this.target;
    const test = createGlobMatcher(glob);
    const passesOver = keys.some((key, k) => keys[k - 1] === "components" && key.includes("*"));
    const found: (PatchedKey[] | string)[] = [];
    for (let k = 0; k < sites.length; k++) {
      if (!test(sites[k].name)) continue;
      sites[k] = { ...sites[k], config: this.copied(sites[k].config) };
      const within = this.within(sites[k].config, keys);
      found.push(typeof within === "string" ? `${within} (in site ${sites[k].name})` : within);
      if (typeof within === "string" && !passesOver) return found[found.length - 1];
    }
    const names = sites.map(({ name }) => name);
    return mergeSlots(found, `a glob that matches a site (${formatNameList(names, 12)})`);
  }

  private vpp(name: string, key: string): PatchedKey[] | string {
    const vpp = this.target.vpps.find(({ config }) => config.name === name);
    if (vpp === undefined)
      return `one of the VPPs ${formatNameList(this.target.vpps.map(({ config }) => config.name))}`;
    vpp.config = this.copied(vpp.config);
    return this.within(vpp.config, [key]);
  }

  private award(id: string, key: string): PatchedKey[] | string {
    const { awards } = this.target;
    const k = awards.findIndex(({ award_id }, place) => (award_id ?? `A-${place + 1}`) === id);
    if (k < 0) return "the award_id of an award";
    const award = this.copied(awards[k]);
    if (award !== awards[k]) this.target.awards = awards.with(k, award);
    return this.within(award, [key]);
  }

  private bids(glob: string, key: string): PatchedKey[] | string {
    const test = createGlobMatcher(glob);
    const slots: PatchedKey[] = [];
    this.target.bids = this.target.bids.map((bid, place) => {
      if (!test(bid.bid_id ?? `B-${place + 1}`)) return bid;
      const copy = this.copied(bid);
      slots.push({ owner: copy as Record<string, unknown>, key });
      return copy;
    });
    if (slots.length === 0) return "a glob that matches the bid_id of a bid";
    const within = this.within(slots[0].owner, [key]);
    return typeof within === "string" ? within : slots;
  }

  private part(name: PatchedPart, keys: readonly string[]): PatchedKey[] | string {
    const part = this.target.parts[name];
    const only = PATCHED_PARTS[name];
    if (part === undefined) return `a scenario with the key ${name}`;
    if (only !== null && keys[0] !== only) return `${name}.${only}.<key>`;
    const copy = this.copied(part);
    this.target.parts = { ...this.target.parts, [name]: copy };
    return this.within(copy, keys);
  }

  /** Resolves nested keys; list entries by component_id, a glob of them, or index. */
  private within(root: object | undefined, [key, ...rest]: readonly string[]): PatchedKey[] | string {
    if (root === undefined) return "a key that the file gives correctly";
    const owner = root as Record<string, unknown>;
    if (rest.length === 0) {
      const schema = this.checker.sourceOf(owner)?.schema;
      if (memberSchema(schema, key) !== undefined) return [{ owner, key }];
      return `one of ${formatNameList(Object.keys(schema?.properties ?? {}))} in place of ${formatValue(key)}`;
    }
    if (Array.isArray(root) && key.includes("*")) return this.amongItems(root, key, rest);
    const next = Array.isArray(root)
      ? (root.find((item) => item.component_id === key) ?? root[Number(key)])
      : Object.hasOwn(owner, key)
        ? owner[key]
        : this.mappingOfDefaults(owner, key);
    if (next === null || typeof next !== "object") return `a key that exists in place of ${formatValue(key)}`;
    this.noteSource(next, owner, key);
    return this.within(next, rest);
  }

  /** An optional mapping that is absent, where all of its keys have defaults. */
  private mappingOfDefaults(owner: Record<string, unknown>, key: string): unknown {
    const source = this.checker.sourceOf(owner);
    const schema = memberSchema(source?.schema, key);
    if (source === undefined || schema?.properties === undefined || (schema.required ?? []).length > 0)
      return undefined;
    const { node, origin, path } = source;
    owner[key] = this.checker.check(schema, createSourceNode({}, node.position), origin, `${path}.${key}`);
    return owner[key];
  }

  /** Components that match a glob; those of kinds without the key are passed over. */
  private amongItems(items: readonly { component_id?: string }[], glob: string, keys: readonly string[]) {
    const test = createGlobMatcher(glob);
    const matching = items.filter(({ component_id: id }) => id !== undefined && test(id));
    return mergeSlots(
      matching.map((item) => this.within(item, keys)),
      `a glob that matches a component_id in place of ${formatValue(glob)}`,
    );
  }

  /** Mappings with keys of the user, such as prices by product, have no source of their own. */
  private noteSource(value: object, owner: object, key: string): void {
    const source = this.checker.sourceOf(owner);
    const schema = memberSchema(source?.schema, key);
    if (source !== undefined && schema?.patternProperties !== undefined && this.checker.sourceOf(value) === undefined)
      this.checker.setSource(value, { ...source, schema });
  }

  private copied<T extends object>(value: T): T {
    if (this.copies.has(value)) return value;
    const copy = this.deepCopy(value) as T;
    this.copies.add(copy);
    return copy;
  }

  private deepCopy(value: unknown): unknown {
    if (value === null || typeof value !== "object") return value;
    const copy = Array.isArray(value)
      ? value.map((item) => this.deepCopy(item))
      : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.deepCopy(member)]));
    const source = this.checker.sourceOf(value);
    if (source !== undefined) this.checker.setSource(copy as object, source);
    return copy;
  }
}

/**
 * Reads a patch: a YAML mapping from study path to a number or a change (docs/model/studies.md#paths), such as
 * `best.patch.yaml` of a study. Loading a scenario with the patch checks whether its paths exist.
 *
 * @throws InputErrors with all errors
 */
export function readPatch(file: string, files: ScenarioFiles = platform.files): Patch {
  const { root, origin, errors } = openDocument(file, "a YAML file of paths and numbers", files);
  const patch = new Map<string, PatchValue>();
  const refuse = (at: number, keyPath: string, found: string, allowed: string) =>
    errors.report({ file, ...origin.locate(at), keyPath, found, allowed });
  if (root.kind !== "map") refuse(root.position, "", `a ${root.kind}`, "a mapping from path to number");
  else
    for (const [path, { node }] of root.entries) {
      const value = node.kind === "scalar" ? node.value : null;
      if (isPatchValue(value)) patch.set(path, value);
      else refuse(node.position, path, node.kind === "scalar" ? formatValue(value) : `a ${node.kind}`, CHANGE_ALLOWED);
    }
  if (errors.count > 0) throw errors.toInputErrors();
  return Object.fromEntries(patch);
}
