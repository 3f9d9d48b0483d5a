import { describe, expect, test } from "vitest";
import { AccessTokens } from "../../src/api/http/auth/accessTokens.ts";
import { MS_PER_DAY } from "../../src/base/time.ts";
import { FakeHost, fakeServers, SITE, START_MS, TOKEN_KEY, VPP } from "./fakeHost.ts";

const tokens = new AccessTokens(TOKEN_KEY);
const bearer = (kind: "vpp" | "site", id: string, atMs = START_MS) => ({
  authorization: `Bearer ${tokens.issue({ kind, id }, atMs).token}`,
});
const OWN = bearer("vpp", VPP);
const UNKNOWN = "d".repeat(32);

describe("admission (docs/model/apis.md#check-order, docs/model/apis.md#unknown-id, docs/model/apis.md#unknown-path)", () => {
  const cases: readonly [string, string, Record<string, string>, number, string | undefined, string][] = [
    [
      "says 498 before 404",
      `/v1/vpp/${UNKNOWN}/status`,
      bearer("vpp", VPP, START_MS - 31 * MS_PER_DAY),
      498,
      "token_expired",
      "1000",
    ],
    ["does not know an id in capitals", `/v1/vpp/${VPP.toUpperCase()}/status`, OWN, 404, "vpp_not_found", "1000"],
    ["does not know a site as a VPP", `/v1/vpp/${SITE}/status`, bearer("site", SITE), 404, "vpp_not_found", "1000"],
    ["refuses a VPP's token at a site", `/v2/ems/${SITE}/status`, OWN, 403, "permission_denied", "1000"],
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

  test("names the methods of a path", async () => {
    const { base } = fakeServers(new FakeHost());
    const url = `/v1/vpp/${VPP}/status`;
    const wrong = await base.inject({ method: "DELETE", url, headers: OWN });
    expect([wrong.statusCode, wrong.json().error.code, wrong.headers.allow]).toEqual([405, 405, "GET"]);
  });
});

describe("the token endpoint", () => {
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
});
