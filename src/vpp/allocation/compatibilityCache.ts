import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import type { Site } from "../../site/site.ts";
import { type DispatchRequest, flagCompatibleSites } from "./eligibility.ts";

/** Compatibility of sites with delta requests, computed once per product and direction. */
export class CompatibilityCache extends Copyable {
  private readonly sites: readonly Site[];
  /** By product, then by direction + 1. */
  private readonly cached = new Map<Sku | null, (Uint8Array | undefined)[]>();

  constructor(sites: readonly Site[]) {
    super();
    this.sites = sites;
  }

  /** As `flagCompatibleSites`. */
  compatibleSites(request: DispatchRequest): Uint8Array {
    const { sku, direction } = request;
    assert(
      request.fcrCapacityTenths === null,
      "the compatibility with an FCR capacity depends on more than product and direction",
    );
    let byDirection = this.cached.get(sku);
    if (byDirection === undefined) this.cached.set(sku, (byDirection = [undefined, undefined, undefined]));
    return (byDirection[direction + 1] ??= flagCompatibleSites(this.sites, request));
  }
}
