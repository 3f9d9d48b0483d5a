import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiHost } from "../apiHost.ts";

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
