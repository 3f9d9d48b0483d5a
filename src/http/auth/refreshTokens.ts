import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiHost } from "../apiHost.ts";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Finds the holder of a refresh token without telling by its time how much of a guess was right. */
export class RefreshTokens {
  readonly #isRevoked: (refreshToken: string) => boolean;
  /** By digest: a lookup tells at most about digests, which cannot be steered. */
  readonly #byDigest: ReadonlyMap<string, ApiHost["credentials"][number]>;

  constructor(host: Pick<ApiHost, "credentials" | "isRevoked">) {
    this.#isRevoked = (token) => host.isRevoked(token);
    this.#byDigest = new Map(
      host.credentials.map((credential) => [digest(credential.refreshToken).toString("hex"), credential]),
    );
  }

  /** `null` for tokens that were never issued or are revoked. */
  holderOf(token: string): ApiHost["credentials"][number] | null {
    const given = digest(token);
    const credential = this.#byDigest.get(given.toString("hex"));
    if (credential === undefined || !timingSafeEqual(given, digest(credential.refreshToken))) return null;
    return this.#isRevoked(token) ? null : credential;
  }
}
