import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Scenario } from "../../inputs/scenario/scenario.ts";

/**
 * Secret from which the refresh tokens of a session are derived: `--token-secret`, or else the scenario's seed
 * (docs/model/sandbox.md#credentials).
 */
export const refreshSecret = (seed: number, tokenSecret: string | null): string => tokenSecret ?? `seed:${seed}`;

/**
 * The refresh token of a VPP or a site; identical at every start.
 *
 * @param secret  from `refreshSecret`
 * @param id  32 lowercase hex digits of the VPP or site
 * @returns 43 characters of base64url
 */
export const refreshTokenOf = (secret: string, id: string): string =>
  createHmac("sha256", secret).update(`refresh token of ${id}`).digest("base64url");

/** A new key for signing access tokens: 32 random bytes, base64url. */
export const newSigningKey = (): string => randomBytes(32).toString("base64url");

/** The default sandbox token of a role: 43 characters of base64url, the same for the same journal. */
export const mintedToken = (signingKey: string, role: "trainee" | "instructor"): string =>
  createHmac("sha256", signingKey).update(`sandbox token of the ${role}`).digest("base64url");

/** Compares two secrets in constant time. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * The refresh token of a VPP or a site: a VPP's is valid for the VPP API, a site's for both site APIs
 * (docs/model/apis.md#tokens).
 */
export interface Credential {
  readonly kind: "vpp" | "site";
  readonly name: string;
  /** 32 lowercase hex digits. */
  readonly id: string;
  readonly refreshToken: string;
}

/** Credentials of all VPPs and sites of a scenario, in its order. @param secret  from `refreshSecret` */
export function credentialsOf({ world }: Scenario, secret: string): readonly Credential[] {
  const credential = (kind: "vpp" | "site", name: string, id: string): Credential => ({
    kind,
    name,
    id,
    refreshToken: refreshTokenOf(secret, id),
  });
  return [
    ...world.vpps.map(({ name, vppId }) => credential("vpp", name, vppId)),
    ...world.sites.map(({ name, emsId }) => credential("site", name, emsId)),
  ];
}
