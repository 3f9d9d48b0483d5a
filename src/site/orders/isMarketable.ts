import type { Sku } from "../../base/sku.ts";
import type { OrderAmount, SiteOrder } from "./siteOrder.ts";

/** A compound may also be sold by its parts, those that the site is given (docs/model/allocation.md#compatibility). */
export function isMarketable(
  marketable: readonly Sku[],
  { sku, compoundBreakdown }: Pick<SiteOrder, "sku" | "compoundBreakdown">,
  { fcrCapacityKw: fcrKw }: OrderAmount,
): boolean {
  if (sku === null || marketable.includes(sku)) return true;
  if (sku !== "compound" || compoundBreakdown === undefined || compoundBreakdown === null) return false;
  return Object.keys(compoundBreakdown).every((part) =>
    part === "fcr_response_kw" ? fcrKw === 0 || marketable.includes("fcr") : marketable.some((known) => known === part),
  );
}
