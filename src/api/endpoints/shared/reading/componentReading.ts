import { componentRegisterBase } from "../../../../accounting/meters/componentRegisters.ts";
import { sumOf } from "../../../../base/lists.ts";
import { roundKw, toTenths } from "../../../../base/rounding.ts";
import type { EpochMs } from "../../../../base/time.ts";
import { type Component, kindOf } from "../../../../engine/site/components/registry.ts";
import type { CompositeResource } from "../../../../engine/site/composite/compositeResource.ts";
import { COMPONENT_REGISTER } from "../../../../engine/site/meters/energyRegisters.ts";
import { shownSocPct } from "../../../../engine/site/shownReadings.ts";
import type { Site } from "../../../../engine/site/site.ts";
import type { ComponentDetails, ComponentEnergy, ComponentPower } from "../../schemas/componentSchemas.ts";
import { availabilityFields, energyTenths, shownEnergy } from "./availability.ts";
import { figuresOfType } from "./resourceFigures.ts";

// Component blocks of composite sites; sites of one component have none.

const identityOf = (part: Component) => ({
  component_id: part.spec.componentId,
  component_type: kindOf(part).wire.componentType(part.spec),
});

const figuresOfComponent = (part: Component) => figuresOfType(kindOf(part).wire.componentType(part.spec));

/** State of each component at an instant of the present trajectory, in the blocks of the site as far as they apply. */
export function readComponentDetails(site: Site, atMs: EpochMs): ComponentDetails[] {
  const { composite: unit } = site.resource;
  if (unit === null) return [];
  unit.computeSegments(atMs);
  return unit.components.map((part, k) => ({
    ...identityOf(part),
    status: site.isInService ? 0 : 9,
    active_power: {
      current_kw: site.isInService ? roundKw(unit.segments[k].kw) : null,
      dispatched_delta_kw: site.isInService ? dispatchedKw(site, unit, k) : null,
      ...(kindOf(part).operation.respondsAsPart ? { fcr_response_kw: fcrCapacityKw(site, unit, k) } : {}),
      ...(figuresOfComponent(part).hasOutputControl
        ? { output_control_limit: Math.round(100 * site.outputLimitShare) }
        : {}),
    },
    capacity: capacityOf(part, k, site, atMs),
    resource_state: stateOf(part, site, unit, k, atMs),
  }));
}

/** The component's own set-point, else its share of the site's; `null` for storage that tracks the meter. */
function dispatchedKw(site: Site, unit: CompositeResource, k: number): number | null {
  const controller = unit.controllerOf(k);
  if (controller.isIndividuallyControlled) {
    let kw = 0;
    for (const { order, deltaKw } of site.activeOrders)
      if (order.componentId === controller.component.spec.componentId) kw += deltaKw;
    return roundKw(kw);
  }
  return controller.hasSetpoint && !(unit.isTracking && unit.components[k].role === "storage")
    ? roundKw(controller.setpointKw)
    : null;
}

function fcrCapacityKw(site: Site, unit: CompositeResource, k: number): number | null {
  const { fcrAllocation: response } = unit.controllerOf(k);
  if (!site.isInService || response === null) return null;
  return roundKw(sumOf(response.fcr.orderResponses, (part) => part.fcrCapacityKw));
}

function capacityOf(part: Component, k: number, site: Site, atMs: EpochMs): ComponentDetails["capacity"] {
  const { wire } = kindOf(part);
  const isIn = site.isInService;
  return availabilityFields(figuresOfComponent(part), {
    importTenths: isIn ? toTenths(wire.importAvailableKw(part, Number.POSITIVE_INFINITY, atMs)) : 0,
    exportTenths: isIn ? toTenths(wire.exportAvailableKw(part, site.outputLimitShare, atMs)) : 0,
    ...energyTenths(shownEnergy(site, k, part, atMs), site),
  });
}

function stateOf(
  part: Component,
  site: Site,
  unit: CompositeResource,
  k: number,
  atMs: EpochMs,
): ComponentDetails["resource_state"] {
  const socPct = shownSocPct(site, k, part.socPctAt(atMs));
  if (socPct !== null) return { soc: toTenths(socPct) / 10 };
  const { load } = part;
  if (load !== null) {
    const { setpointKw } = unit.controllerOf(k);
    const isReducing = site.isInService && site.reduction.reducing && setpointKw < 0;
    return {
      dr_active: isReducing ? 1 : 0,
      dr_target_reduction_kw: isReducing ? roundKw(-setpointKw) : null,
      // A component has no baseline, so the reduction is the demand minus the actual power.
      dr_actual_reduction_kw: isReducing ? roundKw(load.demandKw.valueAt(atMs) - unit.segments[k].kw) : null,
    };
  }
  if (!kindOf(part).wire.hasIrradiance(part.spec)) return {};
  const { irradiance } = part;
  return { irradiance_w_m2: irradiance === null ? null : toTenths(irradiance.valueAt(atMs)) / 10 };
}

/** A sample of each component's power history. */
export function readComponentPower(site: Site, atMs: EpochMs): ComponentPower[] {
  const { composite: unit } = site.resource;
  if (unit === null) return [];
  unit.computeSegments(atMs);
  return unit.components.map((part, k) => {
    const { soc, dr_active, irradiance_w_m2 } = stateOf(part, site, unit, k, atMs);
    return {
      ...identityOf(part),
      current_kw: site.isInService ? roundKw(unit.segments[k].kw) : null,
      ...(soc === undefined ? {} : { soc }),
      ...(dr_active === undefined ? {} : { dr_active }),
      ...(irradiance_w_m2 === undefined ? {} : { irradiance_w_m2 }),
    };
  });
}

const CURTAILED_REGISTERS = [
  COMPONENT_REGISTER.fitCurtailed,
  COMPONENT_REGISTER.nonFirmCurtailed,
  COMPONENT_REGISTER.manualCurtailed,
  COMPONENT_REGISTER.otherCurtailed,
];

/**
 * Energy paths of each component over an interval.
 *
 * @param units  whole units of 1 / `scale` kWh by register of the site, as a `RegisterReader` gives them
 */
export function readComponentEnergy({ resource }: Site, units: Float64Array, scale: number): ComponentEnergy[] {
  const { composite: unit } = resource;
  if (unit === null) return [];
  return unit.components.map((part, k) => {
    const kwh = (register: number): number => units[componentRegisterBase(k) + register] / scale || 0;
    let curtailedKwh = 0;
    for (const register of CURTAILED_REGISTERS) curtailedKwh += kwh(register);
    const paths = {
      fromGeneratorKwh: kwh(COMPONENT_REGISTER.fromGenerator),
      fromGridKwh: kwh(COMPONENT_REGISTER.fromGrid),
      toLoadKwh: kwh(COMPONENT_REGISTER.toLoad),
      toBatteryKwh: kwh(COMPONENT_REGISTER.toBattery),
      toGridKwh: kwh(COMPONENT_REGISTER.toGrid),
      curtailedKwh: toTenths(curtailedKwh) / 10,
    };
    return { ...identityOf(part), ...kindOf(part).wire.paths(part.spec, paths) };
  });
}
