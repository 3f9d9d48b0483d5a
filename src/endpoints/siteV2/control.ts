import { accepted, type Refusal, type Result, refused } from "../../base/result.ts";
import { roundKw } from "../../base/rounding.ts";
import { MS_PER_MINUTE } from "../../base/time.ts";
import type { AcceptedDirectOrder } from "../../simulation/directOrders.ts";
import type { World } from "../../simulation/world.ts";
import { type ComponentSpec, kindOf } from "../../site/components/registry.ts";
import type { DirectRequest } from "../../site/orders/directOrder.ts";
import type { Site } from "../../site/site.ts";
import { checkAmounts } from "../../vpp/instructions/checkAmounts.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import { SiteControlRequest } from "../schemas/siteV2Commands.ts";
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
  const { written, request, key } = checked.value;
  const done = executeDirectRequest(world, site, request, key);
  if (!done.ok) return refusalAnswer(call, done.refusal, world.nowMs);
  return { status: 200, body: bodyOf(world, site, written, request, done.value) };
}

interface CheckedSiteControl {
  readonly written: SiteControlRequest;
  readonly request: DirectRequest;
  readonly key: AmountKey;
}

/** In the order that the VPP API has (docs/model/apis.md#control-order). */
function checkSiteControl(world: World, site: Site, body: unknown): Result<CheckedSiteControl> {
  const problems = shapeProblems(SiteControlRequest, body);
  const head = problems.find(
    ({ parameter, keyword }) => parameter === "" || HEAD.test(parameter) || keyword === "additionalProperties",
  );
  if (head !== undefined) return refused(head.refusal);
  const written = body as SiteControlRequest;
  const refusal =
    amountsRefusal(written, problems) ??
    timeKeysRefusal(written) ??
    problems.find(({ parameter }) => !RANGED.test(parameter))?.refusal ??
    (written.start_time === undefined || written.end_time === undefined
      ? null
      : periodRefusal({ start_time: written.start_time, end_time: written.end_time }, world.nowMs)) ??
    componentRefusal(site, written);
  if (refusal !== null) return refused(refusal);
  const key =
    written.site_kw !== undefined ? "site_kw" : written.delta_kw !== undefined ? "delta_kw" : "fcr_response_kw";
  return accepted({ written, request: requestOf(world, written), key });
}

const HEAD = /^(type|sku)$/;
/** Ranges of these count after rounding, and are looked at with the amounts. */
const RANGED = /^(delta_kw|site_kw|fcr_response_kw)$/;
const AMOUNTS = /^(delta_kw|site_kw|fcr_response_kw|compound_breakdown)\b/;

function amountsRefusal(written: SiteControlRequest, problems: readonly ShapeProblem[]): Refusal | null {
  const shape = problems.find(({ parameter, keyword }) => AMOUNTS.test(parameter) && !/imum$/.test(keyword));
  if (shape !== undefined) return shape.refusal;
  const { sku, delta_kw, site_kw, fcr_response_kw, compound_breakdown } = written;
  if (delta_kw !== undefined && site_kw !== undefined) {
    const details = "delta_kw and site_kw exclude each other: a change from the baseline, or a target";
    return { kind: "invalid_parameter", details, parameter: "site_kw", receivedValue: site_kw };
  }
  const fault = checkAmounts({
    sku: sku ?? null,
    deltaKw: delta_kw ?? site_kw ?? null,
    fcrResponseKw: fcr_response_kw ?? null,
    compoundBreakdown: compound_breakdown ?? null,
  });
  if (fault === null) return null;
  const { found: _, allowed: __, ...refusal } = fault;
  const parameter = fault.parameter === "delta_kw" && site_kw !== undefined ? "site_kw" : fault.parameter;
  const received = written[parameter];
  return { ...refusal, parameter, ...(received === undefined ? {} : { receivedValue: received }) };
}

function componentRefusal(site: Site, written: SiteControlRequest): Refusal | null {
  const { component_id: componentId, site_kw: siteKw } = written;
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
  return components.length === 1 ? null : componentAmountRefusal(component, written);
}

/** What one component of several cannot do (VPP API "Allocation exclusions": alone there is nobody to skip to). */
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

function requestOf({ nowMs }: World, written: SiteControlRequest): DirectRequest {
  const { type, sku, delta_kw, site_kw, fcr_response_kw, compound_breakdown, baseline_kw, component_id } = written;
  return {
    kind: type,
    sku: sku ?? null,
    startMs: written.start_time === undefined ? nowMs : readWireTime(written.start_time),
    endMs:
      written.end_time === undefined
        ? nowMs + (written.duration_minutes ?? 0) * MS_PER_MINUTE
        : readWireTime(written.end_time),
    deltaKw: rounded(delta_kw),
    siteKw: rounded(site_kw),
    fcrKw: rounded(fcr_response_kw),
    compoundBreakdown: compound_breakdown ?? null,
    baselineKw: rounded(baseline_kw),
    componentId: component_id ?? null,
  };
}

function bodyOf(world: World, site: Site, written: SiteControlRequest, request: DirectRequest, done: ExecutedRequest) {
  const { order, posted } = done;
  const isOut = !site.isInService;
  const component = site.spec.components.find(({ componentId }) => componentId === request.componentId);
  return {
    ems_id: site.spec.emsId,
    message: messageOf(request, isOut),
    control_type: request.kind,
    ...(posted === null ? {} : { schedule_id: order.scheduleId }),
    ...(request.deltaKw === null ? {} : { delta_kw: request.deltaKw }),
    ...(request.siteKw === null ? {} : { site_kw: request.siteKw }),
    ...(request.fcrKw === null ? {} : { fcr_response_kw: request.fcrKw }),
    ...(request.compoundBreakdown === null ? {} : { compound_breakdown: request.compoundBreakdown }),
    baseline_kw: requestBaselineKw(site, request),
    sku: request.sku,
    ...(posted === null
      ? { duration_minutes: written.duration_minutes }
      : {
          start_time: wireTime(request.startMs),
          end_time: wireTime(request.endMs),
          affected_schedules: affectedRows(posted),
        }),
    ...(component === undefined
      ? { dispatched_components: plannedComponents(site, request, world.nowMs) }
      : scopeOf(component)),
    ...(isOut && posted !== null ? { warning: "system_out_of_service" } : {}),
    timestamp: wireTime(world.nowMs),
  };
}

const scopeOf = (component: ComponentSpec) => ({
  scope: "component",
  component_id: component.componentId,
  component_type: componentType(component),
});

function messageOf({ kind, sku }: DirectRequest, isOut: boolean): string {
  if (kind === "immediate") return "Power control accepted.";
  if (isOut) return "Schedule registered. System failure or under maintenance";
  return sku === "fcr" ? "FCR schedule registered successfully." : "Schedule registered successfully.";
}

/** By start, then age, then id, as the VPP API lists them (docs/model/overlap.md#resolution, docs/model/apis.md#direct-control). */
function affectedRows({ order, hasInheritedId: inherited, affected }: AcceptedDirectOrder) {
  const { startMs, endMs } = order;
  const own = { order, action: inherited ? "inherited" : "created", startMs, endMs } as const;
  const rows = [...affected, own];
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
