import { sha256Hex } from "../../base/ids.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Answer, ApiName, RateBucket } from "../endpoints/route.ts";
import { type ApiRefusal, refusalAnswer } from "../endpoints/shared/envelope.ts";
import { wireTime } from "../endpoints/shared/wireTime.ts";
import type { ApiHost } from "./apiHost.ts";
import { type AccessClaims, type AccessTokens, bearerToken } from "./auth/accessTokens.ts";
import { type RateLimits, type RateState, rateLimitRefusal } from "./limits/rateLimits.ts";

/** Result of the admission checks, and the rate limit for the headers of the answer. */
interface AdmissionResult {
  readonly refusal: Answer | null;
  readonly rateState: RateState;
  /** Of the checks: a running clock moves on before the headers are written. */
  readonly nowMs: EpochMs;
}

interface AdmissionRequest {
  readonly api: ApiName;
  readonly id: string;
  readonly bucket: RateBucket;
  /** As received; `null` where the header occurred more than once. */
  readonly authorization: string | null | undefined;
}

const SIGN_IN_ACTION = "Send Authorization: Bearer <ACCESS_TOKEN>; POST /auth/refresh gives one";

/**
 * Admission checks of the three APIs: token 401 and 498, unknown id 404, no permission 403, rate limit 429
 * (docs/model/apis.md#check-order).
 *
 * The token is checked first, so that a caller without one learns nothing about ids. Requests refused before the rate
 * limit do not count against it.
 */
export class Admission {
  private readonly host: ApiHost;
  private readonly tokens: AccessTokens;
  private readonly limits: RateLimits;
  /** Digests of refresh tokens by id. */
  private readonly tokenDigests: Readonly<Record<"vpp" | "site", ReadonlyMap<string, string>>>;

  constructor(host: ApiHost, tokens: AccessTokens, limits: RateLimits) {
    this.host = host;
    this.tokens = tokens;
    this.limits = limits;
    const digestsOf = (holderKind: "vpp" | "site") =>
      new Map(
        host.credentials
          .filter(({ kind }) => kind === holderKind)
          .map(({ id, refreshToken }) => [id, sha256Hex(refreshToken)]),
      );
    this.tokenDigests = { vpp: digestsOf("vpp"), site: digestsOf("site") };
  }

  admit(call: AdmissionRequest): AdmissionResult {
    const { nowMs } = this.host;
    const refusal = this.accessRefusal(call, nowMs);
    const owner = `${call.api} ${call.id}`;
    if (refusal !== null)
      return {
        refusal: refusalAnswer(call, refusal, nowMs),
        rateState: this.limits.peek(call.bucket, owner, nowMs),
        nowMs,
      };
    const rateState = this.limits.take(call.bucket, owner, nowMs);
    if (rateState.isAllowed) return { refusal: null, rateState, nowMs };
    const limited = rateLimitRefusal(rateState, nowMs, this.host.clock());
    return { refusal: refusalAnswer(call, limited, nowMs), rateState, nowMs };
  }

  /** Expiry of an admitted call's token, in simulated time. */
  tokenExpiryMs(authorization: string | null | undefined): EpochMs {
    const token = bearerToken(authorization ?? undefined);
    return (token === null ? null : this.tokens.verify(token))?.expiresMs ?? Number.NEGATIVE_INFINITY;
  }

  /** State of the read rate limit, for answers that do not count. */
  peekReadBudget({ api, id }: Pick<AdmissionRequest, "api" | "id">): RateState {
    return this.limits.peek(api === "vpp-v1" ? "reference" : "site", `${api} ${id}`, this.host.nowMs);
  }

  /** Refusal because of token, id or permission, or `null`. */
  accessRefusal({ api, id, authorization }: Omit<AdmissionRequest, "bucket">, nowMs: EpochMs): ApiRefusal | null {
    const kind = api === "vpp-v1" ? "vpp" : "site";
    const token = authorization === null ? null : bearerToken(authorization);
    const claims = token === null ? null : this.tokens.verify(token);
    if (token === null || claims === null) return unauthenticatedRefusal(authorization);
    if (this.isRevoked(claims)) return REVOKED_REFUSAL;
    const expiredMs = this.tokens.expiredMs(token) ?? claims.expiresMs;
    if (expiredMs <= nowMs || expiredMs < claims.expiresMs) return tokenExpiredRefusal(expiredMs);
    if (!this.tokenDigests[kind].has(id)) return unknownIdRefusal(kind);
    if (claims.kind === kind && claims.id === id) return null;
    return {
      kind: "permission_denied",
      details: `The access token has no access right to this ${kind === "vpp" ? "VPP ID" : "EMS ID"}`,
      requiredAction: "Use the token set of this id",
    };
  }

  /** Whether the refresh token of an access token's holder is revoked (docs/model/apis.md#revocation). */
  private isRevoked({ kind, id }: AccessClaims): boolean {
    const digest = this.tokenDigests[kind].get(id);
    return digest !== undefined && this.host.isRevoked(digest);
  }
}

export function unauthenticatedRefusal(authorization: string | null | undefined): ApiRefusal {
  const details =
    authorization === undefined
      ? "The Authorization header is missing"
      : authorization === null
        ? "The Authorization header came more than once"
        : "The token in the Authorization header is not valid";
  return { kind: "authentication_error", details, requiredAction: SIGN_IN_ACTION };
}

const REVOKED_REFUSAL: ApiRefusal = {
  kind: "authentication_error",
  details: "The refresh token of this access token has been revoked",
  requiredAction: "Get a new refresh token from the operator",
};

const tokenExpiredRefusal = (expiresMs: EpochMs): ApiRefusal => ({
  kind: "token_expired",
  details: "The access token has expired, by simulated time",
  requiredAction: "Call POST /auth/refresh for a new access token",
  extra: { expires_at: wireTime(expiresMs) },
});

const unknownIdRefusal = (kind: "vpp" | "site"): ApiRefusal =>
  kind === "vpp"
    ? { kind: "vpp_not_found", details: "No VPP has this id", requiredAction: "Use an id issued by the operator" }
    : { kind: "site_not_found", details: "No EMS has this id", requiredAction: "Use an id issued by the operator" };
