import type { EpochMs } from "../../base/time.ts";
import type { Answer, ApiRequest } from "../../endpoints/route.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { FeedEvent } from "./eventFeed.ts";

/** An answered request of a client as an event. */
export function commandEvent(
  { vpps, sites }: WorldSpec,
  { api, id, method, path }: ApiRequest,
  { status, body: answer }: Answer,
  atMs: EpochMs,
): FeedEvent {
  const vpp = vpps.find(({ vppId }) => vppId === id)?.name ?? null;
  const site = sites.find(({ emsId }) => emsId === id)?.name ?? null;
  const isRefused = status >= 400;
  const error = isRefused ? (answer as { readonly error?: ErrorFields } | undefined)?.error : undefined;
  const name = vpp === null ? (site ?? id) : `VPP ${vpp}`;
  const outcome = isRefused
    ? `refused with ${status}${error?.details === undefined ? "" : `: ${error.details}`}`
    : "done";
  return {
    atMs,
    kind: isRefused ? "command_refused" : "command",
    site,
    awardId: null,
    text: `${method} ${path} of ${name}: ${outcome}`,
    data: { vpp, api, method, path, status, error_type: error?.error_type ?? null },
  };
}

interface ErrorFields {
  readonly error_type?: string;
  readonly details?: string;
}
