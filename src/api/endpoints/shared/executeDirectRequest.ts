import { accepted, type Refusal, type RefusalKind, type Result, refused } from "../../../base/result.ts";
import { roundKw } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import type { AcceptedDirectOrder } from "../../../engine/simulation/directOrders.ts";
import type { World } from "../../../engine/simulation/world.ts";
import { firstMissingSlotMs } from "../../../engine/site/baseline/clientSlots.ts";
import type { LoadTerms } from "../../../engine/site/components/capabilities.ts";
import { kindOf } from "../../../engine/site/components/registry.ts";
import { checkOrderTerms } from "../../../engine/site/orders/checkOrder.ts";
import type { DirectOrder, DirectRequest } from "../../../engine/site/orders/directOrder.ts";
import type { Site } from "../../../engine/site/site.ts";
import { wireTime } from "./wireTime.ts";

/** The amount key of a site API's request, named by refusals. */
export type AmountKey = "power_kw" | "delta_kw" | "site_kw" | "fcr_response_kw";

export interface ExecutedRequest {
  readonly order: DirectOrder;
  /** Effect of a schedule on other schedules; `null` for an immediate instruction. */
  readonly posted: AcceptedDirectOrder | null;
}

/**
 * Executes an owner's request at the site, or refuses it. The first rule that applies:
 *
 * 1. `system_out_of_service`, of an immediate instruction (site API v1 "States");
 * 2. `sku_not_marketable`;
 * 3. `baseline_not_configured`, before the rules on the target, which is undefined without a baseline;
 * 4. `reverse_power_flow_forbidden`;
 * 5. `dr_reduction_below_minimum`, `dr_duration_below_minimum`;
 * 6. `dr_duplicate_dispatch`, `dr_cooldown_active`: conflicts with active or registered reductions;
 * 7. `schedule_split_too_narrow`, of a schedule.
 */
export function executeDirectRequest(
  world: World,
  site: Site,
  request: DirectRequest,
  key: AmountKey,
): Result<ExecutedRequest> {
  const refuse = (kind: RefusalKind, endMs?: EpochMs) => refused(siteRefusal(site, kind, request, key, endMs));
  if (request.kind === "immediate" && !site.isInService) return refuse("system_out_of_service");
  const kind = permanentRefusal(site, request);
  if (kind !== null) return refuse(kind);
  if (request.kind === "schedule") {
    const posted = world.directOrders.registerSchedule(site, request);
    if (posted.ok) return accepted({ order: posted.value.order, posted: posted.value });
    return "kind" in posted ? refuse(posted.kind, posted.endMs) : posted;
  }
  const begun = world.directOrders.beginImmediate(site, request);
  if (begun.ok) return accepted({ order: begun.value, posted: null });
  return "kind" in begun ? refuse(begun.kind, begun.endMs) : begun;
}

/** Whether a request addresses one component of several. */
export const isForComponent = ({ spec }: Site, { componentId }: DirectRequest): boolean =>
  componentId !== null && spec.components.length > 1;

/**
 * The baseline of a request: its own, else the site's slot at its start. For one component of several it is 0, because
 * the component is at rest without an instruction.
 */
export const requestBaselineKw = (site: Site, request: DirectRequest): number =>
  request.baselineKw ?? (isForComponent(site, request) ? 0 : roundKw(site.baselineSlotKwAt(request.startMs)));

function permanentRefusal(site: Site, request: DirectRequest): RefusalKind | null {
  const baselineKw = requestBaselineKw(site, request);
  const deltaKw = request.deltaKw ?? (request.siteKw === null ? 0 : roundKw(request.siteKw - baselineKw));
  const targetKw = roundKw(baselineKw + deltaKw);
  const kind = checkOrderTerms(site, request, { deltaKw, fcrCapacityKw: request.fcrKw ?? 0 });
  if (kind === "sku_not_marketable" || kind === "baseline_not_configured") return kind;
  // The other components absorb the power of one component, or the export limit curtails it.
  const mayNotSend = !site.spec.capability.reverseFlowAllowed && !isForComponent(site, request);
  if (mayNotSend && targetKw < 0 && deltaKw < 0) return "reverse_power_flow_forbidden";
  return kind;
}

/** One minute, the interval at which a VPP detects outages. */
const RETRY_AFTER_S = 60;

type RefusalText = Omit<Refusal, "kind">;

/**
 * A site's refusal with its texts; a VPP's dispatch has the same kinds in `skip_reason`.
 *
 * @param endMs  end of the reduction after which the load must rest
 */
function siteRefusal(
  site: Site,
  kind: RefusalKind,
  request: DirectRequest,
  key: AmountKey,
  endMs = Number.NaN,
): Refusal {
  return { kind, ...refusalTextOf(site, kind, request, key, endMs) };
}

function refusalTextOf(
  { spec, baseline, limits }: Site,
  kind: RefusalKind,
  request: DirectRequest,
  key: AmountKey,
  endMs: EpochMs,
): RefusalText {
  const { componentId } = request;
  const [first, ...others] = spec.components;
  const component =
    others.length === 0 ? first : spec.components.find((candidate) => candidate.componentId === componentId);
  const consumer = component === undefined ? null : kindOf(component).operation.loadTerms(component);
  const amountKw = request.deltaKw ?? request.siteKw ?? request.fcrKw ?? 0;
  const amount = { parameter: key, receivedValue: amountKw };
  switch (kind) {
    case "system_out_of_service":
      return {
        details: "The system is out of service",
        requiredAction: "Try again when status is 0",
        retryAfterS: RETRY_AFTER_S,
      };
    case "sku_not_marketable":
      return {
        details: `The EMS is not admitted to ${request.sku}`,
        parameter: "sku",
        receivedValue: request.sku,
        ...(spec.capability.marketable.length === 0 ? {} : { validRange: spec.capability.marketable.join(", ") }),
      };
    case "reverse_power_flow_forbidden": {
      const { siteImportMaxKw: maxKw } = limits;
      return {
        details: "The target lies below 0 kW, and the EMS may not send power to the grid",
        ...amount,
        validRange: `0 to ${Number.isFinite(maxKw) ? maxKw : "site_import_max_kw"}`,
      };
    }
    case "dr_reduction_below_minimum":
    case "dr_duration_below_minimum":
    case "dr_duplicate_dispatch":
    case "dr_cooldown_active":
      return reductionRefusalText(kind, consumer, amount, endMs);
    case "baseline_not_configured": {
      const slotMs = firstMissingSlotMs(baseline, request.startMs, request.endMs) ?? request.startMs;
      return {
        details: "Every 30-minute slot of a negawatt-spot instruction needs a registered baseline",
        requiredAction: "Register it by POST baseline",
        startMs: slotMs,
        endMs: slotMs + MS_PER_HALF_HOUR,
      };
    }
    default:
      return { details: "The EMS refuses the request", ...amount };
  }
}

type ReductionRefusalKind = Extract<RefusalKind, `dr_${string}`>;

/** The texts of refused load reductions. */
function reductionRefusalText(
  kind: ReductionRefusalKind,
  consumer: LoadTerms | null,
  amount: Pick<Refusal, "parameter" | "receivedValue">,
  endMs: EpochMs,
): RefusalText {
  switch (kind) {
    case "dr_reduction_below_minimum":
      return {
        details: `The reduction is below the least that the EMS makes, ${consumer?.minDrReductionKw ?? 0} kW`,
        ...amount,
        validRange: `${consumer?.minDrReductionKw ?? 0} to ${consumer?.maxDrReductionKw ?? 0}`,
      };
    case "dr_duration_below_minimum":
      return { details: `A reduction lasts at least ${minutes(consumer?.minDrDurationMs ?? 0)} minutes` };
    case "dr_duplicate_dispatch":
      return { details: "The EMS reduces its load for another product", requiredAction: "Wait for its end" };
    case "dr_cooldown_active": {
      const readyMs = endMs + (consumer?.minDrCooldownMs ?? 0);
      return {
        details: `The EMS rests for ${minutes(consumer?.minDrCooldownMs ?? 0)} minutes after a reduction`,
        requiredAction: `Try again from ${wireTime(readyMs)}`,
      };
    }
  }
}

const minutes = (ms: number): number => ms / 60_000;
