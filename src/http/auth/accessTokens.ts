import { createSigner, createVerifier } from "fast-jwt";
import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import type { TokenHolder } from "../apiHost.ts";

/** How long an access token is good: 30 days of simulated time (site API v1 "Limits"). */
export const ACCESS_TOKEN_SECONDS = 2_592_000;

/** Signing is fixed to one way, so that a token cannot choose a weaker one. */
const ALGORITHM = "HS256";
/** Verified tokens that are remembered; checking a signature anew costs 6 µs. */
const CACHED_TOKENS_MAX = 2_000;
/** Anything longer is none of ours: a token has about 200 characters. */
const TOKEN_LENGTH_MAX = 1_024;

export interface AccessClaims extends TokenHolder {
  readonly expiresMs: EpochMs;
}

/** A token that was just made. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresMs: EpochMs;
}

/**
 * Makes and checks access tokens (JWT, HMAC with SHA-256) by simulated time.
 *
 * The library is given the times and told to check none: whether a token has expired is a question of the session's clock,
 * and differs from call to call.
 */
export class AccessTokens {
  readonly #sign: (claims: object) => string;
  readonly #verify: (token: string) => Record<string, unknown>;
  readonly #claimsByToken = new Map<string, AccessClaims>();

  /** @param key  at least 32 random bytes or characters */
  constructor(key: string | Buffer) {
    this.#sign = createSigner({ key, algorithm: ALGORITHM });
    this.#verify = createVerifier({ key, algorithms: [ALGORITHM], ignoreExpiration: true, ignoreNotBefore: true });
  }

  issue({ kind, id }: TokenHolder, nowMs: EpochMs): IssuedToken {
    const issued = Math.floor(nowMs / MS_PER_SECOND);
    const exp = issued + ACCESS_TOKEN_SECONDS;
    return { token: this.#sign({ sub: id, kind, iat: issued, exp }), expiresMs: exp * MS_PER_SECOND };
  }

  /** Whose token it is, expired or not; `null` when it is none of ours. */
  verify(token: string): AccessClaims | null {
    const known = this.#claimsByToken.get(token);
    if (known !== undefined) return known;
    const claims = token.length <= TOKEN_LENGTH_MAX ? this.#claimsOf(token) : null;
    if (claims === null) return null;
    if (this.#claimsByToken.size >= CACHED_TOKENS_MAX) this.#claimsByToken.clear();
    this.#claimsByToken.set(token, claims);
    return claims;
  }

  #claimsOf(token: string): AccessClaims | null {
    let payload: Record<string, unknown>;
    try {
      payload = this.#verify(token);
    } catch {
      return null;
    }
    const { sub, kind, exp } = payload;
    if (typeof sub !== "string" || typeof exp !== "number" || (kind !== "vpp" && kind !== "site")) return null;
    return { kind, id: sub, expiresMs: exp * MS_PER_SECOND };
  }
}

/**
 * The token of an `Authorization: Bearer <token>` header; `null` when there is none, or one that is no bearer token.
 *
 * The scheme's name is case-insensitive (RFC 9110 §11.1); exactly the characters of RFC 6750 make a token.
 */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  return /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header)?.[1] ?? null;
}
