import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from "fastify";
import { KeyAnsweredError, type KeyedCommand } from "../../live/session/keyedCommand.ts";
import type { Answer, ApiName, ApiRequest, RateBucket, Route } from "../endpoints/route.ts";
import type { MatchedRoute } from "../endpoints/routes.ts";
import { type ApiRefusal, refusalAnswer } from "../endpoints/shared/envelope.ts";
import type { Admission } from "./admission.ts";
import type { AllowedHosts } from "./allowedHosts.ts";
import type { ApiHost } from "./apiHost.ts";
import {
  fingerprintOf,
  type IdempotencyStore,
  isIdempotencyKey,
  type StoredAnswer,
} from "./limits/idempotencyStore.ts";
import { routerPath } from "./paths.ts";
import {
  echoRequestId,
  JSON_TYPE,
  REPLAYED_HEADER,
  rateHeaders,
  sendAnswer,
  sendInPieces,
  singleHeader,
} from "./reply.ts";

/** Context common to the plugins of the three APIs. */
export interface ApiContext {
  readonly host: ApiHost;
  readonly admission: Admission;
  readonly allowedHosts: AllowedHosts;
  readonly idempotency: IdempotencyStore;
  readonly routes: Readonly<Record<ApiName, readonly Route[]>>;
  /** Port of the authentication host; `null` before it listens. */
  readonly authPort: () => number | null;
  /** Called with each successful command and its answer. */
  publishCommand(api: ApiName, id: string, body: unknown): void;
}

/** One API: a route for each row of its table. */
export function apiPlugin(context: ApiContext, api: ApiName): FastifyPluginCallback {
  return (server, _options, done) => {
    for (const route of context.routes[api]) {
      server.route({
        method: route.method,
        url: routerPath(api, route.path),
        onRequest: (request, reply, next) => {
          const { id, ...otherParameters } = request.params as { readonly id: string };
          // An empty segment would match another path.
          if (Object.values(otherParameters).includes("")) return reply.callNotFound();
          if (admit(context, { api, id, bucket: route.rateBucket }, request, reply)) next();
        },
        handler: (request, reply) => handle(context, route, request, reply),
      });
    }
    done();
  };
}

/**
 * Admits a call before its body is read, or answers it with a refusal.
 *
 * The headers common to all answers are set here, so that later errors have them too.
 */
export function admit(
  { admission }: ApiContext,
  { api, id, bucket }: { readonly api: ApiName; readonly id: string; readonly bucket: RateBucket },
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const authorization = singleHeader(request.raw, "authorization");
  const { refusal, rateState, nowMs } = admission.admit({ api, id, bucket, authorization });
  reply.headers(rateHeaders(rateState, nowMs));
  echoRequestId(request.raw, reply);
  if (refusal === null) return true;
  sendAnswer(reply, refusal);
  return false;
}

function handle(
  context: ApiContext,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const { id, ...otherParameters } = request.params as { readonly id: string };
  const match = { route, variables: canonicalVariables(otherParameters) };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => match.variables[name]);
  const query = request.query as Record<string, string | string[]>;
  const call = { api: route.api, id, method: route.method, path, body: request.body };
  for (const name in query) {
    if (Array.isArray(query[name]))
      return sendAnswer(reply, refusalAnswer(call, duplicateParameterRefusal(name, query[name]), context.host.nowMs));
  }
  const apiRequest: ApiRequest = { ...call, query: query as Record<string, string> };
  const key = route.isIdempotent ? singleHeader(request.raw, "idempotency-key") : undefined;
  if (key !== undefined) return answerOnce(context, match, apiRequest, key, reply);
  const answer = executeRequest(context, match, apiRequest);
  const send = (result: Answer): FastifyReply => sendInPieces(reply, result);
  return answer instanceof Promise ? answer.then(send) : send(answer);
}

/** The variable parts of a path in the spelling of journals and exports, whatever escapes the caller used. */
const canonicalVariables = (parameters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, encodeURIComponent(value)]));

function executeRequest(
  context: ApiContext,
  match: MatchedRoute,
  apiRequest: ApiRequest,
  keyed?: KeyedCommand,
): Answer | Promise<Answer> {
  const answer = context.host.answer(apiRequest, keyed, match);
  if (!match.route.isCommand) return answer;
  const publish = (result: Answer): Answer => {
    if (result.status === 200) context.publishCommand(apiRequest.api, apiRequest.id, result.body);
    return result;
  };
  return answer instanceof Promise ? answer.then(publish) : publish(answer);
}

const duplicateParameterRefusal = (parameter: string, values: readonly string[]): ApiRefusal => ({
  kind: "invalid_parameter",
  details: `The query parameter ${parameter} came ${values.length} times`,
  parameter,
  receivedValue: values,
});

/** Requests in progress by key, so that a simultaneous retry waits for the first answer. */
const pendingKeys = new WeakMap<IdempotencyStore, Map<string, Promise<void>>>();

/**
 * Answers a request with an idempotency key: executed once; repetitions get the stored answer
 * (docs/model/apis.md#idempotency).
 */
async function answerOnce(
  context: ApiContext,
  match: MatchedRoute,
  apiRequest: ApiRequest,
  key: string | null,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { host, idempotency } = context;
  if (key === null || !isIdempotencyKey(key))
    return sendAnswer(reply, refusalAnswer(apiRequest, invalidKeyRefusal(key), host.nowMs));
  const pendingKey = `${apiRequest.id} ${key}`;
  const pending = pendingKeys.get(idempotency) ?? new Map<string, Promise<void>>();
  pendingKeys.set(idempotency, pending);
  for (let first = pending.get(pendingKey); first !== undefined; first = pending.get(pendingKey)) await first;
  const fingerprint = fingerprintOf(`${apiRequest.api} ${match.route.operationId}`, apiRequest.body);
  const result = idempotency.lookUp(apiRequest.id, key, fingerprint, host.nowMs);
  if (result.result === "replay") return sendStored(reply, result.answer);
  if (result.result === "conflict")
    return sendAnswer(reply, refusalAnswer(apiRequest, keyConflictRefusal(key), host.nowMs));
  const { promise: finished, resolve: finish } = deferred();
  pending.set(pendingKey, finished);
  const keyed: KeyedCommand = {
    key,
    hasAnswer: (atMs) => idempotency.lookUp(apiRequest.id, key, fingerprint, atMs).result !== "new",
    storeAnswer: ({ status, body }, atMs) =>
      idempotency.storeAnswer(apiRequest.id, key, fingerprint, { status, text: JSON.stringify(body) }, atMs),
  };
  try {
    return sendAnswer(reply, await executeRequest(context, match, apiRequest, keyed));
  } catch (error) {
    if (!(error instanceof KeyAnsweredError)) throw error;
  } finally {
    pending.delete(pendingKey);
    finish();
  }
  return answerOnce(context, match, apiRequest, key, reply);
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const sendStored = (reply: FastifyReply, { status, text }: StoredAnswer): FastifyReply =>
  reply
    .code(status)
    .headers({ "content-type": JSON_TYPE, [REPLAYED_HEADER]: "true" })
    .send(text);

const invalidKeyRefusal = (key: string | null): ApiRefusal => ({
  kind: "invalid_parameter",
  details:
    key === null
      ? "The Idempotency-Key header came more than once"
      : "Idempotency-Key must be 1 to 128 printable ASCII characters",
  parameter: "Idempotency-Key",
  ...(key === null ? {} : { receivedValue: key }),
  validRange: "1 to 128 characters",
});

const keyConflictRefusal = (key: string): ApiRefusal => ({
  kind: "idempotency_conflict",
  details: "This Idempotency-Key came with another body in the last 24 hours",
  requiredAction: "Use a new key for a new request, or repeat the first body unchanged",
  extra: { idempotency_key: key },
});
