import type { Answer, ApiRequest } from "../../../api/endpoints/route.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { WorldSpec } from "../../../engine/simulation/worldSpec.ts";
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
  return {
    atMs,
    kind: isRefused ? "command_refused" : "command",
    site,
    awardId: null,
    award: null,
    vpp,
    detail: isRefused ? (error?.details ?? "") : "",
    data: { api, method, path, status, error_type: error?.error_type ?? null },
  };
}

/** The text of a command event. */
export function commandText({ site, vpp, detail, data }: FeedEvent): string {
  const name = vpp === null ? (site ?? "an unknown id") : `VPP ${vpp}`;
  const outcome =
    Number(data?.status) < 400 ? "done" : `refused with ${String(data?.status)}${detail === "" ? "" : `: ${detail}`}`;
  return `${String(data?.method)} ${String(data?.path)} of ${name}: ${outcome}`;
}

interface ErrorFields {
  readonly error_type?: string;
  readonly details?: string;
}
