// Who takes part in a delta instruction and how it is shared out, in whole tenths of a kW.

import type { Cause } from "../../../src/accounting/settlement/causes.ts";
import type { Sku } from "../../../src/base/sku.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import { requestBaselineKw } from "./plan.ts";
import { batteryAvailable, dispatchableAvailable, generatorAvailable, type ReferencePlant } from "./referencePlant.ts";

/** Kinds that are passed over: exclusions known before anything is sent (docs/model/allocation.md#compatibility, docs/model/allocation.md#exclusion, docs/model/connection-point.md#capability-flags). */
export function isIncompatible(site: SiteSpec, sku: Sku | null, requestKw: number, baselineKw: number): boolean {
  const component = site.components[0];
  if (component.kind === "generator") return (component.subsidy === "fit" && sku !== null) || requestKw > 0;
  if (component.kind === "dispatchable") {
    const highestKw = component.reservoir === null ? -component.minOutputKw : component.reservoir.pumpMaxKw;
    return (component.subsidy === "fit" && sku !== null) || (requestKw > 0 && highestKw <= baselineKw);
  }
  if (component.kind !== "consumer") return false;
  if (sku === "exchange-da" || sku === "exchange-ttv") return true;
  return requestKw > 0 || (requestKw < 0 && !(site.capability.drCapable && component.drCapable));
}

/** Who answers the frequency: site and component say so; neither sun nor wind (docs/model/frequency-response.md#two-sided-capability, docs/model/connection-point.md#capability-flags). */
export function isFcrCapable({ capability, components: [component] }: SiteSpec): boolean {
  return component.kind !== "generator" && capability.fcrCapable && component.fcrCapable;
}

/** Who may hold FCR capacity: not a plant under a tariff, whose registration is not refused for that (docs/model/allocation.md#no-dispatchable-members, docs/model/allocation.md#compatibility). */
export function canHoldFcr(site: SiteSpec): boolean {
  const [component] = site.components;
  return isFcrCapable(site) && (component.kind !== "dispatchable" || component.subsidy !== "fit");
}

/** Upward and downward headroom that others hold already, in kW. */
export interface ReservedHeadroom {
  readonly upKw: number;
  readonly downKw: number;
}

/** What other orders hold of a site: a delta its own direction, FCR capacity both (docs/model/frequency-response.md#coexisting). */
export function reservedHeadroom(plant: ReferencePlant, registration: number): ReservedHeadroom {
  const others = plant.orders.filter((held) => held.registration !== registration);
  const sum = (of: (held: (typeof others)[number]) => number) => others.reduce((total, held) => total + of(held), 0);
  return {
    upKw: sum(({ deltaKw, fcrCapacityKw }) => Math.max(0, deltaKw) + fcrCapacityKw),
    downKw: sum(({ deltaKw, fcrCapacityKw }) => Math.max(0, -deltaKw) + fcrCapacityKw),
  };
}

/** Headroom on both sides of a baseline (docs/model/frequency-response.md#two-sided-capability, docs/model/frequency-response.md#rated-power, docs/model/frequency-response.md#energy-test). */
export function fcrCapability(
  plant: ReferencePlant,
  baselineKw: number,
  held: ReservedHeadroom,
  testMinutes: number,
): Capability {
  const { component } = plant;
  if (component.kind === "battery") {
    const can = batteryAvailable(plant, component);
    const isAtBound = can.importBound === "energy_limit" || can.exportBound === "energy_limit";
    if (isAtBound) return { kw: 0, limit: "energy_limit" };
    const hours = testMinutes / 60;
    const lowKwh = plant.storedKwh - (component.ratedCapKwh * component.socOpMinPct) / 100;
    const highKwh = (component.ratedCapKwh * component.socOpMaxPct) / 100 - plant.storedKwh;
    const testKw =
      testMinutes === 0
        ? Number.POSITIVE_INFINITY
        : Math.max(
            0,
            Math.min((lowKwh * component.dischargeEfficiency) / hours, highKwh / component.chargeEfficiency / hours),
          );
    const room = { upKw: can.importKw - baselineKw, downKw: can.exportKw + baselineKw, testKw };
    return twoSided(room, held, can.exportBound);
  }
  if (component.kind === "dispatchable") {
    // Rated output above, least output below what it gives.
    const can = dispatchableAvailable(plant, component);
    const upKw = -baselineKw - component.minOutputKw;
    const room = { upKw, downKw: can.exportKw + baselineKw, testKw: Number.POSITIVE_INFINITY };
    if (can.exportBound === "energy_limit")
      return { kw: twoSided(room, held, "power_limit").kw, limit: "energy_limit" };
    return twoSided(room, held, can.exportBound);
  }
  throw new Error(`the stepper knows no FCR capacity of a ${component.kind}`);
}

/** FCR capacity is the smaller side of what others leave; if they leave less than there would be without them, they are the limit. */
function twoSided(
  { upKw, downKw, testKw }: { readonly upKw: number; readonly downKw: number; readonly testKw: number },
  held: ReservedHeadroom,
  downLimit: Cause,
): Capability {
  const of = (up: number, down: number) => Math.max(0, Math.min(up, down, testKw));
  const kw = of(upKw - held.upKw, downKw - held.downKw);
  if (floorTenths(kw) < floorTenths(of(upKw, downKw))) return { kw, limit: "other_award" };
  const isDown = downKw - held.downKw <= Math.min(upKw - held.upKw, testKw);
  return { kw, limit: isDown ? downLimit : "power_limit" };
}

export interface Capability {
  readonly kw: number;
  /** What sets it. */
  readonly limit: Cause;
}

/** Headroom from a baseline in the direction of a request (docs/model/capability.md#headroom, docs/model/pv.md#pv-capability). */
export function capability(plant: ReferencePlant, atMs: number, baselineKw: number, requestKw: number): Capability {
  const { component } = plant;
  if (component.kind === "consumer") return { kw: component.maxDrReductionKw, limit: "power_limit" };
  if (component.kind === "generator") {
    const { kw, bound } = generatorAvailable(plant, component, atMs);
    // At dispatch its rating is a limit of power, as is the grid.
    const atRating = component.ratedOutputKw <= kw ? "power_limit" : "weather";
    return { kw: Math.max(0, kw + baselineKw), limit: bound === "weather" ? atRating : bound };
  }
  if (component.kind === "dispatchable") {
    const can = dispatchableAvailable(plant, component);
    const highestKw = component.reservoir === null ? -component.minOutputKw : can.pumpKw;
    return requestKw > 0
      ? { kw: Math.max(0, highestKw - baselineKw), limit: can.importBound }
      : { kw: Math.max(0, can.exportKw + baselineKw), limit: can.exportBound };
  }
  if (component.kind !== "battery") throw new Error(`the reference has no ${component.kind}`);
  const available = batteryAvailable(plant, component);
  return requestKw > 0
    ? { kw: Math.max(0, available.importKw - baselineKw), limit: available.importBound }
    : { kw: Math.max(0, available.exportKw + baselineKw), limit: available.exportBound };
}

/** Absolute limits that the range check of an immediate instruction adds up (docs/model/capability.md#immediate-range). */
export function reportedAvailable(
  plant: ReferencePlant,
  atMs: number,
  strict: boolean,
): { readonly importKw: number; readonly exportKw: number } {
  const { component } = plant;
  if (component.kind === "battery") return batteryAvailable(plant, component);
  if (component.kind === "generator") return { importKw: 0, exportKw: generatorAvailable(plant, component, atMs).kw };
  if (component.kind === "dispatchable") {
    const baselineKw = requestBaselineKw(plant, atMs);
    const upKw = strict ? 0 : capability(plant, atMs, baselineKw, 1).kw;
    return { importKw: upKw, exportKw: dispatchableAvailable(plant, component).exportKw };
  }
  return { importKw: 0, exportKw: 0 };
}

const floorTenths = (kw: number): number => Math.floor(10 * kw + 1e-6);

/**
 * Shares of |request| in tenths by largest remainder, cut to each capability (docs/model/time.md#largest-remainder, docs/model/allocation.md#delta-excess).
 *
 * @param caps kW, one per weight
 * @returns tenths, one per weight
 */
export function splitTenths(requestKw: number, weights: readonly number[], caps: readonly number[]): number[] {
  const tenths = Math.round(Math.abs(requestKw) * 10);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  const exact = weights.map((weight) => (tenths * weight) / total);
  return largestRemainder(exact, tenths).map((share, k) => Math.min(share, floorTenths(caps[k])));
}

/** As `splitTenths`, but what one cannot take is offered to those with room (docs/model/allocation.md#delta-excess, `redistribute`). */
export function redistributeTenths(requestKw: number, weights: readonly number[], caps: readonly number[]): number[] {
  const room = caps.map(floorTenths);
  const taken = weights.map(() => 0);
  let left = Math.round(Math.abs(requestKw) * 10);
  while (left > 1e-9) {
    const open = weights.map((_, k) => k).filter((k) => room[k] - taken[k] > 1e-9);
    const total = open.reduce((sum, k) => sum + weights[k], 0);
    if (total === 0) break;
    let given = 0;
    for (const k of open) {
      const part = Math.min((left * weights[k]) / total, room[k] - taken[k]);
      taken[k] += part;
      given += part;
    }
    left -= given;
  }
  const whole = Math.round(taken.reduce((sum, part) => sum + part, 0));
  return largestRemainder(taken, whole);
}

/** Whole numbers with a given sum; the largest fractions go up, earlier ones first where equal. */
function largestRemainder(exact: readonly number[], sum: number): number[] {
  const whole = exact.map((share) => Math.floor(share + 1e-6));
  let left = sum - whole.reduce((total, share) => total + share, 0);
  const open = exact.map((_, k) => k);
  while (left > 0 && open.length > 0) {
    let best = 0;
    for (let j = 1; j < open.length; j++) {
      if (exact[open[j]] - whole[open[j]] > exact[open[best]] - whole[open[best]] + 1e-9) best = j;
    }
    whole[open.splice(best, 1)[0]] += 1;
    left -= 1;
  }
  return whole;
}
