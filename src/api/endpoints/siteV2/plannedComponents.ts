import { roundKw, toTenths } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import { type Component, type ComponentSpec, kindOf } from "../../../engine/site/components/registry.ts";
import type { DirectRequest } from "../../../engine/site/orders/directOrder.ts";
import type { Site } from "../../../engine/site/site.ts";
import { servicesOf } from "../../../engine/vpp/allocation/eligibility.ts";
import { SERVICE } from "../../../engine/vpp/instructions/instruction.ts";
import { requestBaselineKw } from "../shared/executeDirectRequest.ts";

interface PlannedComponent {
  readonly component_id: string;
  readonly component_type: "battery" | "generator" | "consumer";
  readonly delta_kw: number | null;
  readonly dispatch_status: "pending" | "dispatched" | "skipped_incompatible";
}

export const componentType = (component: ComponentSpec): PlannedComponent["component_type"] =>
  kindOf(component).wire.componentType(component);

/**
 * Splits a request to the whole site among its components by their present capability: batteries by available power,
 * then plants, then, downwards only, reducible loads (docs/model/connection-point.md#division). The plan omits the
 * remainder, which the batteries deliver when the set-point is applied.
 */
export function plannedComponents(site: Site, request: DirectRequest, atMs: EpochMs): PlannedComponent[] {
  const { resource, spec } = site;
  const baselineKw = requestBaselineKw(site, request);
  const deltaKw = request.deltaKw ?? (request.siteKw === null ? null : roundKw(request.siteKw - baselineKw));
  const direction = Math.sign(deltaKw ?? 0);
  const participantStatus = request.kind === "schedule" ? "pending" : "dispatched";
  const requirements = {
    direction,
    sku: request.sku,
    hasDelta: deltaKw !== null,
    fcrCapacityTenths: request.fcrKw === null ? null : toTenths(request.fcrKw),
  };
  const services = servicesOf(site, baselineKw, requirements);
  const shares =
    resource.composite !== null
      ? splitDeltaKw(resource.composite.components, deltaKw ?? 0, site.outputLimitShare, atMs)
      : [(services & SERVICE.delta) === 0 ? null : deltaKw];
  return spec.components.map((component, k) => {
    const takesPart = services !== 0 && (shares[k] !== null || (services & SERVICE.fcr) !== 0);
    return {
      component_id: component.componentId,
      component_type: componentType(component),
      delta_kw: takesPart && deltaKw !== null ? shares[k] : null,
      dispatch_status: takesPart ? participantStatus : "skipped_incompatible",
    };
  });
}

/** kW by component, `null` for components that do not take part. */
function splitDeltaKw(
  components: readonly Component[],
  deltaKw: number,
  outputLimitShare: number,
  atMs: EpochMs,
): (number | null)[] {
  const sign = Math.sign(deltaKw);
  const availableKws = components.map((component) =>
    kindOf(component).wire.requestHeadroomKw(component, outputLimitShare, sign >= 0, atMs),
  );
  const shares = components.map((): number | null => null);
  let remainingKw = Math.abs(deltaKw);
  const batteriesKw = components.reduce(
    (sum, component, k) => (component.role === "storage" ? sum + availableKws[k] : sum),
    0,
  );
  const batteryShareKw = Math.min(remainingKw, batteriesKw);
  for (const role of ["storage", "plant", "load"] as const)
    components.forEach((component, k) => {
      if (component.role !== role || (role === "load" && availableKws[k] === 0)) return;
      const kw =
        role === "storage"
          ? batteriesKw > 0
            ? (batteryShareKw * availableKws[k]) / batteriesKw
            : 0
          : Math.min(remainingKw, availableKws[k]);
      shares[k] = roundKw(sign * kw);
      remainingKw -= kw;
    });
  return shares;
}
