import type { TSchema } from "typebox";
import type { Refusal } from "../../base/result.ts";
import type { World } from "../../engine/simulation/world.ts";
import type { RequestEvent } from "../../engine/simulation/worldSpec.ts";
import type { Answer, ApiName, ApiRequest, RequestContext, Route } from "./route.ts";
import { findRoute, type MatchedRoute } from "./routes.ts";
import { keywordsOf } from "./schemas/baseSchemas.ts";
import { refusalAnswer } from "./shared/envelope.ts";
import { shapeRefusal } from "./shared/shapeProblems.ts";

/**
 * Answers one call of one of the three APIs at the world's present instant. A server and the `request` events of a
 * scenario get identical answers. The world emits an event for each refused command.
 */
export function answerRequest(
  context: RequestContext,
  request: ApiRequest,
  match: MatchedRoute | undefined = findRoute(request.api, request.method, request.path),
): Answer {
  const { world } = context;
  if (match === undefined) {
    const details = `${request.method} ${request.path} is no endpoint of ${request.api}`;
    world.reportRefusedRequest(subjectOf(request), "endpoint_not_found");
    return refusalAnswer(request, { kind: "endpoint_not_found", details }, world.nowMs);
  }
  const { route, variables } = match;
  const refusal = routeRefusal(world, route, request);
  const answer =
    refusal === null ? route.handle(context, request, variables) : refusalAnswer(request, refusal, world.nowMs);
  if (route.isCommand && answer.status >= 400)
    world.reportRefusedRequest(subjectOf(request), answer.kind ?? String(answer.status));
  return answer;
}

/** Executes a `request` event of a scenario. The answer is discarded, so that reads have no effect. */
export function answerEvent(world: World, { api, id, method, path, query, body }: RequestEvent): void {
  if (findRoute(api, method, path)?.route.isCommand === false) return;
  answerRequest({ world }, { api, id, method, path, query, body });
}

/** Checks that precede the rules of every endpoint. */
function routeRefusal(world: World, route: Route, request: ApiRequest): Refusal | null {
  return (
    idRefusal(world, request.api, request.id) ??
    (route.querySchema === undefined ? null : queryRefusal(route.querySchema, request.query)) ??
    (route.bodySchema === undefined || route.checksBody ? null : shapeRefusal(route.bodySchema, request.body))
  );
}

/** A parameter of type boolean is `true` or `false` in the query. */
function queryRefusal(schema: TSchema, query: ApiRequest["query"]): Refusal | null {
  const { properties } = keywordsOf(schema);
  const values = Object.entries(query).map(([name, text]) => {
    const isBoolean = properties?.[name]?.type === "boolean";
    return [name, isBoolean && (text === "true" || text === "false") ? text === "true" : text];
  });
  return shapeRefusal(schema, Object.fromEntries(values));
}

function idRefusal(world: World, api: ApiName, id: string): Refusal | null {
  if (api === "vpp-v1") {
    return world.vppById(id) === undefined
      ? {
          kind: "vpp_not_found",
          details: `No VPP has the id ${id}`,
          requiredAction: "Use an id issued by the operator",
        }
      : null;
  }
  return world.siteById(id) === undefined
    ? { kind: "site_not_found", details: `No EMS has the id ${id}`, requiredAction: "Use an id issued by the operator" }
    : null;
}

const subjectOf = ({ api, id, method, path }: ApiRequest): string => `${api} ${id} ${method} ${path}`;
