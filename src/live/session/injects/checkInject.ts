import { ROUTES } from "../../../api/endpoints/routes.ts";
import { formatValue } from "../../../base/inputError.ts";
import { type EpochMs, isoUtc } from "../../../base/time.ts";
import { sitesForFault } from "../../../engine/simulation/faultSites.ts";
import type { WorldSpec } from "../../../engine/simulation/worldSpec.ts";
import { kindOf } from "../../../engine/site/components/registry.ts";
import type { DocumentChecker } from "../../../inputs/scenario/parse/documentChecker.ts";
import { allowedName } from "../../../inputs/scenario/parse/nearestName.ts";
import { checkFaultKeys } from "../../../inputs/scenario/schema/faultSchema.ts";
import type { Condition, InjectSpec } from "../../../inputs/scenario/schema/injectSchema.ts";

/** What conditions and injects may name. */
export interface KnownNames {
  readonly sites: readonly string[];
  /** The sites that can have a fault of a kind. */
  readonly sitesFor: (fault: Pick<InjectSpec, "kind" | "sensor">) => ReturnType<typeof sitesForFault>;
  /** Sites with a state of charge. */
  readonly storageSites: readonly string[];
  /** Names of the sites that are members at some instant, by VPP; the first VPP is the one without a name. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** Awards that can be in force in the period. */
  readonly awards: readonly string[];
  /** Whether the session has calls to the owners of sites. */
  readonly hasOwnerCalls: boolean;
  /** Half-open; every instant of an inject lies in it. */
  readonly period: { readonly startMs: EpochMs; readonly endMs: EpochMs };
}

/** Names of a scenario; its awards are those that overlap the period. */
export function knownNames(
  { sites, vpps, awards, instructions, events }: WorldSpec,
  { period, hasOwnerCalls }: Pick<KnownNames, "period" | "hasOwnerCalls">,
): KnownNames {
  const nameOf = (site: number): string => sites[site].name;
  const stores = sites.filter(({ components }) =>
    components.some((component) => kindOf(component).accounting.energyRole(component) === "storage"),
  );
  const joining = (vpp: number): string[] =>
    events.flatMap((event) => (event.kind === "add_member" && event.vpp === vpp ? [nameOf(event.site)] : []));
  const executed = [
    ...awards,
    ...instructions.map(({ awardId, atMs, durationMs }) => ({ awardId, startMs: atMs, endMs: atMs + durationMs })),
  ];
  return {
    sites: sites.map(({ name }) => name),
    sitesFor: (fault) => sitesForFault(fault, sites),
    storageSites: stores.map(({ name }) => name),
    members: new Map(
      vpps.map(({ name, members }, vpp) => [
        name,
        [...new Set([...members.map(({ site }) => nameOf(site)), ...joining(vpp)])],
      ]),
    ),
    awards: executed
      .filter(({ startMs, endMs }) => startMs < period.endMs && period.startMs < endMs)
      .map(({ awardId }) => awardId),
    hasOwnerCalls,
    period,
  };
}

/** Checks what an inject names, its instant and its further keys. Reports at the inject or at its condition. */
export function checkInject(checker: DocumentChecker, inject: InjectSpec, known: KnownNames): void {
  const { what, names } = known.sitesFor(inject);
  checkName(checker, [inject, "site"], what, names);
  if (inject.at !== undefined && inject.when !== undefined)
    checker.reportError(inject, "when", "both at and when", "one of them");
  if (inject.at !== undefined) checkInstant(checker, inject, "at", known);
  checkFaultKeys(checker, inject);
  if (inject.when !== undefined) checkCondition(checker, inject.when, known);
}

/** Checks what a condition names, and that it can hold. */
export function checkCondition(checker: DocumentChecker, condition: Condition, known: KnownNames): void {
  if ("time" in condition) checkInstant(checker, condition, "time", known);
  else if ("award_in_force" in condition)
    checkName(checker, [condition, "award_in_force"], "an award that is in force in the period", known.awards);
  else if ("owner_call" in condition) {
    checkName(checker, [condition, "owner_call"], "a site of the scenario", known.sites);
    if (!known.hasOwnerCalls)
      checker.reportError(
        condition,
        "owner_call",
        "a call to an owner, which the drill does not permit",
        "owner_calls in may",
      );
  } else if ("command" in condition) checkCommandPath(checker, condition.command);
  else if ("soc_pct" in condition) {
    checkLimits(checker, condition.soc_pct);
    checkName(checker, [condition.soc_pct, "site"], "a site with a storage", known.storageSites);
  } else if ("weight" in condition) {
    checkLimits(checker, condition.weight);
    const members = checkVpp(checker, condition.weight, known);
    if (members !== null) checkName(checker, [condition.weight, "site"], "a member of the VPP", members);
  } else {
    const limits = "uncovered_kw" in condition ? condition.uncovered_kw : condition.delivered_share_pct;
    checkLimits(checker, limits);
    checkVpp(checker, limits, known);
  }
}

/**
 * @returns site names of the members of the VPP that a mapping names, or of the first VPP; `null` for an unknown name
 */
export function checkVpp(
  checker: DocumentChecker,
  owner: { readonly vpp?: string },
  { members }: Pick<KnownNames, "members">,
): readonly string[] | null {
  if (owner.vpp === undefined) return [...members.values()][0] ?? null;
  checkName(checker, [owner, "vpp"], "a VPP of the scenario", [...members.keys()]);
  return members.get(owner.vpp) ?? null;
}

/** Reports a name that is not in `names`. */
export function checkName<Key extends string>(
  checker: DocumentChecker,
  [owner, key]: readonly [owner: { readonly [K in Key]: string } | { readonly [K in Key]?: string }, key: Key],
  what: string,
  names: readonly string[],
): void {
  const { [key]: name } = owner as Record<Key, string>;
  if (!names.includes(name)) checker.reportError(owner, key, formatValue(name), allowedName(what, name, names));
}

function checkLimits(checker: DocumentChecker, limits: { readonly above?: number; readonly below?: number }): void {
  const { above, below } = limits;
  if (above === undefined && below === undefined)
    checker.reportError(limits, null, "neither above nor below", "a limit: above, below or both");
  else if (above !== undefined && below !== undefined && below <= above)
    checker.reportError(limits, "below", formatValue(below), `a number above that of above, ${above}`);
}

function checkInstant<Key extends string>(
  checker: DocumentChecker,
  owner: { readonly [K in Key]?: EpochMs },
  key: Key,
  { period: { startMs, endMs } }: KnownNames,
): void {
  const atMs = (owner as Record<Key, EpochMs>)[key];
  if (startMs <= atMs && atMs < endMs) return;
  const allowed = `an instant of the period, from ${isoUtc(startMs)} until before ${isoUtc(endMs)}`;
  checker.reportError(owner, key, isoUtc(atMs), allowed);
}

/** Paths below the id of the commands of all APIs. */
const COMMAND_PATHS: readonly string[] = [
  ...new Set(
    Object.values(ROUTES).flatMap((routes) => routes.filter(({ isCommand }) => isCommand).map(({ path }) => path)),
  ),
].sort();

function checkCommandPath(checker: DocumentChecker, command: { readonly path: string }): void {
  if (COMMAND_PATHS.some((path) => isStartOf(command.path, path))) return;
  checker.reportError(
    command,
    "path",
    formatValue(command.path),
    `the start of the path of a command: ${COMMAND_PATHS.join(", ")}`,
  );
}

/** Whether a text is the start of some path of a pattern, whose `{name}` parts match any text. */
function isStartOf(text: string, pattern: string): boolean {
  const [given, parts] = [text.split("/"), pattern.split("/")];
  const isVariable = (k: number): boolean => parts[k]?.startsWith("{") === true;
  return given.every((part, k) =>
    k === given.length - 1 ? isVariable(k) || parts[k]?.startsWith(part) === true : isVariable(k) || parts[k] === part,
  );
}
