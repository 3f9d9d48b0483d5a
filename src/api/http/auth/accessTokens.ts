import { createSigner, createVerifier } from "fast-jwt";
import { type EpochMs, MS_PER_SECOND } from "../../../base/time.ts";
import type { TokenHolder } from "../apiHost.ts";

/** Lifetime of an access token: 30 days of simulated time (site API v1 "Limits"). */
export const ACCESS_TOKEN_SECONDS = 2_592_000;

/** The signing algorithm is fixed, so that a token cannot select a weaker one. */
const ALGORITHM = "HS256";
/** Size of the cache of verified tokens; verifying a signature takes 6 µs. */
const CACHED_TOKENS_MAX = 2_000;
/** Tokens expired before their time; older ones are valid again. */
const EXPIRED_TOKENS_MAX = 10_000;
/** Limit before parsing; an access token has about 200 characters. */
const TOKEN_LENGTH_MAX = 1_024;

export interface AccessClaims extends TokenHolder {
  readonly expiresMs: EpochMs;
}

/** A newly issued token. */
interface IssuedToken {
  readonly token: string;
  readonly expiresMs: EpochMs;
}

/**
 * Issues and verifies access tokens (JWT, HMAC with SHA-256) in simulated time.
 *
 * The library is passed the times and checks none: expiry depends on the session's clock at each call.
 */
export class AccessTokens {
  private readonly sign: (claims: object) => string;
  private readonly decode: (token: string) => Record<string, unknown>;
  private readonly claimsByToken = new Map<string, AccessClaims>();
  /** When each token that a fault has expired did so. */
  private readonly expiredMsByToken = new Map<string, EpochMs>();

  /** @param key  at least 32 random bytes or characters */
  constructor(key: string | Buffer) {
    this.sign = createSigner({ key, algorithm: ALGORITHM });
    this.decode = createVerifier({ key, algorithms: [ALGORITHM], ignoreExpiration: true, ignoreNotBefore: true });
  }

  issue({ kind, id }: TokenHolder, nowMs: EpochMs): IssuedToken {
    const issued = Math.floor(nowMs / MS_PER_SECOND);
    const exp = issued + ACCESS_TOKEN_SECONDS;
    const token = this.sign({ sub: id, kind, iat: issued, exp });
    // Within a second the text is the same again.
    this.expiredMsByToken.delete(token);
    return { token, expiresMs: exp * MS_PER_SECOND };
  }

  /** Expires a token before its time (docs/model/sandbox.md#http-faults). */
  expire(token: string, nowMs: EpochMs): void {
    if (this.expiredMsByToken.has(token)) return;
    const [oldest] = this.expiredMsByToken.keys();
    if (this.expiredMsByToken.size >= EXPIRED_TOKENS_MAX) this.expiredMsByToken.delete(oldest);
    this.expiredMsByToken.set(token, nowMs);
  }

  /** When a token was expired before its time; `null`: it was not. */
  expiredMs(token: string): EpochMs | null {
    return this.expiredMsByToken.get(token) ?? null;
  }

  /** Claims of a token, expired or not; `null` for a token that was not issued here. */
  verify(token: string): AccessClaims | null {
    const cached = this.claimsByToken.get(token);
    if (cached !== undefined) return cached;
    const claims = token.length <= TOKEN_LENGTH_MAX ? this.claimsOf(token) : null;
    if (claims === null) return null;
    if (this.claimsByToken.size >= CACHED_TOKENS_MAX) this.claimsByToken.clear();
    this.claimsByToken.set(token, claims);
    return claims;
  }

  private claimsOf(token: string): AccessClaims | null {
    let payload: Record<string, unknown>;
    try {
      payload = this.decode(token);
    } catch {
      return null;
    }
    const { sub, kind, exp } = payload;
    if (typeof sub !== "string" || typeof exp !== "number" || (kind !== "vpp" && kind !== "site")) return null;
    return { kind, id: sub, expiresMs: exp * MS_PER_SECOND };
  }
}

/**
 * The token of an `Authorization: Bearer <token>` header; `null` without a valid one.
 *
 * The scheme is case-insensitive (RFC 9110 §11.1); the token may contain the characters of RFC 6750.
 */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  return /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header)?.[1] ?? null;
}
