import { History } from "../../../src/accounting/history/history.ts";
import { answerRequest } from "../../../src/endpoints/answerRequest.ts";
import type { Answer, ApiName, ApiRequest, Method } from "../../../src/endpoints/route.ts";
import { World } from "../../../src/simulation/world.ts";
import type { WorldSpec } from "../../../src/simulation/worldSpec.ts";

/** A world with its history, as a host has them. */
export interface Host {
  readonly world: World;
  readonly history: History;
}

export function host(spec: WorldSpec): Host {
  const history = new History(spec);
  return { world: new World(spec, history), history };
}

/** A world that has run to an instant and done all that was due there. */
export function hostAt(spec: WorldSpec, atMs: number): Host {
  const made = host(spec);
  made.world.runThrough(atMs);
  return made;
}

/** The body as a client has it, streamed or not. */
export const bodyOf = ({ body, stream }: Answer): unknown =>
  stream === undefined ? JSON.parse(JSON.stringify(body)) : JSON.parse([...stream].join(""));

/** Asks as a client would. @typeParam Body  what the caller expects; the answers' schemas are tested by themselves */
export function ask<Body = unknown>(
  { world, history }: Host,
  api: ApiName,
  call: string,
  { id, body, query = {} }: { id?: string; body?: unknown; query?: Record<string, string> } = {},
): { readonly status: number; readonly body: Body } {
  const [method, path] = call.split(" ");
  const own = api === "vpp-v1" ? world.spec.vpps[0].vppId : world.spec.sites[0].emsId;
  const request: ApiRequest = { api, id: id ?? own, method: method as Method, path, query, body };
  const answer = answerRequest({ world, history }, request);
  return { status: answer.status, body: bodyOf(answer) as Body };
}
