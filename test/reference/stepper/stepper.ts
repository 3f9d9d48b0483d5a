// A second, plain implementation of the rules for tests: a fixed step, no events solved for, nothing shared with the
// simulator but the types of its input. Knows single-component sites; awards of one VPP overlap only where their products
// run beside each other; frequency response of batteries and plants. Leaves out reductions by two products at once
// and faults drawn by chance.

import type { AwardState } from "../../../src/accounting/settlement/awardRows.ts";
import type { RefusalKind } from "../../../src/base/result.ts";
import { Series } from "../../../src/engine/series/model/series.ts";
import type { ScenarioEvent, WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import { priceAt } from "./money.ts";
import { ReferenceDispatcher } from "./referenceDispatcher.ts";
import { isInService, newReferencePlant, type ReferencePlant, stepPlant } from "./referencePlant.ts";

export interface StepperOptions {
  /** Divides a second. Default 1000. */
  readonly stepMs?: number;
  /** Length of the energy records. Default half an hour. */
  readonly intervalMs?: number;
}

export interface StepperResult {
  /** Awards, then instructions, in file order. */
  readonly awards: readonly StepperAward[];
  /** In scenario order. */
  readonly sites: readonly StepperSite[];
  /** All imports less exports at the market price; 0 without one. */
  readonly netImportJpy: number;
}

export interface StepperAward {
  readonly awardId: string;
  readonly state: AwardState;
  readonly errorType: RefusalKind | null;
  readonly requestedKw: number;
  /** `null`: nothing was executed in the run. */
  readonly uncoveredKw: number | null;
  readonly uncoveredByCauseKw: Float64Array;
  /** `null`: an award without FCR capacity. */
  readonly fcr: { readonly upKwh: number; readonly downKwh: number; readonly uncoveredKw: number | null } | null;
  readonly fcrUncoveredByCauseKw: Float64Array;
  readonly requestedKwh: number;
  readonly deliveredKwh: number;
  readonly shortfallKwh: number;
  readonly excessKwh: number;
  readonly shortfallByCauseKwh: Float64Array;
  readonly executedMinutes: number;
  readonly capacityJpy: number;
  readonly awardEnergyJpy: number;
  readonly awardMarketJpy: number;
  readonly penaltyJpy: number;
  /** Deltas in force after each (re)dispatch, one per site of the world; `null`: none. */
  readonly dispatches: readonly {
    readonly atMs: number;
    readonly deltaKw: readonly (number | null)[];
    readonly fcrCapacityKw: readonly (number | null)[];
  }[];
}

export interface StepperSite {
  readonly site: string;
  /** One per interval. */
  readonly importKwh: readonly number[];
  readonly exportKwh: readonly number[];
  /** At the interval ends; empty without a battery. */
  readonly socPct: readonly number[];
}

export function stepWorld(spec: WorldSpec, options: StepperOptions = {}): StepperResult {
  const { stepMs = 1000, intervalMs = 1_800_000 } = options;
  const plants = spec.sites.map((site) => newReferencePlant(site, spec));
  if (typeof spec.frequencyHz !== "number" && !(spec.frequencyHz instanceof Series))
    throw new Error("the stepper makes no frequency");
  for (const plant of plants) plant.frequency = spec.frequencyHz;
  const desk = new ReferenceDispatcher(spec, plants);
  let netImportJpy = 0;
  const meters = plants.map(() => ({ importKwh: [] as number[], exportKwh: [] as number[], socPct: [] as number[] }));
  for (let atMs = spec.startMs; atMs < spec.endMs; atMs += stepMs) {
    if ((atMs - spec.startMs) % 1000 === 0) passInstant(spec, plants, desk, atMs);
    for (const plant of plants) stepPlant(plant, atMs, stepMs);
    desk.addStep(atMs, stepMs);
    const newInterval = (atMs - spec.startMs) % intervalMs === 0;
    const lastOfInterval = (atMs + stepMs - spec.startMs) % intervalMs === 0 || atMs + stepMs === spec.endMs;
    plants.forEach((plant, k) => {
      const { importKwh, exportKwh, socPct } = meters[k];
      if (newInterval) {
        importKwh.push(0);
        exportKwh.push(0);
      }
      const kwh = (plant.powerKw * stepMs) / 3_600_000;
      netImportJpy += kwh * priceAt(spec.energyPriceJpyPerKwh, atMs);
      if (kwh > 0) importKwh[importKwh.length - 1] += kwh;
      else exportKwh[exportKwh.length - 1] -= kwh;
      if (lastOfInterval && plant.component.kind === "battery") {
        socPct.push((100 * plant.storedKwh) / plant.component.ratedCapKwh);
      }
    });
  }
  return {
    awards: desk.finish(),
    netImportJpy,
    sites: spec.sites.map((site, k) => ({ site: site.name, ...meters[k] })),
  };
}

/** Everything that is due at one instant, in the order of docs/model/time.md#event-order, docs/model/time.md#settled. */
function passInstant(
  spec: WorldSpec,
  plants: readonly ReferencePlant[],
  desk: ReferenceDispatcher,
  atMs: number,
): void {
  limitPlants(spec, plants, atMs, (event) => event.atMs < atMs || !event.settled);
  for (const event of spec.events) if (hasEnd(event) && event.untilMs === atMs) endEvent(plants[event.site], event);
  for (const event of spec.events) if (event.atMs === atMs && !event.settled) beginEvent(plants, desk, event);
  desk.activate(atMs);
  desk.endDue(atMs);
  const changed = atMs % 60_000 === 0 ? desk.evaluate(atMs) : [];
  desk.register(atMs);
  desk.redispatch(changed, atMs);
  desk.startDue(atMs);
  desk.settleReductions(atMs);
  for (const event of spec.events) if (event.atMs === atMs && event.settled) beginEvent(plants, desk, event);
  limitPlants(spec, plants, atMs, () => true);
}

/** Limits and sunlight by the malfunctions that have begun. */
function limitPlants(
  { events }: WorldSpec,
  plants: readonly ReferencePlant[],
  atMs: number,
  hasBegun: (event: ScenarioEvent) => boolean,
): void {
  plants.forEach((plant, site) => {
    const begun = events.filter(
      (event) => "site" in event && event.site === site && event.atMs <= atMs && hasBegun(event),
    );
    const share = Math.min(1, ...begun.map((event) => (event.kind === "derate" ? deratePctAt(event, atMs) / 100 : 1)));
    plant.limits = limitsAt(plant.site, atMs);
    plant.isDerated = share < 1;
    if (plant.isDerated) {
      const { importKw, exportKw } = ratedKw(plant.component);
      const { siteImportMaxKw, siteExportMaxKw } = plant.limits;
      plant.limits = {
        siteImportMaxKw: Math.min(siteImportMaxKw, share * importKw),
        siteExportMaxKw: Math.min(siteExportMaxKw, share * exportKw),
      };
    }
    const shades = begun.map((event) =>
      event.kind === "irradiance_shortfall" && atMs < event.untilMs ? event.limitPct / 100 : 1,
    );
    plant.sunShare = Math.min(1, ...shades);
  });
}

/** docs/model/sandbox.md#derate */
function deratePctAt({ atMs: startMs, untilMs, limitPct, rampInMs, rampOutMs }: Derate, atMs: number): number {
  const rampPct = (fromPct: number, toPct: number, durationMs: number, passedMs: number): number => {
    const count = Math.max(1, Math.ceil(Math.abs(toPct - fromPct)));
    const steps = durationMs === 0 ? count : Math.min(count, Math.floor((passedMs * count) / durationMs + 1e-9));
    return fromPct + ((toPct - fromPct) * steps) / count;
  };
  const downPct = rampPct(100, limitPct, rampInMs, Math.min(atMs, untilMs) - startMs);
  return atMs < untilMs ? downPct : rampPct(downPct, 100, rampOutMs, atMs - untilMs);
}

type Derate = Extract<ScenarioEvent, { readonly kind: "derate" }>;

function ratedKw(component: ReferencePlant["component"]): { readonly importKw: number; readonly exportKw: number } {
  if (component.kind === "battery") return { importKw: component.importMaxKw, exportKw: component.exportMaxKw };
  if (component.kind === "generator") return { importKw: 0, exportKw: component.ratedOutputKw };
  throw new Error(`the stepper does not derate a ${component.kind}`);
}

function limitsAt({ constraints }: SiteSpec, atMs: number): ReferencePlant["limits"] {
  const kwAt = (limit: Series | number) => (typeof limit === "number" ? limit : limit.valueAt(atMs));
  return {
    siteImportMaxKw: kwAt(constraints.siteImportMaxKw),
    siteExportMaxKw: kwAt(constraints.siteExportMaxKw),
  };
}

type LastingEvent = Extract<ScenarioEvent, { readonly untilMs: number }>;

const hasEnd = (event: ScenarioEvent): event is LastingEvent => "untilMs" in event;

function beginEvent(plants: readonly ReferencePlant[], desk: ReferenceDispatcher, event: ScenarioEvent): void {
  if (!("site" in event)) throw new Error(`the stepper does not know ${event.kind}`);
  const plant = plants[event.site];
  if (event.kind === "outage" || event.kind === "maintenance") {
    if (isInService(plant)) plant.outageStartMs = event.atMs;
    plant.activeOutageCount += 1;
  } else if (event.kind === "link_down") plant.activeLinkFaultCount += 1;
  else if (event.kind === "fcr_fault") plant.activeFcrFaultCount += 1;
  else if (event.kind === "output_control") plant.limitsPct.push(event.limitPct);
  else if (event.kind === "set_weight") desk.setWeight(event.vpp, event.site, event.allocationWeight);
  else if (event.kind === "add_member") desk.addMember(event.vpp, event.site, event.allocationWeight);
  else if (event.kind === "remove_member") desk.removeMember(event.vpp, event.site);
}

function endEvent(plant: ReferencePlant, event: LastingEvent): void {
  if (event.kind === "outage" || event.kind === "maintenance") plant.activeOutageCount -= 1;
  else if (event.kind === "link_down") plant.activeLinkFaultCount -= 1;
  else if (event.kind === "fcr_fault") plant.activeFcrFaultCount -= 1;
  else if (event.kind === "output_control") plant.limitsPct.splice(plant.limitsPct.indexOf(event.limitPct), 1);
}
