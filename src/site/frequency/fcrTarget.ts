import type { FcrPart, FcrTarget } from "../components/target.ts";
import type { HeldOrder } from "../orders/siteOrder.ts";
import type { ComponentSpec } from "../siteSpec.ts";

/**
 * What the orders that a site executes ask of its frequency response, of which there is one with a width at least.
 *
 * A compound responds around what is called of its delta and never leaves ±|delta|, which is reserved (decisions.md 122);
 * one without a delta has no room to respond.
 */
export function fcrTarget(ruling: readonly HeldOrder[]): FcrTarget {
  const parts: FcrPart[] = [];
  let downKw = 0;
  let upKw = 0;
  for (const { order, deltaKw, fcrKw } of ruling) {
    const calledKw = deltaKw * order.activation;
    if (calledKw < 0) downKw += calledKw;
    else upKw += calledKw;
    if (fcrKw <= 0) continue;
    const isCompound = order.sku === "compound";
    parts.push({
      order,
      widthKw: fcrKw,
      deltaKw: isCompound ? calledKw : 0,
      limitKw: isCompound ? Math.abs(deltaKw) : Number.POSITIVE_INFINITY,
    });
  }
  return { parts, downKw, upKw };
}

/** Whether the plant would notice. */
export function sameFcr(a: FcrTarget | null, b: FcrTarget | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.downKw !== b.downKw || a.upKw !== b.upKw || a.parts.length !== b.parts.length) return false;
  return a.parts.every((part, k) => {
    const other = b.parts[k];
    return part.order === other.order && part.widthKw === other.widthKw && part.limitKw === other.limitKw;
  });
}

/**
 * P of the droop formula: the larger of what the parts that answer the frequency can take in and can give, in kW.
 *
 * A battery has both ratings, a plant its output and its pump, a consumer its contract (decisions.md 90).
 */
export function ratedPowerKw(components: readonly ComponentSpec[]): number {
  let importKw = 0;
  let exportKw = 0;
  for (const component of components) {
    if (!component.fcrCapable || (components.length > 1 && !holdsWidth(component))) continue;
    importKw += ratedImportKw(component);
    exportKw += ratedExportKw(component);
  }
  return Math.max(importKw, exportKw);
}

/** Whether a component of several answers the frequency: loads beside others do not. */
const holdsWidth = ({ kind }: ComponentSpec): boolean => kind === "battery" || kind === "dispatchable";

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
