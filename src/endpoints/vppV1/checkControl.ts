import { accepted, type Refusal, type Result, refused } from "../../base/result.ts";
import { roundKw } from "../../base/rounding.ts";
import type { World } from "../../simulation/world.ts";
import { checkAmounts, type RequestAmounts } from "../../vpp/instructions/checkAmounts.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import { VppControlRequest } from "../schemas/vppCommands.ts";
import { isTimeKey, periodRefusal, timeKeysRefusal } from "../shared/controlTimes.ts";
import { type ShapeProblem, shapeProblems } from "../shared/shapeProblems.ts";

/** A control request that the world can be asked to carry out. */
export interface CheckedControl {
  readonly request: VppControlRequest;
  readonly amounts: RequestAmounts;
  /** One per site of the world, NaN where none was given. */
  readonly baselinesKw: Float64Array;
}

/** All that can be said of a control request without asking what the members can do, in the order of docs/model/apis.md#control-order. */
export function checkControl(world: World, vpp: Vpp, body: unknown): Result<CheckedControl> {
  const rounded = withRoundedBaselines(body);
  const problems = shapeProblems(VppControlRequest, rounded);
  const head = problems.find(isOfHead);
  if (head !== undefined) return refused(head.refusal);
  // The head is in order: it is an object with keys that are known, each of which is looked at in its turn.
  const request = rounded as VppControlRequest;
  const refusal =
    amountsRefusal(request, problems) ?? timesRefusal(world, request, problems) ?? baselinesRefusal(request, problems);
  if (refusal !== null) return refused(refusal);
  const baselines = readBaselines(world, vpp, request);
  return baselines.ok ? accepted({ request, amounts: amountsOf(request), baselinesKw: baselines.value }) : baselines;
}

/** Baselines count as rounded to 0.1 kW, also against their range (docs/model/time.md#rounding-requests, docs/model/apis.md#wire-numbers). */
function withRoundedBaselines(body: unknown): unknown {
  if (body === null || typeof body !== "object" || !("member_baselines" in body)) return body;
  const { member_baselines: entries } = body;
  if (!Array.isArray(entries)) return body;
  return { ...body, member_baselines: entries.map(withRoundedBaseline) };
}

function withRoundedBaseline(entry: unknown): unknown {
  if (entry === null || typeof entry !== "object" || !("baseline_kw" in entry)) return entry;
  const { baseline_kw: givenKw } = entry;
  if (typeof givenKw !== "number") return entry;
  const baselineKw = roundKw(givenKw);
  return Object.is(baselineKw, givenKw) ? entry : { ...entry, baseline_kw: baselineKw };
}

const isOfHead = ({ parameter, keyword }: ShapeProblem): boolean =>
  parameter === "" ||
  parameter === "type" ||
  parameter === "sku" ||
  (keyword === "additionalProperties" && !/[.[]/.test(parameter));

const AMOUNTS = /^(delta_kw|fcr_response_kw|compound_breakdown)\b/;

/** Ranges are the rules' own business, which round first. */
function amountsRefusal(request: VppControlRequest, problems: readonly ShapeProblem[]): Refusal | null {
  const shape = problems.find(({ parameter, keyword }) => AMOUNTS.test(parameter) && !/imum$/.test(keyword));
  if (shape !== undefined) return shape.refusal;
  const fault = checkAmounts(amountsOf(request));
  if (fault === null) return null;
  const { found: _, allowed: __, ...refusal } = fault;
  const received = request[fault.parameter];
  return received === undefined ? refusal : { ...refusal, receivedValue: received };
}

const amountsOf = ({ sku, delta_kw, fcr_response_kw, compound_breakdown }: VppControlRequest): RequestAmounts => ({
  sku: sku ?? null,
  deltaKw: delta_kw ?? null,
  fcrResponseKw: fcr_response_kw ?? null,
  compoundBreakdown: compound_breakdown ?? null,
});

function timesRefusal(world: World, request: VppControlRequest, problems: readonly ShapeProblem[]): Refusal | null {
  const refusal = timeKeysRefusal(request) ?? problems.find(({ parameter }) => isTimeKey(parameter))?.refusal;
  if (refusal !== undefined) return refusal;
  const { start_time, end_time } = request;
  if (start_time === undefined || end_time === undefined) return null;
  return periodRefusal({ start_time, end_time }, world.nowMs);
}

function baselinesRefusal({ member_baselines }: VppControlRequest, problems: readonly ShapeProblem[]): Refusal | null {
  const isAbsent = member_baselines === undefined;
  if (isAbsent || (Array.isArray(member_baselines) && member_baselines.length === 0)) {
    return {
      kind: "member_baselines_required",
      details: `member_baselines is ${isAbsent ? "absent" : "empty"}; every member in service needs a baseline`,
      parameter: "member_baselines",
      requiredAction: "Give the baseline of every member in service",
    };
  }
  return problems.find(({ parameter }) => parameter.startsWith("member_baselines"))?.refusal ?? null;
}

/** Puts the baselines at their sites. */
function readBaselines(world: World, vpp: Vpp, { member_baselines }: VppControlRequest): Result<Float64Array> {
  const baselinesKw = new Float64Array(world.sites.length).fill(Number.NaN);
  const members = new Set(vpp.membership.siteIndices);
  for (const { ems_id: emsId, baseline_kw: baselineKw } of member_baselines) {
    const site = world.siteById(emsId);
    if (site === undefined || !members.delete(site.index))
      return refused(unknownBaselineRefusal(vpp, world, member_baselines));
    baselinesKw[site.index] = baselineKw;
  }
  return accepted(baselinesKw);
}

/** What is wrong with entries of which one is: a second one of a member comes before one of no member. */
function unknownBaselineRefusal(vpp: Vpp, world: World, entries: VppControlRequest["member_baselines"]): Refusal {
  const seen = new Set<string>();
  for (const [k, { ems_id: emsId }] of entries.entries()) {
    if (seen.has(emsId)) {
      const details = `${emsId} has two baselines; each member has one`;
      return { kind: "member_baselines_duplicate", details, ...entryOf(k, emsId) };
    }
    seen.add(emsId);
  }
  const isMember = (emsId: string): boolean => {
    const site = world.siteById(emsId);
    return site !== undefined && vpp.findMember(site.index) !== undefined;
  };
  const k = entries.findIndex(({ ems_id: emsId }) => !isMember(emsId));
  const details = `${entries[k].ems_id} is not a member of this VPP`;
  return { kind: "member_baselines_unknown_ems", details, ...entryOf(k, entries[k].ems_id) };
}

const entryOf = (k: number, emsId: string) => ({
  parameter: `member_baselines[${k}].ems_id`,
  receivedValue: emsId,
  emsId,
});
