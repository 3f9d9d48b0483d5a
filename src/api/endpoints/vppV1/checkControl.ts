import { accepted, type Refusal, type Result, refused } from "../../../base/result.ts";
import { roundKw } from "../../../base/rounding.ts";
import type { World } from "../../../engine/simulation/world.ts";
import { checkAmounts, type RequestAmounts } from "../../../engine/vpp/instructions/checkAmounts.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import { VppControlRequest } from "../schemas/vppSchemas.ts";
import { isTimeKey, periodRefusal, timeKeysRefusal } from "../shared/controlTimes.ts";
import { type ShapeProblem, shapeProblems } from "../shared/shapeProblems.ts";

/** A control request that satisfies all rules that do not depend on the members' capability. */
export interface CheckedControl {
  readonly request: VppControlRequest;
  readonly amounts: RequestAmounts;
  /** One per site of the world; NaN: none given. */
  readonly baselinesKw: Float64Array;
}

/** Checks a control request, except for the members' capability, in the order of docs/model/apis.md#control-order. */
export function checkControl(world: World, vpp: Vpp, body: unknown): Result<CheckedControl> {
  const rounded = withRoundedBaselines(body);
  const problems = shapeProblems(VppControlRequest, rounded);
  const head = problems.find(isOfHead);
  if (head !== undefined) return refused(head.refusal);
  // The head is valid: the body is an object without unknown keys. The remaining keys are checked one by one below.
  const request = rounded as VppControlRequest;
  const refusal =
    amountsRefusal(request, problems) ?? timesRefusal(world, request, problems) ?? baselinesRefusal(request, problems);
  if (refusal !== null) return refused(refusal);
  const baselines = readBaselines(world, vpp, request);
  return baselines.ok ? accepted({ request, amounts: amountsOf(request), baselinesKw: baselines.value }) : baselines;
}

/**
 * Baselines are rounded to 0.1 kW, also before their range is checked (docs/model/time.md#rounding-requests,
 * docs/model/apis.md#wire-numbers).
 */
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

const AMOUNT_KEYS = /^(delta_kw|fcr_response_kw|compound_breakdown)\b/;

/** `checkAmounts` checks the ranges, because they apply after rounding. */
function amountsRefusal(request: VppControlRequest, problems: readonly ShapeProblem[]): Refusal | null {
  const shapeProblem = problems.find(({ parameter, keyword }) => AMOUNT_KEYS.test(parameter) && !/imum$/.test(keyword));
  if (shapeProblem !== undefined) return shapeProblem.refusal;
  const violation = checkAmounts(amountsOf(request));
  if (violation === null) return null;
  const { found: _, allowed: __, ...refusal } = violation;
  const received = request[violation.parameter];
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

/** Baselines by site index. */
function readBaselines(world: World, vpp: Vpp, { member_baselines }: VppControlRequest): Result<Float64Array> {
  const baselinesKw = new Float64Array(world.sites.length).fill(Number.NaN);
  const { siteIndices } = vpp.membership;
  /** By site: 1 for a member without a baseline so far. */
  const isMissing = new Uint8Array(baselinesKw.length);
  for (let i = 0; i < siteIndices.length; i++) isMissing[siteIndices[i]] = 1;
  for (const { ems_id: emsId, baseline_kw: baselineKw } of member_baselines) {
    const site = world.siteById(emsId);
    if (site === undefined || isMissing[site.index] === 0)
      return refused(unknownBaselineRefusal(vpp, world, member_baselines));
    isMissing[site.index] = 0;
    baselinesKw[site.index] = baselineKw;
  }
  return accepted(baselinesKw);
}

/**
 * The first invalid entry, of which there is at least one. A second baseline of a member precedes an unknown member.
 */
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
