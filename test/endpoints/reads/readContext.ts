import { RunHistory } from "../../../src/accounting/history/runHistory.ts";
import { answerRequest } from "../../../src/api/endpoints/answerRequest.ts";
import type { Answer, ApiName, ApiRequest, Method } from "../../../src/api/endpoints/route.ts";
import { World } from "../../../src/engine/simulation/world.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";

/** A world with its history, as in a server. */
export interface ReadContext {
  readonly world: World;
  readonly history: RunHistory;
}

export function startContext(spec: WorldSpec): ReadContext {
  const history = new RunHistory(spec);
  return { world: new World(spec, history), history };
}

/** A world advanced to an instant, with all events of the instant processed. */
export function contextAt(spec: WorldSpec, atMs: number): ReadContext {
  const made = startContext(spec);
  made.world.runThrough(atMs);
  return made;
}

/** The body as a client receives it, streamed or not. */
export const bodyOf = ({ body, stream }: Answer): unknown =>
  stream === undefined ? JSON.parse(JSON.stringify(body)) : JSON.parse([...stream].join(""));

/** Calls an API like a client. @typeParam Body  expected type; the schemas of answers have tests of their own */
export function callApi<Body = unknown>(
  { world, history }: ReadContext,
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
