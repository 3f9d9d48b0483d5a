import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from "fastify";
import type { EpochMs } from "../base/time.ts";
import type { Answer, ApiName, ApiRequest, RateBucket, Route } from "../endpoints/route.ts";
import { type ApiRefusal, refusalAnswer } from "../endpoints/shared/envelope.ts";
import type { KeyedCommand } from "../session/session.ts";
import type { Admission } from "./admission.ts";
import type { ApiHost } from "./apiHost.ts";
import {
  fingerprintOf,
  type IdempotencyStore,
  isIdempotencyKey,
  type StoredAnswer,
} from "./limits/idempotencyStore.ts";
import { routerPath } from "./paths.ts";
import { echoRequestId, JSON_TYPE, rateHeaders, sendAnswer, singleHeader } from "./reply.ts";

/** What the three plugins share. */
export interface ApiContext {
  readonly host: ApiHost;
  readonly admission: Admission;
  readonly idempotency: IdempotencyStore;
  readonly routes: Readonly<Record<ApiName, readonly Route[]>>;
  /** Told of each command that was carried out, with its answer. */
  publishCommand(api: ApiName, id: string, body: unknown): void;
}

/** One API: a route for each row of its table. */
export function apiPlugin(face: ApiContext, api: ApiName): FastifyPluginCallback {
  return (server, _options, done) => {
    for (const route of face.routes[api]) {
      server.route({
        method: route.method,
        url: routerPath(api, route.path),
        onRequest: (request, reply, next) => {
          const { id, ...others } = request.params as { readonly id: string };
          // An empty part of a path makes it another path.
          if (Object.values(others).includes("")) return reply.callNotFound();
          if (admit(face, { api, id, bucket: route.rateBucket }, request, reply)) next();
        },
        handler: (request, reply) => handle(face, route, request, reply),
      });
    }
    done();
  };
}

/**
 * Lets a call through the gate, before its body is read, or answers it.
 *
 * The headers that every answer carries are set here, so that later errors have them too.
 */
export function admit(
  { host, admission }: ApiContext,
  { api, id, bucket }: { readonly api: ApiName; readonly id: string; readonly bucket: RateBucket },
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const authorization = singleHeader(request.raw, "authorization");
  const { refusal, rateState: rate } = admission.admit({ api, id, bucket, authorization });
  reply.headers(rateHeaders(rate, host.nowMs));
  echoRequestId(request.raw, reply);
  if (refusal === null) return true;
  sendAnswer(reply, refusal);
  return false;
}

function handle(
  face: ApiContext,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const { id, ...others } = request.params as { readonly id: string };
  const path = pathOf(route, others);
  const query = request.query as Record<string, string | string[]>;
  const call = { api: route.api, id, method: route.method, path, body: request.body };
  for (const name in query) {
    if (Array.isArray(query[name]))
      return sendAnswer(reply, refusalAnswer(call, duplicateParameterRefusal(name, query[name]), face.host.nowMs));
  }
  const asked: ApiRequest = { ...call, query: query as Record<string, string> };
  const key = route.isIdempotent ? singleHeader(request.raw, "idempotency-key") : undefined;
  if (key !== undefined) return answerOnce(face, route, asked, key, reply);
  const answer = executeRequest(face, route, asked);
  return answer instanceof Promise ? sendWhenAnswered(reply, answer) : sendAnswer(reply, answer);
}

/** The path in the one way of writing that journals and exports have, however the caller escaped it. */
const pathOf = ({ path }: Route, variables: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(variables[name]));

function executeRequest(
  face: ApiContext,
  route: Route,
  asked: ApiRequest,
  keyed?: KeyedCommand,
): Answer | Promise<Answer> {
  const answer = face.host.answer(asked, keyed);
  if (!route.isCommand) return answer;
  const tell = (found: Answer): Answer => {
    if (found.status === 200) face.publishCommand(asked.api, asked.id, found.body);
    return found;
  };
  return answer instanceof Promise ? answer.then(tell) : tell(answer);
}

/** A command may wait for an advance of the clock to end: meanwhile the connection is not idle. */
async function sendWhenAnswered(reply: FastifyReply, answer: Promise<Answer>): Promise<FastifyReply> {
  const { socket } = reply.raw;
  const idleMs = socket?.timeout ?? 0;
  // not simulated: how long a peer may be silent
  if (idleMs > 0) socket?.setTimeout(0);
  const found = await answer;
  // not simulated: see above
  if (idleMs > 0) socket?.setTimeout(idleMs);
  return sendAnswer(reply, found);
}

const duplicateParameterRefusal = (parameter: string, values: readonly string[]): ApiRefusal => ({
  kind: "invalid_parameter",
  details: `The query parameter ${parameter} came ${values.length} times`,
  parameter,
  receivedValue: values,
});

/** Answers that are on their way, so that a retry that overtakes its first request waits for the same answer. */
const pendingKeys = new WeakMap<IdempotencyStore, Map<string, Promise<void>>>();

/** Answers a request with an idempotency key: processed once, then given again (docs/model/apis.md#idempotency). */
async function answerOnce(
  face: ApiContext,
  route: Route,
  asked: ApiRequest,
  key: string | null,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { host, idempotency } = face;
  if (key === null || !isIdempotencyKey(key))
    return sendAnswer(reply, refusalAnswer(asked, invalidKeyRefusal(key), host.nowMs));
  const name = `${asked.id} ${key}`;
  const busy = pendingKeys.get(idempotency) ?? new Map<string, Promise<void>>();
  pendingKeys.set(idempotency, busy);
  for (let first = busy.get(name); first !== undefined; first = busy.get(name)) await first;
  const fingerprint = fingerprintOf(`${route.api} ${route.operationId}`, asked.body);
  const found = idempotency.lookUp(asked.id, key, fingerprint, host.nowMs);
  if (found.result === "replay") return sendText(reply, found.answer);
  if (found.result === "conflict") return sendAnswer(reply, refusalAnswer(asked, keyConflictRefusal(key), host.nowMs));
  const { promise: finished, resolve: finish } = deferred();
  busy.set(name, finished);
  try {
    const keep = ({ status, body }: Answer, atMs: EpochMs) =>
      idempotency.storeAnswer(asked.id, key, fingerprint, { status, text: JSON.stringify(body) }, atMs);
    return sendAnswer(reply, await executeRequest(face, route, asked, { key, storeAnswer: keep }));
  } finally {
    busy.delete(name);
    finish();
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const sendText = (reply: FastifyReply, { status, text }: StoredAnswer): FastifyReply =>
  reply.code(status).header("content-type", JSON_TYPE).send(text);

const invalidKeyRefusal = (key: string | null): ApiRefusal => ({
  kind: "invalid_parameter",
  details:
    key === null
      ? "The Idempotency-Key header came more than once"
      : "Idempotency-Key must be 1 to 128 printable ASCII characters without blanks",
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
