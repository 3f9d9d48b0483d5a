import type { Sku } from "../../base/sku.ts";
import type { OrderAmount, SiteOrder } from "./siteOrder.ts";

/** A site may also provide a compound if each of its product legs is marketable (docs/model/allocation.md#compatibility). */
export function isMarketable(
  marketable: readonly Sku[],
  { sku, compoundBreakdown }: Pick<SiteOrder, "sku" | "compoundBreakdown">,
  { fcrCapacityKw }: OrderAmount,
): boolean {
  if (sku === null) return true;
  for (let k = 0; k < marketable.length; k++) if (marketable[k] === sku) return true;
  if (sku !== "compound" || compoundBreakdown === undefined || compoundBreakdown === null) return false;
  return Object.keys(compoundBreakdown).every((leg) =>
    leg === "fcr_response_kw"
      ? fcrCapacityKw === 0 || marketable.includes("fcr")
      : marketable.some((sku) => sku === leg),
  );
}
