import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import type { Site } from "../../site/site.ts";
import { compatibleSites, type Request } from "./eligibility.ts";

/** Which sites are compatible with a request for a delta: asked once for each product and direction. */
export class Compatibility extends Copyable {
  private readonly sites: readonly Site[];
  /** By product, then by direction from -1 on. */
  private readonly known = new Map<Sku | null, (Uint8Array | undefined)[]>();

  constructor(sites: readonly Site[]) {
    super();
    this.sites = sites;
  }

  /** As `compatibleSites`. */
  with(request: Request): Uint8Array {
    const { sku, direction } = request;
    assert(request.fcrTenths === null, "what also asks for a width is not decided by product and direction alone");
    let ofSku = this.known.get(sku);
    if (ofSku === undefined) this.known.set(sku, (ofSku = [undefined, undefined, undefined]));
    return (ofSku[direction + 1] ??= compatibleSites(this.sites, request));
  }
}
