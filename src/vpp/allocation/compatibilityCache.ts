import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import type { Site } from "../../site/site.ts";
import { type DispatchRequest, flagCompatibleSites } from "./eligibility.ts";

/** Which sites are compatible with a request for a delta: asked once for each product and direction. */
export class CompatibilityCache extends Copyable {
  private readonly sites: readonly Site[];
  /** By product, then by direction from -1 on. */
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
      "what also asks for a width is not decided by product and direction alone",
    );
    let ofSku = this.cached.get(sku);
    if (ofSku === undefined) this.cached.set(sku, (ofSku = [undefined, undefined, undefined]));
    return (ofSku[direction + 1] ??= flagCompatibleSites(this.sites, request));
  }
}
