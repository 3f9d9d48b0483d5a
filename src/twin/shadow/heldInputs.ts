import type { VppDetails } from "../../api/client/index.ts";
import { sumOf } from "../../base/lists.ts";
import type { EpochMs } from "../../base/time.ts";
import { pvFromPlane } from "../../engine/device/pv/pvModelChain.ts";
import { Series } from "../../engine/series/model/series.ts";
import type { World } from "../../engine/simulation/world.ts";
import { type Component, kindOf } from "../../engine/site/components/registry.ts";
import type { PvPlantKeys } from "../../engine/site/components/scenarioFacet.ts";
import type { Site } from "../../engine/site/site.ts";
import { componentsOf } from "../../engine/site/siteResource.ts";

/** A member in the status details of a VPP. */
export type MemberDetails = VppDetails["members"][number];

/** Inputs of one site after the end of its series: the values that were read last (docs/model/twin.md#held-inputs). */
export class HeldInputs {
  private readonly site: Site;
  private readonly pv: PvPlantKeys | null;
  private readonly auxiliaryKw: number;
  private slotKw: number;

  /** @param pv  keys of a PV plant alone at its site; `null`: none */
  constructor(site: Site, pv: PvPlantKeys | null, atMs: EpochMs) {
    const { components } = site.spec;
    this.site = site;
    this.pv = pv;
    // The plan of several components is the power of their meter.
    this.auxiliaryKw =
      components.length > 1 ? 0 : sumOf(components, (spec) => kindOf(spec).operation.auxiliaryKw(spec));
    this.slotKw = site.baselineSlotKwAt(atMs);
  }

  /** Takes values that were measured at the present instant of the world, within a command. */
  hold(world: World, member: MemberDetails): void {
    const { site } = this;
    const { current_kw, baseline_kw, dispatched_delta_kw, fcr_response_kw } = member.active_power;
    if (current_kw === null) return;
    const inputs = componentsOf(site.resource).map((component) => this.inputKw(component, member, world.nowMs));
    if (dispatched_delta_kw === null && fcr_response_kw === null) this.slotKw = baseline_kw;
    const planKw = site.orderBook.isEmpty ? current_kw - this.auxiliaryKw : baseline_kw;
    const { fcr, baseline } = site;
    const { hasRegisteredSlots } = baseline;
    world.applySettings(site, { baseline: { planKw, slotsKw: this.slotKw, hasRegisteredSlots }, fcr });
    componentsOf(site.resource).forEach((component, k) => {
      const kw = inputs[k];
      if (kw !== null) component.expectInput(world.nowMs, constantSeries(kw, world.nowMs, world.spec.endMs));
    });
  }

  /** Load or output of a component, in kW, import positive; `null`: stays as it is. */
  private inputKw(component: Component, member: MemberDetails, atMs: EpochMs): number | null {
    const isAlone = this.site.resource.composite === null;
    const own = isAlone ? member : member.components?.find((each) => each.component_id === component.spec.componentId);
    const currentKw = own?.active_power.current_kw ?? null;
    if (currentKw === null) return null;
    if (component.load !== null) return isAlone ? this.loadKw(currentKw, atMs) : this.undisturbed(currentKw);
    if (component.role !== "variable") return null;
    const irradianceWm2 = member.resource_state.irradiance_w_m2 ?? null;
    if (this.pv === null || component.irradiance === null || irradianceWm2 === null)
      return this.undisturbed(Math.min(0, currentKw));
    const poaWm2 = Float64Array.of(Math.max(0, irradianceWm2));
    const [acKw] = pvFromPlane(poaWm2, poaWm2, NO_WEATHER, this.pv.system).acKw;
    return -acKw;
  }

  private undisturbed(kw: number): number | null {
    return this.site.orderBook.isEmpty ? kw : null;
  }

  /** The load as it would be undisturbed: what was measured, and what the twin sheds, less its rebound. */
  private loadKw(currentKw: number, atMs: EpochMs): number {
    const { load } = this.site.resource;
    const shedKw = load === null ? 0 : load.demandKw.valueAt(atMs) - this.site.kwAt(atMs);
    return Math.max(0, currentKw + shedKw);
  }
}

const NO_WEATHER = { airTemperatureC: null, windSpeedMPerS: null };

const constantSeries = (kw: number, fromMs: EpochMs, untilMs: EpochMs): Series =>
  new Series("held", Float64Array.of(fromMs), Float64Array.of(kw), "step", untilMs);
