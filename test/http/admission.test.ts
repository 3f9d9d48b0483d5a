import { describe, expect, test } from "vitest";
import { AccessTokens } from "../../src/api/http/auth/accessTokens.ts";
import { sha256Hex } from "../../src/base/ids.ts";
import { MS_PER_DAY, MS_PER_HOUR } from "../../src/base/time.ts";
import { FakeHost, fakeServers, OTHER_VPP, SITE, START_MS, TOKEN_KEY, VPP } from "./fakeHost.ts";

const tokens = new AccessTokens(TOKEN_KEY);
const bearer = (kind: "vpp" | "site", id: string, atMs = START_MS) => ({
  authorization: `Bearer ${tokens.issue({ kind, id }, atMs).token}`,
});
const OWN = bearer("vpp", VPP);
const UNKNOWN = "d".repeat(32);

describe("admission (docs/model/apis.md#check-order, docs/model/apis.md#unknown-id, docs/model/apis.md#unknown-path)", () => {
  const cases: readonly [string, string, Record<string, string>, number, string | undefined, string][] = [
    ["lets the holder in", `/v1/vpp/${VPP}/status`, OWN, 200, undefined, "999"],
    ["asks for a token", `/v1/vpp/${VPP}/status`, {}, 401, "authentication_error", "1000"],
    [
      "refuses a wrong token",
      `/v1/vpp/${VPP}/status`,
      { authorization: "Bearer x.y.z" },
      401,
      "authentication_error",
      "1000",
    ],
    [
      "refuses a refresh token",
      `/v1/vpp/${VPP}/status`,
      { authorization: "Bearer refresh-vpp" },
      401,
      "authentication_error",
      "1000",
    ],
    [
      "refuses an expired token",
      `/v1/vpp/${VPP}/status`,
      bearer("vpp", VPP, START_MS - 30 * MS_PER_DAY),
      498,
      "token_expired",
      "1000",
    ],
    ["looks at the token before the id", `/v1/vpp/${UNKNOWN}/status`, {}, 401, "authentication_error", "1000"],
    [
      "says 498 before 404",
      `/v1/vpp/${UNKNOWN}/status`,
      bearer("vpp", VPP, START_MS - 31 * MS_PER_DAY),
      498,
      "token_expired",
      "1000",
    ],
    ["does not know an id", `/v1/vpp/${UNKNOWN}/status`, OWN, 404, "vpp_not_found", "1000"],
    ["does not know an id in capitals", `/v1/vpp/${VPP.toUpperCase()}/status`, OWN, 404, "vpp_not_found", "1000"],
    ["does not know a site as a VPP", `/v1/vpp/${SITE}/status`, bearer("site", SITE), 404, "vpp_not_found", "1000"],
    ["refuses another VPP's token", `/v1/vpp/${OTHER_VPP}/status`, OWN, 403, "permission_denied", "1000"],
    ["refuses a VPP's token at a site", `/v2/ems/${SITE}/status`, OWN, 403, "permission_denied", "1000"],
    ["takes a site's token in v2", `/v2/ems/${SITE}/status`, bearer("site", SITE), 200, undefined, "999"],
    ["takes a site's token in v1", `/v1/ems/${SITE}/status`, bearer("site", SITE), 200, undefined, "999"],
    [
      "takes a token of the last second",
      `/v1/vpp/${VPP}/status`,
      bearer("vpp", VPP, START_MS - 30 * MS_PER_DAY + 1000),
      200,
      undefined,
      "999",
    ],
    ["guards unknown paths", `/v1/vpp/${VPP}/nowhere`, {}, 401, "authentication_error", "1000"],
    ["counts unknown paths", `/v1/vpp/${VPP}/nowhere`, OWN, 404, "endpoint_not_found", "999"],
    ["reads no broken percent signs", `/v1/vpp/${VPP}/%zz`, OWN, 400, "invalid_parameter", "999"],
    ["guards broken percent signs", `/v1/vpp/${VPP}/%zz`, {}, 401, "authentication_error", "1000"],
    ["guards overlong ids", `/v1/vpp/${"a".repeat(5000)}/status`, OWN, 404, "vpp_not_found", "1000"],
  ];
  test.each(cases)("%s", async (_, url, headers, status, errorType, remaining) => {
    const { base } = fakeServers(new FakeHost());
    const answer = await base.inject({ url, headers: { ...headers, "x-request-id": "r-1" } });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": remaining,
      "x-request-id": "r-1",
    });
    if (status === 200) return;
    const body = answer.json();
    expect(body.error).toMatchObject({ code: status });
    expect(body.error.error_type).toBe(errorType);
    expect(body.timestamp).toBe("2026-04-01T00:00:00Z");
    const [, version, kind, id] = url.split("/");
    expect(body[kind === "vpp" ? "vpp_id" : "ems_id"]).toBe(id.slice(0, 64));
    expect(version).toMatch(/^v[12]$/);
  });

  test("names when an expired token ended and what to do", async () => {
    const { base } = fakeServers(new FakeHost());
    const headers = bearer("site", SITE, START_MS - 30 * MS_PER_DAY);
    const { error } = (await base.inject({ url: `/v2/ems/${SITE}/status`, headers })).json();
    expect(error).toMatchObject({
      code: 498,
      message: "JWT token expired",
      error_type: "token_expired",
      expires_at: "2026-04-01T00:00:00Z",
    });
    expect(error.required_action).toMatch("POST /auth/refresh");
    // Site API v1 has no such key.
    const v1 = (await base.inject({ url: `/v1/ems/${SITE}/status`, headers })).json();
    expect(v1.error).toMatchObject({ code: 498, error_type: "token_expired" });
    expect(v1.error).not.toHaveProperty("required_action");
  });

  test("names the methods of a path", async () => {
    const { base } = fakeServers(new FakeHost());
    const url = `/v1/vpp/${VPP}/status`;
    const wrong = await base.inject({ method: "DELETE", url, headers: OWN });
    expect([wrong.statusCode, wrong.json().error.code, wrong.headers.allow]).toEqual([405, 405, "GET"]);
  });
});

describe("the hourly rate limits", () => {
  test("count answered calls of their bucket only, and recover in simulated time", async () => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    const post = () =>
      base.inject({ method: "POST", url: `/v1/vpp/${VPP}/control/active_power`, headers: OWN, payload: {} });
    for (let k = 0; k < 200; k++) expect((await post()).statusCode).toBe(200);
    host.nowMs += 1_500;
    const refused = await post();
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({
      "x-ratelimit-limit": "200",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String((START_MS + MS_PER_HOUR) / 1000),
      "x-ratelimit-reset-after": "3599",
    });
    expect(refused.json()).toMatchObject({
      vpp_id: VPP,
      error: {
        code: 429,
        error_type: "rate_limit_exceeded",
        limit: 200,
        remaining: 0,
        reset_time: "2026-04-01T01:00:00Z",
        retry_after: 3599,
      },
    });
    expect(refused.json().error.details).toMatch("simulated time, which is paused");
    expect((await base.inject({ url: `/v1/vpp/${VPP}/status`, headers: OWN })).statusCode).toBe(200);
    expect(host.requests.length).toBe(201);
    host.nowMs = START_MS + MS_PER_HOUR;
    expect((await post()).statusCode).toBe(200);
  });

  test("do not count refused tokens, and may be switched off", async () => {
    const { base } = fakeServers(new FakeHost(), { rateLimits: "off" });
    const answer = await base.inject({ url: `/v1/vpp/${VPP}/status`, headers: OWN });
    expect(answer.headers).toMatchObject({ "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "1000" });
  });
});

describe("the token endpoint", () => {
  const refresh = (host: FakeHost, headers: Record<string, string>, options = {}) =>
    fakeServers(host).auth.inject({ method: "POST", url: "/auth/refresh", headers, ...options });

  test("issues an access token that the APIs accept for 30 days of simulated time", async () => {
    const host = new FakeHost();
    const { auth, base } = fakeServers(host);
    const answer = await auth.inject({
      method: "POST",
      url: "/auth/refresh",
      headers: { authorization: "Bearer refresh-vpp", "x-request-id": "7" },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": "999",
      "x-request-id": "7",
    });
    const { access_token, ...rest } = answer.json();
    expect(rest).toEqual({ token_type: "Bearer", expires_in: 2_592_000, expires_at: "2026-05-01T00:00:00Z" });
    const headers = { authorization: `Bearer ${access_token}` };
    const status = async () => (await base.inject({ url: `/v1/vpp/${VPP}/status`, headers })).statusCode;
    expect(await status()).toBe(200);
    host.nowMs += 30 * MS_PER_DAY - 1;
    expect(await status()).toBe(200);
    host.nowMs += 1;
    expect(await status()).toBe(498);
  });

  test.each([
    ["no token", {}],
    ["a wrong token", { authorization: "Bearer nonsense" }],
    ["an access token", OWN],
    ["a revoked token", { authorization: "Bearer refresh-site" }],
  ] as [string, Record<string, string>][])("refuses %s with 401", async (_, headers) => {
    const host = new FakeHost();
    host.revoked.add(sha256Hex("refresh-site"));
    const answer = await refresh(host, headers);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({
      error: expect.objectContaining({ code: 401, error_type: "authentication_error" }),
      timestamp: "2026-04-01T00:00:00Z",
    });
    expect(answer.headers["x-ratelimit-remaining"]).toBe("1000");
  });

  test("ends the access tokens of a revoked refresh token (docs/model/apis.md#revocation)", async () => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    const status = async () => (await base.inject({ url: `/v1/vpp/${VPP}/status`, headers: OWN })).statusCode;
    host.revoked.add(sha256Hex("refresh-other"));
    expect(await status()).toBe(200);
    host.revoked.add(sha256Hex("refresh-vpp"));
    expect(await status()).toBe(401);
  });

  test("accepts any body, and has no other path", async () => {
    const host = new FakeHost();
    const { auth, base } = fakeServers(host);
    const headers = { authorization: "Bearer refresh-site", "content-type": "application/x-www-form-urlencoded" };
    const answer = await auth.inject({
      method: "POST",
      url: "/auth/refresh",
      headers,
      payload: "grant_type=refresh_token",
    });
    expect(answer.statusCode).toBe(200);
    expect((await base.inject({ method: "POST", url: "/auth/refresh", headers })).statusCode).toBe(404);
    const other = await auth.inject({ url: "/auth/refresh" });
    expect([other.statusCode, other.headers.allow, other.headers["x-ratelimit-limit"]]).toEqual([405, "POST", "1000"]);
  });

  test("has a limit of 1000 an hour for each refresh token", async () => {
    const host = new FakeHost();
    const { auth } = fakeServers(host);
    const ask = (token: string) =>
      auth.inject({ method: "POST", url: "/auth/refresh", headers: { authorization: `Bearer ${token}` } });
    for (let k = 0; k < 1000; k++) await ask("refresh-vpp");
    const refused = await ask("refresh-vpp");
    expect(refused.json()).toMatchObject({ vpp_id: VPP, error: { code: 429, limit: 1000, retry_after: 3600 } });
    expect((await ask("refresh-other")).statusCode).toBe(200);
  });
});
