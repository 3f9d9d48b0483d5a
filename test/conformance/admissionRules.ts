import { expect } from "vitest";
import type { ApiName } from "../../src/api/endpoints/route.ts";
import { type Document, sectionOf } from "./ruleSections.ts";
import { type ApiAnswer, at, describeOnServer, ScenarioServer } from "./scenarioServer.ts";
import { FLEET, LONG } from "./scenarios.ts";
import { VppRequests } from "./vppV1/desk.ts";

/** Of each document: its API, the id that is called, and one that may not call it. */
const CALLERS: Readonly<Record<Document, readonly [ApiName, string, string]>> = {
  "VPP API 1.4": ["vpp-v1", "east", "west"],
  "Site API 2.2": ["site-v2", "a", "b"],
  "Site API 1.13": ["site-v1", "a", "b"],
};
const RATES = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-reset-after"];

/** What stands before every endpoint: tokens, ids, budgets, headers. */
export function admissionRules(document: Document): void {
  const server = new ScenarioServer(FLEET);
  describeOnServer(`before every endpoint of ${document}`, server, () => {
    requestRules(server, document);
    if (document === "VPP API 1.4") vppBuckets(server);
    else siteBucket(server, document);
    if (document === "Site API 1.13") tokenEndpoint(server);
  });
  const long = new ScenarioServer(LONG);
  describeOnServer(`tokens after 30 days, ${document}`, long, () => tokenAge(long, document));
}

function tokenAge(server: ScenarioServer, document: Document): void {
  const [api, name] = CALLERS[document];
  sectionOf(document, "Authentication").rule(
    "an access token is good for 30 days, then 498 until it is renewed",
    async () => {
      const status = (token: string) =>
        server.call(api, name, "GET /status", undefined, { headers: { authorization: `Bearer ${token}` } });
      const token = await server.newToken(name);
      await server.advanceTo("29.23:59:59");
      expect((await status(token)).status).toBe(200);
      await server.advanceTo("30.00:00");
      const { status: code, error } = await status(token);
      expect([code, error]).toMatchObject([
        498,
        { code: 498, message: "JWT token expired", error_type: "token_expired", expires_at: at("30.00:00") },
      ]);
      if (api !== "site-v1") expect(error.required_action).toContain("POST /auth/refresh");
      expect((await status(await server.newToken(name))).status).toBe(200);
    },
  );
}

const codeOf = ({ status, error }: ApiAnswer) => [status, error.code, error.error_type];

function requestRules(server: ScenarioServer, document: Document): void {
  const [api, name, other] = CALLERS[document];
  const isV1 = api === "site-v1";
  const auth = sectionOf(document, "Authentication");
  const call = (headers: Readonly<Record<string, string>>, line = "GET /status") =>
    server.call(api, name, line, undefined, { headers });
  auth.rules(
    [
      ["a token that is none is 401", "Bearer nonsense"],
      ["another scheme is 401", "Basic YTpi"],
      ["no token is 401", ""],
    ] as const,
    async (_, authorization) => {
      const answered = await call({ authorization });
      expect(codeOf(answered)).toEqual([401, 401, "authentication_error"]);
      expect(answered.error.message).toBe("Authentication failed");
    },
  );
  auth.rule("a refresh token is no access token", async () => {
    expect(codeOf(await call({ authorization: `Bearer ${server.refreshTokenOf(name)}` }))[0]).toBe(401);
  });
  auth.rule("another id's token is 403", async () => {
    const answered = await server.call(api, name, "GET /status", undefined, { tokenOf: other });
    expect(codeOf(answered)).toEqual([403, 403, isV1 ? undefined : "permission_denied"]);
  });
  auth.rule("an unknown id is 404 to a valid token, 401 to others (docs/model/apis.md#unknown-id)", async () => {
    const unknown = (headers: Readonly<Record<string, string>>) =>
      server.call(api, "f".repeat(32), "GET /status", undefined, { tokenOf: name, headers });
    expect((await unknown({})).status).toBe(404);
    expect((await unknown({ authorization: "Bearer nonsense" })).status).toBe(401);
  });
  const form = sectionOf(document, "Headers and envelope");
  form.rule("every answer is application/json; charset=utf-8 with the four rate headers, errors too", async () => {
    for (const answered of [await call({}), await call({ authorization: "" }), await call({}, "GET /nothing")]) {
      expect(answered.headers.get("content-type")).toBe("application/json; charset=utf-8");
      for (const header of RATES)
        expect([header, answered.headers.get(header)]).toEqual([header, expect.stringMatching(/^\d+$/)]);
    }
  });
  form.rule("X-Request-Id is echoed, also of errors, and absent where none came", async () => {
    expect((await call({ "x-request-id": "r-1" })).headers.get("x-request-id")).toBe("r-1");
    expect((await call({ "x-request-id": "r-2", authorization: "" })).headers.get("x-request-id")).toBe("r-2");
    expect((await call({})).headers.get("x-request-id")).toBeNull();
  });
  form.rule("an error's envelope is id, error, timestamp", async () => {
    const { body } = await call({ authorization: "" });
    const key = api === "vpp-v1" ? "vpp_id" : "ems_id";
    expect([Object.keys(body), body[key], body.timestamp]).toEqual([
      [key, "error", "timestamp"],
      server.idOf(name),
      at("00:00"),
    ]);
    expect(body.error).toMatchObject({ code: 401, message: expect.any(String), details: expect.any(String) });
  });
  const order = sectionOf(document, "Check order (docs/model/apis.md#check-order)");
  order.rule("401, 404, 403, then 400 of the shape", async () => {
    const history = isV1 ? "POST /report/power" : "POST /measurements/active_power";
    const ask = async (id: string, as: string, authorization?: string) =>
      (
        await server.call(
          api,
          id,
          history,
          {},
          { tokenOf: as, headers: authorization === undefined ? {} : { authorization } },
        )
      ).status;
    expect([
      await ask("f".repeat(32), other, "Bearer x"),
      await ask("f".repeat(32), other),
      await ask(name, other),
      await ask(name, name),
    ]).toEqual([401, 404, 403, 400]);
  });
  order.rule(
    "refused before the budget costs nothing, all else one (docs/model/apis.md#rate-limits, docs/model/apis.md#unknown-path)",
    async () => {
      const left = async () => Number((await call({})).headers.get("x-ratelimit-remaining"));
      const first = await left();
      await call({ authorization: "" });
      await server.call(api, name, "GET /status", undefined, { tokenOf: other });
      expect(await left()).toBe(first - 1);
      await server.call(api, name, isV1 ? "POST /report/power" : "POST /measurements/energy", {});
      expect(await left()).toBe(first - 3);
    },
  );
}

function vppBuckets(server: ScenarioServer): void {
  const limits = sectionOf("VPP API 1.4", "Limits: rate buckets");
  const id = () => server.idOf("a");
  limits.rules(
    [
      ["GET members counts for reference", "GET /members", "1000"],
      ["GET status counts for reference", "GET /status", "1000"],
      ["GET status/details counts for reference", "GET /status/details", "1000"],
      ["GET schedules counts for reference", "GET /control/active_power/schedules", "1000"],
      ["POST measurements/active_power counts for reference", "POST /measurements/active_power", "1000"],
      ["POST measurements/energy counts for reference", "POST /measurements/energy", "1000"],
      ["POST members counts for control", "POST /members", "200"],
      ["POST members/{ems_id} counts for control", "POST /members/{a}", "200"],
      ["DELETE members/{ems_id} counts for control", "DELETE /members/{a}", "200"],
      ["POST control/active_power counts for control", "POST /control/active_power", "200"],
      ["DELETE schedules counts for control", "DELETE /control/active_power/schedules?schedule_id=x", "200"],
    ] as const,
    async (_, line, limit) => {
      const body = line.startsWith("POST") ? {} : undefined;
      const { headers } = await server.call("vpp-v1", "east", line.replace("{a}", id()), body);
      expect([headers.get(RATES[0]), headers.get(RATES[1])]).toEqual([limit, String(Number(limit) - 1)]);
    },
  );
  limits.rule("the 1001st read of an hour is 429, control goes on, and an hour later all is free", async () => {
    await server.sendBurst("vpp-v1", "east", "/status", 1000);
    await server.advanceTo("00:20");
    const refused = await server.call("vpp-v1", "east", "GET /members");
    expect(codeOf(refused)).toEqual([429, 429, "rate_limit_exceeded"]);
    expect(refused.error).toMatchObject({
      limit: 1000,
      remaining: 0,
      reset_time: at("01:00"),
      retry_after: 2400,
      message: "Rate limit exceeded",
    });
    expect(RATES.map((header) => refused.headers.get(header))).toEqual([
      "1000",
      "0",
      String(Date.parse(at("01:00")) / 1000),
      "2400",
    ]);
    expect((await new VppRequests(server).post(new VppRequests(server).immediate())).status).toBe(200);
    expect((await server.call("vpp-v1", "west", "GET /members")).status).toBe(200);
    await server.advanceTo("00:59:59");
    expect((await server.call("vpp-v1", "east", "GET /members")).status).toBe(429);
    await server.advanceTo("01:00");
    expect((await server.call("vpp-v1", "east", "GET /members")).status).toBe(200);
  });
  limits.rule("the 201st control request of an hour is 429, reading goes on", async () => {
    for (let k = 0; k < 200; k++) await server.call("vpp-v1", "east", `POST /members/${id()}`, {});
    const refused = await server.call("vpp-v1", "east", `POST /members/${id()}`, {});
    expect([refused.status, refused.error.limit]).toEqual([429, 200]);
    expect((await server.call("vpp-v1", "east", "GET /members")).status).toBe(200);
  });
  limits.rule("429 comes before 400 (docs/model/apis.md#check-order)", async () => {
    await server.sendBurst("vpp-v1", "east", "/status", 1000);
    expect((await server.call("vpp-v1", "east", "POST /measurements/energy", {})).status).toBe(429);
  });
}

function siteBucket(server: ScenarioServer, document: "Site API 2.2" | "Site API 1.13"): void {
  const [api, otherApi] =
    document === "Site API 2.2" ? (["site-v2", "site-v1"] as const) : (["site-v1", "site-v2"] as const);
  sectionOf(document, "Limits: rate").rule(
    "1000 requests an hour, apart from the other version's (docs/model/apis.md#rate-limits)",
    async () => {
      await server.sendBurst(api, "a", "/status", 1000);
      const { status, error, headers } = await server.call(api, "a", "GET /status");
      expect([status, error]).toMatchObject([
        429,
        { message: "Rate limit exceeded", limit: 1000, remaining: 0, reset_time: at("01:00"), retry_after: 3600 },
      ]);
      expect(headers.get(RATES[0])).toBe("1000");
      expect((await server.call(otherApi, "a", "GET /status")).status).toBe(200);
      await server.advanceTo("01:00");
      expect((await server.call(api, "a", "GET /status")).status).toBe(200);
    },
  );
}

function tokenEndpoint(server: ScenarioServer): void {
  const refresh = sectionOf("Site API 1.13", "1 POST auth/refresh");
  refresh.rules(
    [
      ["gives a token of a site for 30 days", "a"],
      ["gives a token of a VPP for 30 days (VPP API)", "east"],
    ] as const,
    async (_, name) => {
      const { status, body, headers } = await server.refresh(`Bearer ${server.refreshTokenOf(name)}`);
      expect([status, body]).toEqual([
        200,
        {
          access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          token_type: "Bearer",
          expires_in: 2_592_000,
          expires_at: at("30.00:00"),
        },
      ]);
      expect(headers.get("x-ratelimit-limit")).toBe("1000");
    },
  );
  refresh.rules(
    [
      ["a token that is none is 401", "Bearer nonsense"],
      ["no token is 401", undefined],
    ] as const,
    async (_, authorization) =>
      expect(codeOf(await server.refresh(authorization))).toEqual([401, 401, "authentication_error"]),
  );
  refresh.rule("an access token is no refresh token", async () => {
    expect((await server.refresh(`Bearer ${await server.token("a")}`)).status).toBe(401);
  });
  refresh.rule("is served on the authentication host only", async () => {
    const headers = { authorization: `Bearer ${server.refreshTokenOf("a")}` };
    expect((await fetch(`${server.baseUrl}/auth/refresh`, { method: "POST", headers })).status).toBe(404);
    const status = { headers: { authorization: `Bearer ${await server.token("a")}` } };
    expect((await fetch(`${server.authUrl}/v1/ems/${server.idOf("a")}/status`, status)).status).toBe(404);
  });
  refresh.rule("echoes X-Request-Id", async () => {
    const { headers } = await server.refresh(undefined, { "x-request-id": "r-3" });
    expect(headers.get("x-request-id")).toBe("r-3");
  });
  refresh.rule("1000 an hour for a refresh token, apart from others", async () => {
    const headers = { authorization: `Bearer ${server.refreshTokenOf("narrow")}` };
    for (let k = 0; k < 20; k++)
      await Promise.all(
        Array.from({ length: 50 }, async () =>
          (await fetch(`${server.authUrl}/auth/refresh`, { method: "POST", headers })).text(),
        ),
      );
    const refused = await server.refresh(headers.authorization);
    expect([refused.status, refused.error.limit]).toEqual([429, 1000]);
    expect((await server.refresh(`Bearer ${server.refreshTokenOf("shop")}`)).status).toBe(200);
  });
  sectionOf("Site API 1.13", "Authentication").rule(
    "a revoked refresh token is 401, and so are the access tokens of its holder (docs/model/apis.md#revocation)",
    async () => {
      const given = { authorization: `Bearer ${await server.newToken("lake")}` };
      const refresh_token = server.refreshTokenOf("lake");
      await server.sandbox("/credentials/revoke", { refresh_token });
      expect((await server.refresh(`Bearer ${refresh_token}`)).status).toBe(401);
      expect((await server.call("site-v1", "lake", "GET /status", undefined, { headers: given })).status).toBe(401);
    },
  );
}
