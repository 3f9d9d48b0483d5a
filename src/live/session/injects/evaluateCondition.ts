import type { EpochMs } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import type { Condition } from "../../../inputs/scenario/schema/injectSchema.ts";

/** What a condition reads besides the world. */
export interface ConditionContext {
  readonly world: World;
  /** Sites whose owner was called. */
  readonly calledSites: ReadonlySet<string>;
  /** Commands of the session so far. */
  readonly commands: readonly AnsweredCommand[];
}

export interface AnsweredCommand {
  /** Below the id, without the query. */
  readonly path: string;
  readonly isAccepted: boolean;
}

/** Whether a condition holds now, without regard to `for`. Changes nothing. */
export function holdsNow(condition: Condition, { world, calledSites, commands }: ConditionContext): boolean {
  if ("time" in condition) return condition.time <= world.nowMs;
  if ("owner_call" in condition) return calledSites.has(condition.owner_call);
  if ("command" in condition) {
    const { path, outcome } = condition.command;
    return commands.some((command) => command.path.startsWith(path) && command.isAccepted === (outcome === "accepted"));
  }
  if ("award_in_force" in condition) return isAwardInForce(condition.award_in_force, world);
  const value = measure(condition, world);
  const { above, below } = "soc_pct" in condition ? condition.soc_pct : limitsOf(condition);
  return value !== null && (above === undefined || above < value) && (below === undefined || value < below);
}

/** An award of the scenario is owed from its start to its end, whatever became of it (docs/model/drills.md#obligation). */
function isAwardInForce(id: string, { spec, vpps, nowMs }: World): boolean {
  const award = spec.awards.find(({ awardId }) => awardId === id);
  if (award !== undefined) return award.startMs <= nowMs && nowMs < award.endMs;
  return vpps.some(({ runningInstructions }) => runningInstructions.some(({ awardId }) => awardId === id));
}

type MeasuredCondition = Exclude<
  Condition,
  { time: EpochMs } | { owner_call: string } | { command: object } | { award_in_force: string }
>;

function limitsOf(condition: Exclude<MeasuredCondition, { soc_pct: object }>) {
  if ("delivered_share_pct" in condition) return condition.delivered_share_pct;
  return "uncovered_kw" in condition ? condition.uncovered_kw : condition.weight;
}

/** `null`: there is nothing to measure, such as no award in force. */
function measure(condition: MeasuredCondition, world: World): number | null {
  if ("soc_pct" in condition) {
    const site = world.sites.find(({ spec }) => spec.name === condition.soc_pct.site);
    return site?.resource.socPctAt(world.nowMs) ?? null;
  }
  const { vpp: name } = limitsOf(condition);
  const vpp = name === undefined ? world.vpps[0] : world.vpps.find(({ spec }) => spec.name === name);
  if (vpp === undefined) return null;
  if ("weight" in condition) {
    const site = world.sites.findIndex(({ spec }) => spec.name === condition.weight.site);
    return vpp.findMember(site)?.allocationWeight ?? null;
  }
  const { requestedKw, deliveredKw } = balanceOf(vpp, world);
  if (requestedKw === 0) return null;
  if ("delivered_share_pct" in condition) return (100 * deliveredKw) / requestedKw;
  return Math.max(0, Math.abs(requestedKw) - Math.sign(requestedKw) * deliveredKw);
}

/** Requested and delivered kW of the instructions in force, signed (docs/model/accounting.md#delivered). */
function balanceOf(vpp: Vpp, world: World): { readonly requestedKw: number; readonly deliveredKw: number } {
  let requestedKw = 0;
  const delivering = new Set<number>();
  for (const { deltaTenths, activation, table, membership } of vpp.runningInstructions) {
    requestedKw += (deltaTenths / 10) * activation;
    membership.siteIndices.forEach((site, k) => {
      if (table !== null && table.deltaTenths[k] !== 0) delivering.add(site);
    });
  }
  let deliveredKw = 0;
  for (const site of [...delivering].sort((a, b) => a - b)) {
    const { [site]: member } = world.sites;
    if (member.isInService) deliveredKw += member.kwAt(world.nowMs) - member.reportedBaselineKw(world.nowMs);
  }
  return { requestedKw, deliveredKw };
}
