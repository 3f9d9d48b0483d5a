import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { AccessTokens, bearerToken } from "../../src/api/http/auth/accessTokens.ts";

const START = Date.UTC(2026, 0, 1);
const KEY = "0123456789abcdef0123456789abcdef";
const ID = "00112233445566778899aabbccddeeff";

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token encoded by hand according to RFC 7519. */
function handMade(header: object, claims: object, key: string, hash = "sha256"): string {
  const head = `${encoded(header)}.${encoded(claims)}`;
  return `${head}.${createHmac(hash, key).update(head).digest("base64url")}`;
}

describe("an access token", () => {
  test("is a JWT of 30 days of simulated time that names its holder", () => {
    const { token, expiresMs } = new AccessTokens(KEY).issue({ kind: "vpp", id: ID }, START + 999);
    expect(expiresMs).toBe(START + 30 * 86_400_000);
    const [header, claims] = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
    expect(JSON.parse(header)).toEqual({ alg: "HS256", typ: "JWT" });
    const seconds = START / 1000;
    expect(JSON.parse(claims)).toEqual({ sub: ID, kind: "vpp", iat: seconds, exp: seconds + 2_592_000 });
    expect(token).toBe(handMade(JSON.parse(header), JSON.parse(claims), KEY));
  });

  test("is verified repeatedly, also long after its expiry", () => {
    const tokens = new AccessTokens(KEY);
    const { token, expiresMs } = tokens.issue({ kind: "site", id: ID }, 0);
    for (let k = 0; k < 3; k++) expect(tokens.verify(token)).toEqual({ kind: "site", id: ID, expiresMs });
  });

  const claims = { sub: ID, kind: "vpp", iat: 1, exp: 4_000_000_000 };
  test.each([
    ["another key", handMade({ alg: "HS256", typ: "JWT" }, claims, "another key another key another k")],
    ["another algorithm", handMade({ alg: "HS512", typ: "JWT" }, claims, KEY, "sha512")],
    ["no algorithm", `${encoded({ alg: "none", typ: "JWT" })}.${encoded(claims)}.`],
    ["no holder", handMade({ alg: "HS256", typ: "JWT" }, { kind: "vpp", exp: 4_000_000_000 }, KEY)],
    ["no kind", handMade({ alg: "HS256", typ: "JWT" }, { sub: ID, exp: 4_000_000_000 }, KEY)],
    ["no end", handMade({ alg: "HS256", typ: "JWT" }, { sub: ID, kind: "vpp" }, KEY)],
    ["endless length", "x".repeat(100_000)],
    ["no dots", "abc"],
    ["nothing", ""],
  ])("of %s is refused", (_, token) => expect(new AccessTokens(KEY).verify(token)).toBeNull());

  test("made by hand with the right key is accepted", () =>
    expect(new AccessTokens(KEY).verify(handMade({ alg: "HS256", typ: "JWT" }, claims, KEY))).toMatchObject({
      id: ID,
    }));
});

test.each([
  ["Bearer abc.DEF-1_2~3+4/5==", "abc.DEF-1_2~3+4/5=="],
  ["bearer abc", "abc"],
  ["BEARER   abc ", "abc"],
  ["Bearer", null],
  ["Bearer ", null],
  ["Bearer a b", null],
  ["Basic abc", null],
  ["Bearerabc", null],
  ["Bearer a,Bearer b", null],
  [undefined, null],
])("the bearer token of %j is %j", (header, token) => expect(bearerToken(header)).toBe(token));
