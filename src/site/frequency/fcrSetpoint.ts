import type { ComponentSpec } from "../components/registry.ts";
import type { FcrOrderResponse, FcrSetpoint } from "../components/setpoint.ts";
import type { OrderBookEntry } from "../orders/siteOrder.ts";

/**
 * What the orders that a site executes ask of its frequency response, of which there is one with a width at least.
 *
 * A compound responds around what is called of its delta and never leaves ±|delta|, which is reserved (docs/model/frequency-response.md#compound);
 * one without a delta has no room to respond.
 */
export function fcrSetpointOf(ruling: readonly OrderBookEntry[]): FcrSetpoint {
  const parts: FcrOrderResponse[] = [];
  let downKw = 0;
  let upKw = 0;
  for (const { order, deltaKw, fcrCapacityKw: fcrKw } of ruling) {
    const calledKw = deltaKw * order.activation;
    if (calledKw < 0) downKw += calledKw;
    else upKw += calledKw;
    if (fcrKw <= 0) continue;
    const isCompound = order.sku === "compound";
    parts.push({
      order,
      fcrCapacityKw: fcrKw,
      deltaKw: isCompound ? calledKw : 0,
      limitKw: isCompound ? Math.abs(deltaKw) : Number.POSITIVE_INFINITY,
    });
  }
  return { orderResponses: parts, downDeltaKw: downKw, upDeltaKw: upKw };
}

/** Whether the plant would notice. */
export function isSameFcrSetpoint(a: FcrSetpoint | null, b: FcrSetpoint | null): boolean {
  if (a === null || b === null) return a === b;
  if (
    a.downDeltaKw !== b.downDeltaKw ||
    a.upDeltaKw !== b.upDeltaKw ||
    a.orderResponses.length !== b.orderResponses.length
  )
    return false;
  return a.orderResponses.every((part, k) => {
    const other = b.orderResponses[k];
    return part.order === other.order && part.fcrCapacityKw === other.fcrCapacityKw && part.limitKw === other.limitKw;
  });
}

/**
 * P of the droop formula: the larger of what the parts that answer the frequency can take in and can give, in kW.
 *
 * A battery has both ratings, a plant its output and its pump, a consumer its contract (docs/model/frequency-response.md#rated-power).
 */
export function ratedPowerKw(components: readonly ComponentSpec[]): number {
  let importKw = 0;
  let exportKw = 0;
  for (const component of components) {
    if (!component.fcrCapable || (components.length > 1 && !canProvideFcr(component))) continue;
    importKw += ratedImportKw(component);
    exportKw += ratedExportKw(component);
  }
  return Math.max(importKw, exportKw);
}

/** Whether a component of several answers the frequency: loads beside others do not. */
const canProvideFcr = ({ kind }: ComponentSpec): boolean => kind === "battery" || kind === "dispatchable";

function ratedImportKw(component: ComponentSpec): number {
  switch (component.kind) {
    case "battery":
      return component.importMaxKw;
    case "dispatchable":
      return component.reservoir?.pumpMaxKw ?? 0;
    case "consumer":
      return component.contractKw;
    case "generator":
      return 0;
  }
}

function ratedExportKw(component: ComponentSpec): number {
  switch (component.kind) {
    case "battery":
      return component.exportMaxKw;
    case "dispatchable":
    case "generator":
      return component.ratedOutputKw;
    case "consumer":
      return 0;
  }
}
