import type { ActiveSku } from "../shared/reading/siteReading.ts";
import type { MemberView } from "./memberView.ts";

/**
 * Sums of a VPP over its members in service; whole tenths, NaN for null (docs/model/members.md#sums,
 * docs/model/apis.md#direct-control).
 */
export interface VppView {
  readonly isInService: boolean;
  readonly currentTenths: number;
  readonly baselineTenths: number;
  readonly deltaTenths: number;
  readonly dispatchedTenths: number;
  readonly fcrTenths: number;
  readonly importTenths: number;
  readonly exportTenths: number;
  readonly importEnergyTenths: number;
  readonly exportEnergyTenths: number;
  readonly isFcrActive: boolean;
  readonly isDrActive: boolean;
  readonly hasWarning: boolean;
  readonly activeSku: ActiveSku;
}

export function viewVpp(members: readonly MemberView[]): VppView {
  let inService = false;
  let currentTenths = 0;
  let baselineTenths = 0;
  let dispatchedTenths = Number.NaN;
  let fcrTenths = Number.NaN;
  let importTenths = 0;
  let exportTenths = 0;
  let importEnergyTenths = 0;
  let exportEnergyTenths = 0;
  let isFcrActive = false;
  let drActive = false;
  let warns = false;
  let activeSku: ActiveSku = null;
  for (const view of members) {
    const { reading } = view;
    warns ||= view.hasWarning;
    if (!reading.isInService) continue;
    activeSku = inService ? commonSku(activeSku, reading.activeSku) : reading.activeSku;
    inService = true;
    currentTenths += reading.currentTenths;
    baselineTenths += reading.baselineTenths;
    dispatchedTenths = addKnown(dispatchedTenths, reading.dispatchedTenths);
    fcrTenths = addKnown(fcrTenths, reading.fcrTenths);
    importTenths += view.importTenths;
    exportTenths += view.exportTenths;
    if (!Number.isNaN(view.importEnergyTenths)) importEnergyTenths += view.importEnergyTenths;
    if (!Number.isNaN(view.exportEnergyTenths)) exportEnergyTenths += view.exportEnergyTenths;
    isFcrActive ||= view.isFcrActive;
    drActive ||= reading.isReducing;
  }
  return {
    isInService: inService,
    currentTenths,
    baselineTenths,
    deltaTenths: currentTenths - baselineTenths,
    dispatchedTenths,
    fcrTenths: hasFcrCapacity(activeSku) ? fcrTenths : Number.NaN,
    importTenths,
    exportTenths,
    importEnergyTenths,
    exportEnergyTenths,
    isFcrActive: isFcrActive,
    isDrActive: drActive,
    hasWarning: warns,
    activeSku,
  };
}

/** The common product of two members; a product and none count as different (docs/model/members.md#active-sku). */
export const commonSku = (a: ActiveSku, b: ActiveSku): ActiveSku => (a === b ? a : "mixed");

/** The VPP's FCR capacity is shown while all members hold it under one product (docs/model/apis.md#status-fields). */
export const hasFcrCapacity = (sku: ActiveSku): boolean => sku === "fcr" || sku === "compound";

/** Sum that ignores NaN; NaN if both are. */
export const addKnown = (sum: number, value: number): number =>
  Number.isNaN(value) ? sum : Number.isNaN(sum) ? value : sum + value;
