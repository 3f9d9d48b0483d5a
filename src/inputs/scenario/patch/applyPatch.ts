import type { ExpandedSite, ExpandedVpp } from "../build/expandEntries.ts";
import { diskFiles } from "../disk/diskFiles.ts";
import { openDocument } from "../openDocument.ts";
import { createGlobMatcher } from "../parse/createGlobMatcher.ts";
import { DocumentChecker } from "../parse/documentChecker.ts";
import { formatNameList, formatValue } from "../parse/inputError.ts";
import type { JsonSchema } from "../parse/jsonSchema.ts";
import type { ScenarioFiles } from "../parse/loadContext.ts";
import type { AwardConfig, BidConfig } from "../schema/awardSchema.ts";
import type { ScenarioConfig } from "../schema/scenarioSchema.ts";

/**
 * Targets of study paths: expanded sites, members by site, awards and bids by id (docs/model/studies.md#paths). Changed parts
 * are copied first.
 */
export interface PatchTarget {
  readonly sites: ExpandedSite[];
  readonly vpps: ExpandedVpp[];
  awards: readonly AwardConfig[];
  bids: readonly BidConfig[];
  frequency: ScenarioConfig["frequency"];
}

/** A path that does not exist, or a value that it does not allow. */
export interface PatchRefusal {
  readonly path: string;
  readonly found: string;
  readonly allowed: string;
}

/** `found` of a path that does not exist in the scenario. */
export const NO_SUCH_PATH = "a path that does not exist";

/** A numeric key of one mapping. */
interface NumericKey {
  readonly owner: Record<string, unknown>;
  readonly key: string;
}

/** Sets numbers by study path; one value for all matches. @returns refusals, of which none changed the target */
export function applyPatch(
  checker: DocumentChecker,
  patch: Readonly<Record<string, number>>,
  target: PatchTarget,
): PatchRefusal[] {
  const refusals: PatchRefusal[] = [];
  const copies = new CopyOnWriteTarget(checker, target);
  const pathsByTarget = new Map<object, Map<string, string>>();
  for (const [path, value] of Object.entries(patch)) {
    const slots = copies.findNumbers(path);
    if (typeof slots === "string") {
      refusals.push({ path, found: NO_SUCH_PATH, allowed: slots });
      continue;
    }
    for (const { owner, key } of slots) {
      const limits = memberSchema(checker.sourceOf(owner)?.schema, key);
      const refusal = limits === undefined ? "a numeric key" : DocumentChecker.describeNumberError(limits, value);
      if (refusal !== null) {
        refusals.push({ path, found: formatValue(value), allowed: refusal });
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
      owner[key] = value;
    }
  }
  return refusals;
}

/** Values at a path, in scenario order; NaN for an absent key; `null` for a path that does not exist. */
export function readNumbersAt(checker: DocumentChecker, path: string, target: PatchTarget): number[] | null {
  const slots = new CopyOnWriteTarget(checker, target).findNumbers(path);
  if (typeof slots === "string") return null;
  return slots.map(({ owner, key }) => (typeof owner[key] === "number" ? owner[key] : Number.NaN));
}

const memberSchema = (schema: JsonSchema | undefined, key: string): JsonSchema | undefined =>
  schema?.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;

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
  findNumbers(path: string): NumericKey[] | string {
    const [head, name = "", ...rest] = path.split(".");
    if (head === "weights" && rest.length === 1) return this.weights(name, rest[0]);
    if (head === "sites" && rest.length > 0) return this.sites(name, rest);
    if (head === "vpps" && rest.length === 1) return this.vpp(name, rest[0]);
    if (head === "awards" && rest.length === 1) return this.award(name, rest[0]);
    if (head === "bids" && rest.length === 1) return this.bids(name, rest[0]);
    if (head === "frequency") return this.frequency([name, ...rest]);
    return "weights.<vpp>.<site glob>, sites.<glob>.<key>, vpps.<name>.<key>, awards.<award_id>.<key>, bids.<bid_id glob>.<key> or frequency.<key>";
  }

  private weights(vppName: string, glob: string): NumericKey[] | string {
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

  private sites(glob: string, keys: readonly string[]): NumericKey[] | string {
    const { sites } = this.target;
    const test = createGlobMatcher(glob);
    const slots: NumericKey[] = [];
    for (let k = 0; k < sites.length; k++) {
      if (!test(sites[k].name)) continue;
      sites[k] = { ...sites[k], config: this.copied(sites[k].config) };
      const within = this.within(sites[k].config, keys);
      if (typeof within === "string") return `${within} (in site ${sites[k].name})`;
      slots.push(...within);
    }
    return slots.length > 0
      ? slots
      : `a glob that matches a site (${formatNameList(
          sites.map(({ name }) => name),
          12,
        )})`;
  }

  private vpp(name: string, key: string): NumericKey[] | string {
    const vpp = this.target.vpps.find(({ config }) => config.name === name);
    if (vpp === undefined)
      return `one of the VPPs ${formatNameList(this.target.vpps.map(({ config }) => config.name))}`;
    vpp.config = this.copied(vpp.config);
    return this.within(vpp.config, [key]);
  }

  private award(id: string, key: string): NumericKey[] | string {
    const { awards } = this.target;
    const k = awards.findIndex(({ award_id }, place) => (award_id ?? `A-${place + 1}`) === id);
    if (k < 0) return "the award_id of an award";
    const award = this.copied(awards[k]);
    if (award !== awards[k]) this.target.awards = awards.with(k, award);
    return this.within(award, [key]);
  }

  private bids(glob: string, key: string): NumericKey[] | string {
    const test = createGlobMatcher(glob);
    const slots: NumericKey[] = [];
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

  private frequency(keys: readonly string[]): NumericKey[] | string {
    const { frequency } = this.target;
    if (frequency === undefined) return this.within(frequency, keys);
    this.target.frequency = this.copied(frequency);
    return this.within(this.target.frequency, keys);
  }

  /** Resolves nested keys; list entries by component_id or index. */
  private within(root: object | undefined, keys: readonly string[]): NumericKey[] | string {
    if (root === undefined) return "a key that the file gives correctly";
    let owner = root as Record<string, unknown>;
    for (let k = 0; k < keys.length - 1; k++) {
      const next = Array.isArray(owner)
        ? (owner.find((item) => item.component_id === keys[k]) ?? owner[Number(keys[k])])
        : Object.hasOwn(owner, keys[k])
          ? owner[keys[k]]
          : undefined;
      if (next === null || typeof next !== "object") return `a key that exists in place of ${formatValue(keys[k])}`;
      owner = next as Record<string, unknown>;
    }
    const key = keys[keys.length - 1];
    const schema = this.checker.sourceOf(owner)?.schema;
    if (memberSchema(schema, key) === undefined) {
      return `one of ${formatNameList(Object.keys(schema?.properties ?? {}))} in place of ${formatValue(key)}`;
    }
    return [{ owner, key }];
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
 * Reads a patch: a YAML mapping from study path to number (docs/model/studies.md#paths), such as `best.patch.yaml` of a
 * study. Loading a scenario with the patch checks whether its paths exist.
 *
 * @throws InputErrors with all errors
 */
export function readPatch(file: string, files: ScenarioFiles = diskFiles): Readonly<Record<string, number>> {
  const { root, origin, errors } = openDocument(file, "a YAML file of paths and numbers", files);
  const patch = new Map<string, number>();
  const refuse = (at: number, keyPath: string, found: string, allowed: string) =>
    errors.report({ file, ...origin.locate(at), keyPath, found, allowed });
  if (root.kind !== "map") refuse(root.position, "", `a ${root.kind}`, "a mapping from path to number");
  else
    for (const [path, { node }] of root.entries) {
      const value = node.kind === "scalar" ? node.value : null;
      if (typeof value === "number" && Number.isFinite(value)) patch.set(path, value);
      else refuse(node.position, path, node.kind === "scalar" ? formatValue(value) : `a ${node.kind}`, "a number");
    }
  if (errors.count > 0) throw errors.toInputErrors();
  return Object.fromEntries(patch);
}
