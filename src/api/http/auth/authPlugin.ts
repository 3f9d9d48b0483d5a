import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from "fastify";
import { hexId } from "../../../base/ids.ts";
import type { EpochMs } from "../../../base/time.ts";
import { type ApiRefusal, refusalAnswer } from "../../endpoints/shared/envelope.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import { unauthenticatedRefusal } from "../admission.ts";
import type { ApiHost } from "../apiHost.ts";
import { BUCKET_LIMITS, type RateLimits, rateLimitRefusal } from "../limits/rateLimits.ts";
import { REFRESH_PATH, siblingUrl } from "../paths.ts";
import { echoRequestId, JSON_TYPE, rateHeaders, sendAnswer, singleHeader } from "../reply.ts";
import { ACCESS_TOKEN_SECONDS, type AccessTokens, bearerToken } from "./accessTokens.ts";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Finds the holder of a refresh token. The duration reveals nothing about partly correct guesses. */
export class RefreshTokens {
  private readonly host: Pick<ApiHost, "isRevoked">;
  /** By digest: timing reveals at most properties of digests, which a caller cannot choose. */
  private readonly byDigest: ReadonlyMap<string, ApiHost["credentials"][number]>;

  constructor(host: Pick<ApiHost, "credentials" | "isRevoked">) {
    this.host = host;
    this.byDigest = new Map(
      host.credentials.map((credential) => [digest(credential.refreshToken).toString("hex"), credential]),
    );
  }

  /** `null` for tokens that were never issued or are revoked. */
  holderOf(token: string): ApiHost["credentials"][number] | null {
    const given = digest(token);
    const givenHex = given.toString("hex");
    const credential = this.byDigest.get(givenHex);
    if (credential === undefined || !timingSafeEqual(given, digest(credential.refreshToken))) return null;
    return this.host.isRevoked(givenHex) ? null : credential;
  }
}

/**
 * The token endpoint: exchanges a refresh token for an access token (docs/model/apis.md#tokens). It has no body and no media type.
 */
export function authPlugin(
  host: ApiHost,
  tokens: AccessTokens,
  limits: RateLimits,
  basePort: () => number | null,
): FastifyPluginCallback {
  const refreshTokens = new RefreshTokens(host);
  return (server, _options, done) => {
    server.addHook("onRequest", (request, reply, next) => {
      if (allowReferencePage(request, reply, basePort())) next();
    });
    server.removeAllContentTypeParsers();
    server.addContentTypeParser("*", { parseAs: "string" }, (_request, _text, parsed) => parsed(null, undefined));
    server.post(REFRESH_PATH, (request, reply) => refresh({ host, tokens, refreshTokens, limits }, request, reply));
    server.route({
      method: server.supportedMethods.filter((method) => method !== "POST"),
      url: REFRESH_PATH,
      handler: (request, reply) => refuseMethod(host, request, reply),
    });
    done();
  };
}

/** The endpoint is part of the site interface's document and uses its envelope, without an id (docs/model/apis.md#token-errors). */
const UNKNOWN_CALLER = { api: "site-v1", id: null } as const;

/**
 * Lets the reference page of the same server call this host, and no other page (docs/model/apis.md#reference-page).
 *
 * @returns whether the request is still to be answered; a preflight is answered here
 */
function allowReferencePage(request: FastifyRequest, reply: FastifyReply, basePort: number | null): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || origin !== siblingUrl(host, basePort)) return true;
  reply.headers({ "access-control-allow-origin": origin, vary: "Origin" });
  if (request.method !== "OPTIONS") {
    reply.header("access-control-expose-headers", EXPOSED_HEADERS);
    return true;
  }
  reply.headers({
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "Authorization, X-Request-Id",
  });
  reply.code(204).send();
  return false;
}

const EXPOSED_HEADERS =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Reset-After, X-Request-Id, Retry-After";

interface AuthContext {
  readonly host: ApiHost;
  readonly tokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly limits: RateLimits;
}

/** Rate headers for callers that count against no limit. */
function unlimitedRateHeaders(nowMs: EpochMs): Record<string, string> {
  const limit = BUCKET_LIMITS.auth;
  return rateHeaders({ isAllowed: true, limit, remaining: limit, resetMs: nowMs }, nowMs);
}

function refuseMethod({ nowMs }: ApiHost, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  echoRequestId(request.raw, reply);
  reply.headers({ ...unlimitedRateHeaders(nowMs), allow: "POST" });
  const details = `${request.method} is not allowed here; allowed: POST`;
  return sendAnswer(reply, refusalAnswer(UNKNOWN_CALLER, { kind: "method_not_allowed", details }, nowMs));
}

function refresh(context: AuthContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { host, tokens, limits } = context;
  const { nowMs } = host;
  echoRequestId(request.raw, reply);
  const authorization = singleHeader(request.raw, "authorization");
  const given = authorization === null ? null : bearerToken(authorization);
  const holder = given === null ? null : context.refreshTokens.holderOf(given);
  if (holder === null) {
    reply.headers(unlimitedRateHeaders(nowMs));
    const refusal: ApiRefusal = {
      ...unauthenticatedRefusal(authorization),
      requiredAction:
        "Send Authorization: Bearer <REFRESH_TOKEN> with a token that the operator issued and has not revoked",
    };
    return sendAnswer(reply, refusalAnswer(UNKNOWN_CALLER, refusal, nowMs));
  }
  // The key is hashed, so that the token itself is not stored.
  const rate = limits.take("auth", hexId(holder.refreshToken), nowMs);
  reply.headers(rateHeaders(rate, nowMs));
  if (!rate.isAllowed) {
    const caller = { api: holder.kind === "vpp" ? "vpp-v1" : "site-v1", id: holder.id } as const;
    return sendAnswer(reply, refusalAnswer(caller, rateLimitRefusal(rate, nowMs, host.clock()), nowMs));
  }
  const { token, expiresMs } = tokens.issue(holder, nowMs);
  return reply
    .code(200)
    .header("content-type", JSON_TYPE)
    .send(
      JSON.stringify({
        access_token: token,
        token_type: "Bearer",
        expires_in: ACCESS_TOKEN_SECONDS,
        expires_at: wireTime(expiresMs),
      }),
    );
}
