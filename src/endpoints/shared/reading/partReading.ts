import { PART_LEAF, partBase } from "../../../accounting/meters/partLeaves.ts";
import { roundKw, toTenths } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Part } from "../../../site/components/part.ts";
import type { CompositeUnit } from "../../../site/composite/compositeUnit.ts";
import type { Site } from "../../../site/site.ts";
import type { ComponentDetails, ComponentEnergy, ComponentPower } from "../../schemas/components.ts";

// What each component of a site of several shows of itself; a site of one has none of these.

type PartType = ComponentDetails["component_type"];

const typeOf = ({ kind }: Part): PartType => (kind === "dispatchable" ? "generator" : kind);

const identityOf = (part: Part) => ({ component_id: part.spec.componentId, component_type: typeOf(part) });

/** State of each component at an instant of the present law: the site's blocks, as far as they are its own. */
export function partDetails(site: Site, atMs: EpochMs): ComponentDetails[] {
  const { unit } = site;
  if (unit.kind !== "multi_component") return [];
  unit.fill(atMs);
  return unit.parts.map((part, k) => ({
    ...identityOf(part),
    status: site.inService ? 0 : 9,
    active_power: {
      current_kw: site.inService ? roundKw(unit.powers[k].kw) : null,
      dispatched_delta_kw: site.inService ? dispatchedKw(site, unit, k) : null,
      ...(part.kind === "consumer" || part.kind === "generator" ? {} : { fcr_response_kw: widthKw(site, unit, k) }),
      ...(part.kind === "consumer" ? {} : { output_control_limit: limitPct(site) }),
    },
    capacity: capacityOf(part, site, atMs),
    resource_state: stateOf(part, site, unit, k, atMs),
  }));
}

/** What the component is told by itself, else its share of what the site is told; one that tracks the meter has none. */
function dispatchedKw(site: Site, unit: CompositeUnit, k: number): number | null {
  const lane = unit.laneOf(k);
  if (lane.isOwn) {
    let kw = 0;
    for (const { order, deltaKw } of site.ruling) if (order.componentId === lane.unit.spec.componentId) kw += deltaKw;
    return roundKw(kw);
  }
  return lane.isTold && !(unit.isTracking && lane.unit.kind === "battery") ? roundKw(lane.toldKw) : null;
}

function widthKw(site: Site, unit: CompositeUnit, k: number): number | null {
  const { response } = unit.laneOf(k);
  if (!site.inService || response === null) return null;
  return roundKw(response.fcr.parts.reduce((sum, part) => sum + part.widthKw, 0));
}

const limitPct = (site: Site): number | null =>
  site.outputControls.length === 0 ? null : Math.round(100 * site.outputLimit);

function capacityOf(part: Part, site: Site, atMs: EpochMs): ComponentDetails["capacity"] {
  const room = (kw: number): number => (site.inService ? roundKw(kw) : 0);
  switch (part.kind) {
    case "battery": {
      const storedKwh = part.law.storedKwhAt(atMs);
      return {
        import_energy_available: room(part.importEnergyAvailableKwh(storedKwh)),
        export_energy_available: room(part.exportEnergyAvailableKwh(storedKwh)),
        import_power_available: room(part.importAvailableKw(storedKwh)),
        export_power_available: room(part.exportAvailableKw(atMs, site.outputLimit, storedKwh)),
      };
    }
    case "dispatchable":
      return {
        export_power_available: room(part.exportAvailableKw(atMs, site.outputLimit, part.law.storedKwhAt(atMs))),
      };
    case "generator":
      return { export_power_available: room(part.exportAvailableKw(atMs, site.outputLimit)) };
    case "consumer":
      return { import_power_available: room(part.spec.contractKw) };
  }
}

function stateOf(
  part: Part,
  site: Site,
  unit: CompositeUnit,
  k: number,
  atMs: EpochMs,
): ComponentDetails["resource_state"] {
  if (part.kind === "battery") return { soc: socPct(part, atMs) };
  if (part.kind === "consumer") {
    const lane = unit.consumers.find((candidate) => candidate.unit === part);
    const isReducing = site.inService && site.reduction.reducing && lane !== undefined && lane.toldKw < 0;
    return {
      dr_active: isReducing ? 1 : 0,
      dr_target_reduction_kw: isReducing ? roundKw(-lane.toldKw) : null,
      // Of a component there is no baseline to measure against: what is shed now.
      dr_actual_reduction_kw: isReducing ? roundKw(part.demandKw.valueAt(atMs) - unit.powers[k].kw) : null,
    };
  }
  if (part.kind !== "generator" || part.spec.generatorKind !== "pv") return {};
  const { irradianceWm2 } = part.spec;
  return { irradiance_w_m2: irradianceWm2 === null ? null : toTenths(irradianceWm2.valueAt(atMs)) / 10 };
}

const socPct = (part: Part & { readonly kind: "battery" }, atMs: EpochMs): number =>
  toTenths((100 * part.law.storedKwhAt(atMs)) / part.spec.ratedCapKwh) / 10;

/** A sample of each component's power history. */
export function partPower(site: Site, atMs: EpochMs): ComponentPower[] {
  const { unit } = site;
  if (unit.kind !== "multi_component") return [];
  unit.fill(atMs);
  return unit.parts.map((part, k) => {
    const { soc, dr_active, irradiance_w_m2 } = stateOf(part, site, unit, k, atMs);
    return {
      ...identityOf(part),
      current_kw: site.inService ? roundKw(unit.powers[k].kw) : null,
      ...(soc === undefined ? {} : { soc }),
      ...(dr_active === undefined ? {} : { dr_active }),
      ...(irradiance_w_m2 === undefined ? {} : { irradiance_w_m2 }),
    };
  });
}

const CURTAILED = [
  PART_LEAF.fitCurtailed,
  PART_LEAF.nonFirmCurtailed,
  PART_LEAF.manualCurtailed,
  PART_LEAF.otherCurtailed,
];

/**
 * Energy paths of each component over an interval.
 *
 * @param units  whole units of 1 / `scale` kWh by register of the site, as a `LeafReader` gives them
 */
export function partEnergy({ unit }: Site, units: Float64Array, scale: number): ComponentEnergy[] {
  if (unit.kind !== "multi_component") return [];
  return unit.parts.map((part, k) => {
    const kwh = (leaf: number): number => units[partBase(k) + leaf] / scale || 0;
    return { ...identityOf(part), ...pathsOf(part, kwh) };
  });
}

function pathsOf(part: Part, kwh: (leaf: number) => number): Partial<ComponentEnergy> {
  const taken = { from_generator_kwh: kwh(PART_LEAF.fromGenerator), from_grid_kwh: kwh(PART_LEAF.fromGrid) };
  const given = { to_grid_kwh: kwh(PART_LEAF.toGrid), to_load_kwh: kwh(PART_LEAF.toLoad) };
  if (part.kind === "consumer") return { from_grid_kwh: taken.from_grid_kwh };
  if (part.kind === "battery") return { ...taken, ...given };
  const isStore = part.kind === "dispatchable" && part.spec.reservoir !== null;
  const exports = {
    fit: { fit_export_kwh: given.to_grid_kwh },
    fip: { fip_export_kwh: given.to_grid_kwh },
    none: { non_subsidized_export_kwh: given.to_grid_kwh },
  }[part.spec.subsidy];
  let curtailed = 0;
  for (const leaf of CURTAILED) curtailed += kwh(leaf);
  return {
    ...(isStore ? taken : {}),
    to_battery_kwh: kwh(PART_LEAF.toBattery),
    ...given,
    ...exports,
    ...(part.kind === "generator" ? { curtailed_kwh: toTenths(curtailed) / 10 } : {}),
  };
}
