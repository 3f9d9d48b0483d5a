import { accepted, type Refusal, type Result, refused } from "../../../base/result.ts";
import { roundKw } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { AcceptedDirectOrder } from "../../../engine/simulation/directOrders.ts";
import type { World } from "../../../engine/simulation/world.ts";
import { type ComponentSpec, kindOf } from "../../../engine/site/components/registry.ts";
import type { DirectRequest } from "../../../engine/site/orders/directOrder.ts";
import type { Site } from "../../../engine/site/site.ts";
import { checkAmounts } from "../../../engine/vpp/instructions/checkAmounts.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import { SiteControlRequest } from "../schemas/siteV2Schemas.ts";
import { periodRefusal, timeKeysRefusal } from "../shared/controlTimes.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import {
  type AmountKey,
  type ExecutedRequest,
  executeDirectRequest,
  requestBaselineKw,
} from "../shared/executeDirectRequest.ts";
import { siteOf } from "../shared/requestSubject.ts";
import { type ShapeProblem, shapeProblems } from "../shared/shapeProblems.ts";
import { readWireTime, wireTime } from "../shared/wireTime.ts";
import { componentType, plannedComponents } from "./plannedComponents.ts";

/** POST control/active_power of a site. */
export function postSiteControl(context: RequestContext, call: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, call);
  const checked = checkSiteControl(world, site, call.body);
  if (!checked.ok) return refusalAnswer(call, checked.refusal, world.nowMs);
  const { wireRequest, request, key } = checked.value;
  const result = executeDirectRequest(world, site, request, key);
  if (!result.ok) return refusalAnswer(call, result.refusal, world.nowMs);
  return { status: 200, body: bodyOf(world, site, wireRequest, request, result.value) };
}

interface CheckedSiteControl {
  readonly wireRequest: SiteControlRequest;
  readonly request: DirectRequest;
  readonly key: AmountKey;
}

/** Checks in the order of the VPP API (docs/model/apis.md#control-order). */
function checkSiteControl(world: World, site: Site, body: unknown): Result<CheckedSiteControl> {
  const problems = shapeProblems(SiteControlRequest, body);
  const headProblem = problems.find(
    ({ parameter, keyword }) => parameter === "" || HEAD_KEYS.test(parameter) || keyword === "additionalProperties",
  );
  if (headProblem !== undefined) return refused(headProblem.refusal);
  const wireRequest = body as SiteControlRequest;
  const refusal =
    amountsRefusal(wireRequest, problems) ??
    timeKeysRefusal(wireRequest) ??
    problems.find(({ parameter }) => !RANGE_KEYS.test(parameter))?.refusal ??
    (wireRequest.start_time === undefined || wireRequest.end_time === undefined
      ? null
      : periodRefusal({ start_time: wireRequest.start_time, end_time: wireRequest.end_time }, world.nowMs)) ??
    componentRefusal(site, wireRequest);
  if (refusal !== null) return refused(refusal);
  const key =
    wireRequest.site_kw !== undefined ? "site_kw" : wireRequest.delta_kw !== undefined ? "delta_kw" : "fcr_response_kw";
  return accepted({ wireRequest, request: requestOf(world, wireRequest), key });
}

const HEAD_KEYS = /^(type|sku)$/;
/** Ranges of these keys apply after rounding and are checked with the amounts. */
const RANGE_KEYS = /^(delta_kw|site_kw|fcr_response_kw)$/;
const AMOUNT_KEYS = /^(delta_kw|site_kw|fcr_response_kw|compound_breakdown)\b/;

function amountsRefusal(wireRequest: SiteControlRequest, problems: readonly ShapeProblem[]): Refusal | null {
  const shapeProblem = problems.find(({ parameter, keyword }) => AMOUNT_KEYS.test(parameter) && !/imum$/.test(keyword));
  if (shapeProblem !== undefined) return shapeProblem.refusal;
  const { sku, delta_kw, site_kw, fcr_response_kw, compound_breakdown } = wireRequest;
  if (delta_kw !== undefined && site_kw !== undefined) {
    const details = "delta_kw and site_kw exclude each other: a change from the baseline, or a target";
    return { kind: "invalid_parameter", details, parameter: "site_kw", receivedValue: site_kw };
  }
  const violation = checkAmounts({
    sku: sku ?? null,
    deltaKw: delta_kw ?? site_kw ?? null,
    fcrResponseKw: fcr_response_kw ?? null,
    compoundBreakdown: compound_breakdown ?? null,
  });
  if (violation === null) return null;
  const { found: _, allowed: __, ...refusal } = violation;
  const parameter = violation.parameter === "delta_kw" && site_kw !== undefined ? "site_kw" : violation.parameter;
  const received = wireRequest[parameter];
  return { ...refusal, parameter, ...(received === undefined ? {} : { receivedValue: received }) };
}

function componentRefusal(site: Site, wireRequest: SiteControlRequest): Refusal | null {
  const { component_id: componentId, site_kw: siteKw } = wireRequest;
  if (componentId === undefined) return null;
  const { components } = site.spec;
  const parameter = { kind: "invalid_parameter", parameter: "component_id", receivedValue: componentId } as const;
  const component = components.find((candidate) => candidate.componentId === componentId);
  if (component === undefined) {
    const validRange = components.map((candidate) => candidate.componentId).join(", ");
    return { ...parameter, details: `The EMS has no component ${componentId}`, validRange };
  }
  if (siteKw !== undefined)
    return { ...parameter, details: "site_kw is a target of the whole site, not of a component" };
  return components.length === 1 ? null : componentAmountRefusal(component, wireRequest);
}

/**
 * Restrictions of one component of several (docs/model/allocation.md#compatibility); a request to one component is refused
 * where a VPP would skip it.
 */
function componentAmountRefusal(
  component: ComponentSpec,
  { sku = null, delta_kw: deltaKw, fcr_response_kw: fcrResponseKw }: SiteControlRequest,
): Refusal | null {
  const refusal = kindOf(component).wire.amountRefusal(component, { sku, deltaKw, fcrResponseKw });
  if (refusal === null) return null;
  const { parameter, details } = refusal;
  const receivedValue = { sku, delta_kw: deltaKw, fcr_response_kw: fcrResponseKw }[parameter];
  return {
    kind: "invalid_parameter",
    parameter,
    receivedValue,
    details: `${details}: ${component.componentId}`,
  };
}

const rounded = (kw: number | undefined): number | null => (kw === undefined ? null : roundKw(kw));

function requestOf({ nowMs }: World, wireRequest: SiteControlRequest): DirectRequest {
  const { type, sku, delta_kw, site_kw, fcr_response_kw, compound_breakdown, baseline_kw, component_id } = wireRequest;
  return {
    kind: type,
    sku: sku ?? null,
    startMs: wireRequest.start_time === undefined ? nowMs : readWireTime(wireRequest.start_time),
    endMs:
      wireRequest.end_time === undefined
        ? nowMs + (wireRequest.duration_minutes ?? 0) * MS_PER_MINUTE
        : readWireTime(wireRequest.end_time),
    deltaKw: rounded(delta_kw),
    siteKw: rounded(site_kw),
    fcrKw: rounded(fcr_response_kw),
    compoundBreakdown: compound_breakdown ?? null,
    baselineKw: rounded(baseline_kw),
    componentId: component_id ?? null,
    overwrites: "colliding",
  };
}

function bodyOf(
  world: World,
  site: Site,
  wireRequest: SiteControlRequest,
  request: DirectRequest,
  result: ExecutedRequest,
) {
  const { order, posted } = result;
  const component = site.spec.components.find(({ componentId }) => componentId === request.componentId);
  return {
    ems_id: site.spec.emsId,
    message: messageOf(request, site),
    control_type: request.kind,
    ...(posted === null ? {} : { schedule_id: order.scheduleId }),
    ...(request.deltaKw === null ? {} : { delta_kw: request.deltaKw }),
    ...(request.siteKw === null ? {} : { site_kw: request.siteKw }),
    ...(request.fcrKw === null ? {} : { fcr_response_kw: request.fcrKw }),
    ...(request.compoundBreakdown === null ? {} : { compound_breakdown: request.compoundBreakdown }),
    baseline_kw: requestBaselineKw(site, request),
    sku: request.sku,
    ...(posted === null
      ? { duration_minutes: wireRequest.duration_minutes }
      : {
          start_time: wireTime(request.startMs),
          end_time: wireTime(request.endMs),
          affected_schedules: affectedRows(posted),
        }),
    ...(component === undefined ? divisionOf(site, request, world.nowMs) : scopeOf(component)),
    ...(!site.isInService && posted !== null ? { warning: "system_out_of_service" } : {}),
    timestamp: wireTime(world.nowMs),
  };
}

/** The division of a request to the whole of a site with several components. */
const divisionOf = (site: Site, request: DirectRequest, nowMs: EpochMs) =>
  site.spec.components.length > 1 ? { dispatched_components: plannedComponents(site, request, nowMs) } : {};

const scopeOf = (component: ComponentSpec) => ({
  scope: "component",
  component_id: component.componentId,
  component_type: componentType(component),
});

function messageOf({ kind, sku }: DirectRequest, { isInService }: Site): string {
  if (kind === "immediate") return "Power control accepted.";
  if (!isInService) return "Schedule registered. System failure or under maintenance";
  return sku === "fcr" ? "FCR schedule registered successfully." : "Schedule registered successfully.";
}

/**
 * Sorted by start, then age, then id, like the VPP API (docs/model/overlap.md#resolution,
 * docs/model/apis.md#direct-control).
 */
function affectedRows({ order, hasInheritedId, affected }: AcceptedDirectOrder) {
  const { startMs, endMs } = order;
  const newRow = { order, action: hasInheritedId ? "inherited" : "created", startMs, endMs } as const;
  const rows = [...affected, newRow];
  rows.sort(
    (a, b) =>
      a.startMs - b.startMs ||
      a.order.createdMs - b.order.createdMs ||
      (a.order.scheduleId < b.order.scheduleId ? -1 : 1),
  );
  return rows.map((row) => ({
    schedule_id: row.order.scheduleId,
    action: row.action,
    start_time: wireTime(row.startMs),
    end_time: wireTime(row.endMs),
  }));
}
