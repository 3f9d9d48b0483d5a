import { ApiError, type ErrorObject } from "../../../api/client/apiError.ts";
import type { SessionView, SiteView, VppView } from "../../../api/client/sandboxTypes.ts";
import type { SentRequest } from "../../data/sandboxCalls.ts";
import type { Station } from "../../data/station.ts";
import { bodyOf, controlPath } from "./controlBody.ts";
import type { ControlApi, ControlDraft } from "./controlDraft.ts";

/** What a control request is sent to. */
export type ControlTarget =
  | { readonly kind: "vpp"; readonly name: string; readonly vpp: VppView }
  | { readonly kind: "site"; readonly name: string; readonly site: SiteView };

/** Key of a target in the address, such as `vpp:east`. */
export const targetKey = ({ kind, name }: Pick<ControlTarget, "kind" | "name">): string => `${kind}:${name}`;

/** The target of a key; unknown keys mean the first VPP. */
export function targetOf({ vpps, sites }: SessionView, key: string): ControlTarget {
  const site = sites.find(({ name }) => key === targetKey({ kind: "site", name }));
  if (site !== undefined) return { kind: "site", name: site.name, site };
  const vpp = vpps.find(({ name }) => key === targetKey({ kind: "vpp", name })) ?? vpps[0];
  return { kind: "vpp", name: vpp.name, vpp };
}

/** The APIs that control a target. */
export const apisOf = ({ kind }: ControlTarget): readonly ControlApi[] =>
  kind === "vpp" ? ["vpp-v1"] : ["site-v2", "site-v1"];

/** A request and what was answered. */
export interface ControlExchange {
  readonly request: SentRequest;
  /** `null`: not answered yet. */
  readonly answer: ControlAnswer | null;
}

export type ControlAnswer =
  | { readonly kind: "accepted"; readonly status: number; readonly body: AcceptedBody }
  | { readonly kind: "refused"; readonly status: number; readonly error: ErrorObject }
  | { readonly kind: "unanswered"; readonly details: string };

/** The fields of accepted answers that the page reads; each API answers some of them. */
interface AcceptedBody {
  readonly message: string;
  readonly delta_kw?: number | null;
  readonly fcr_response_kw?: number | null;
  readonly uncovered_kw?: number;
  readonly schedule_id?: string;
  readonly warning?: string;
}

const PREFIXES: Readonly<Record<ControlApi, string>> = {
  "vpp-v1": "/v1/vpp/",
  "site-v2": "/v2/ems/",
  "site-v1": "/v1/ems/",
};

const idOf = (target: ControlTarget): string => (target.kind === "vpp" ? target.vpp.vpp_id : target.site.ems_id);

/** The request of a draft as it is sent, with names of shell variables in place of tokens. */
export function requestOf(apiUrl: string, target: ControlTarget, draft: ControlDraft, key: string): SentRequest {
  const { api } = draft;
  return {
    method: "POST",
    url: `${apiUrl}${PREFIXES[api]}${idOf(target)}${controlPath(draft)}`,
    headers: {
      authorization: "Bearer",
      "content-type": "application/json",
      // Site API v1 has no idempotency keys.
      ...(api === "site-v1" ? {} : { "idempotency-key": key }),
    },
    body: bodyOf(draft),
  };
}

/** Sends a draft. A refusal is an answer; no answer is one too, because the request may have had its effect. */
export async function sendControl(
  station: Station,
  target: ControlTarget,
  draft: ControlDraft,
  key: string,
): Promise<ControlAnswer> {
  try {
    const body = (await callOf(station, target, draft, key)) as AcceptedBody;
    return { kind: "accepted", status: 200, body };
  } catch (error) {
    if (error instanceof ApiError) return { kind: "refused", status: error.status, error: error.error };
    return { kind: "unanswered", details: error instanceof Error ? error.message : String(error) };
  } finally {
    station.reads.refresh();
  }
}

/** The client checks the body no further: what the form lets through, the server judges. */
function callOf(station: Station, { name }: ControlTarget, draft: ControlDraft, key: string): Promise<unknown> {
  const body = bodyOf(draft);
  switch (draft.api) {
    case "vpp-v1":
      return station.vpp(name).control(body as Parameters<ReturnType<Station["vpp"]>["control"]>[0], key);
    case "site-v2":
      return station.site(name).control(body as Parameters<ReturnType<Station["site"]>["control"]>[0], key);
    case "site-v1":
      return station.siteV1(name).control(body as Parameters<ReturnType<Station["siteV1"]>["control"]>[0]);
  }
}

/** A random key of a command, 32 hex digits. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
