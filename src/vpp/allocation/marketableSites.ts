import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import { isMarketable } from "../../site/orders/isMarketable.ts";
import type { Site } from "../../site/site.ts";

/** The sites that may sell a product, computed once per product. */
export class MarketableSites extends Copyable {
  private readonly sites: readonly Site[];
  private readonly bySku = new Map<Sku | null, Uint8Array<ArrayBuffer>>();
  /** Consecutive orders usually have the same product. */
  private lastSku: Sku | null | undefined = undefined;
  private last = new Uint8Array(0);

  constructor(sites: readonly Site[]) {
    super();
    this.sites = sites;
  }

  /** By site index: 1 if the product is marketable at the site; without a product, everywhere. */
  of(sku: Sku | null): Uint8Array {
    if (sku === this.lastSku) return this.last;
    let flags = this.bySku.get(sku);
    if (flags === undefined) {
      flags = Uint8Array.from(this.sites, ({ spec }) =>
        isMarketable(spec.capability.marketable, { sku, compoundBreakdown: null }, DELTA) ? 1 : 0,
      );
      this.bySku.set(sku, flags);
    }
    this.lastSku = sku;
    this.last = flags;
    return flags;
  }
}

/** An amount without frequency response. */
const DELTA = { deltaKw: 0, fcrCapacityKw: 0 };
