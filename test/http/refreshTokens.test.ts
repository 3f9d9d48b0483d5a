import { describe, expect, test } from "vitest";
import { RefreshTokens } from "../../src/api/http/auth/authPlugin.ts";
import { sha256Hex } from "../../src/base/ids.ts";

const A = { kind: "vpp", id: "a".repeat(32), refreshToken: "first" } as const;
const B = { kind: "site", id: "b".repeat(32), refreshToken: "second" } as const;

describe("a refresh token", () => {
  const revoked = new Set([sha256Hex("second")]);
  const tokens = new RefreshTokens({ credentials: [A, B], isRevoked: (tokenSha256) => revoked.has(tokenSha256) });

  test.each([
    ["first", A],
    ["second", null],
    ["FIRST", null],
    ["", null],
    ["first ", null],
  ])("%j belongs to %j", (token, holder) => expect(tokens.holderOf(token)).toEqual(holder));
});
