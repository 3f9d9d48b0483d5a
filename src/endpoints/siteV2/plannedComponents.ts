import { roundKw, toTenths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import { type Component, type ComponentSpec, kindOf } from "../../site/components/registry.ts";
import type { DirectRequest } from "../../site/orders/directOrder.ts";
import type { Site } from "../../site/site.ts";
import { servicesOf } from "../../vpp/allocation/eligibility.ts";
import { SERVICE } from "../../vpp/instructions/instruction.ts";
import { requestBaselineKw } from "../shared/executeDirectRequest.ts";

export interface PlannedComponent {
  readonly component_id: string;
  readonly component_type: "battery" | "generator" | "consumer";
  readonly delta_kw: number | null;
  readonly dispatch_status: "pending" | "dispatched" | "skipped_incompatible";
}

export const componentType = (component: ComponentSpec): PlannedComponent["component_type"] =>
  kindOf(component).wire.componentType(component);

/**
 * How a request to the whole site falls on its components by what they could do now: batteries by available power, then
 * plants, then, downwards, loads that can be reduced (docs/model/connection-point.md#division). What nobody can take stays with the batteries.
 */
export function plannedComponents(site: Site, request: DirectRequest, atMs: EpochMs): PlannedComponent[] {
  const { resource: unit, spec } = site;
  const baselineKw = requestBaselineKw(site, request);
  const deltaKw = request.deltaKw ?? (request.siteKw === null ? null : roundKw(request.siteKw - baselineKw));
  const direction = Math.sign(deltaKw ?? 0);
  const taking = request.kind === "schedule" ? "pending" : "dispatched";
  const asked = {
    direction,
    sku: request.sku,
    hasDelta: deltaKw !== null,
    fcrCapacityTenths: request.fcrKw === null ? null : toTenths(request.fcrKw),
  };
  const parts = servicesOf(site, baselineKw, asked);
  const shares =
    unit.composite !== null
      ? splitDeltaKw(unit.composite.components, deltaKw ?? 0, site.outputLimit, atMs)
      : [(parts & SERVICE.delta) === 0 ? null : deltaKw];
  return spec.components.map((component, k) => {
    const isAsked = parts !== 0 && (shares[k] !== null || (parts & SERVICE.fcr) !== 0);
    return {
      component_id: component.componentId,
      component_type: componentType(component),
      delta_kw: isAsked && deltaKw !== null ? shares[k] : null,
      dispatch_status: isAsked ? taking : "skipped_incompatible",
    };
  });
}

/** kW by component, `null` for those that take no part. */
function splitDeltaKw(
  units: readonly Component[],
  deltaKw: number,
  outputLimit: number,
  atMs: EpochMs,
): (number | null)[] {
  const sign = Math.sign(deltaKw);
  const canKw = units.map((unit) => kindOf(unit).wire.requestHeadroomKw(unit, outputLimit, sign >= 0, atMs));
  const shares = units.map((): number | null => null);
  let leftKw = Math.abs(deltaKw);
  const batteriesKw = units.reduce((sum, unit, k) => (unit.role === "storage" ? sum + canKw[k] : sum), 0);
  const takenKw = Math.min(leftKw, batteriesKw);
  for (const role of ["storage", "dispatchable", "load"] as const)
    units.forEach((unit, k) => {
      if (unit.role !== role || (role === "load" && canKw[k] === 0)) return;
      const kw =
        role === "storage" ? (batteriesKw > 0 ? (takenKw * canKw[k]) / batteriesKw : 0) : Math.min(leftKw, canKw[k]);
      shares[k] = roundKw(sign * kw);
      leftKw -= kw;
    });
  return shares;
}
