import type { RunHistory } from "../../../accounting/history/runHistory.ts";
import { assert } from "../../../base/assert.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import type { ApiRequest, RequestContext } from "../route.ts";

/** The VPP of a call; calls for an unknown VPP have been refused before. */
export function vppOf({ world }: RequestContext, { id }: ApiRequest): Vpp {
  const vpp = world.vppById(id);
  assert(vpp !== undefined, "the VPP of a call is checked before it is answered");
  return vpp;
}

/** The site of a call; calls for an unknown site have been refused before. */
export function siteOf({ world }: RequestContext, { id }: ApiRequest): Site {
  const site = world.siteById(id);
  assert(site !== undefined, "the site of a call is checked before it is answered");
  return site;
}

export function historyOf({ history }: RequestContext): RunHistory {
  assert(history !== undefined, "a host that answers reads records the history of its world");
  return history;
}
