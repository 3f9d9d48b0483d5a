import { expect } from "vitest";
import type { ApiName } from "../../src/endpoints/route.ts";
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
  const stage = new ScenarioServer(FLEET);
  describeOnServer(`before every endpoint of ${document}`, stage, () => {
    requestRules(stage, document);
    if (document === "VPP API 1.4") vppBuckets(stage);
    else siteBucket(stage, document);
    if (document === "Site API 1.13") tokenEndpoint(stage);
  });
  const long = new ScenarioServer(LONG);
  describeOnServer(`tokens after 30 days, ${document}`, long, () => tokenAge(long, document));
}

function tokenAge(stage: ScenarioServer, document: Document): void {
  const [api, name] = CALLERS[document];
  sectionOf(document, "Authentication").rule(
    "an access token is good for 30 days, then 498 until it is renewed",
    async () => {
      const status = (token: string) =>
        stage.call(api, name, "GET /status", undefined, { headers: { authorization: `Bearer ${token}` } });
      const token = await stage.newToken(name);
      await stage.advanceTo("29.23:59:59");
      expect((await status(token)).status).toBe(200);
      await stage.advanceTo("30.00:00");
      const { status: code, error } = await status(token);
      expect([code, error]).toMatchObject([
        498,
        { code: 498, message: "JWT token expired", error_type: "token_expired", expires_at: at("30.00:00") },
      ]);
      if (api !== "site-v1") expect(error.required_action).toContain("POST /auth/refresh");
      expect((await status(await stage.newToken(name))).status).toBe(200);
    },
  );
}

const codeOf = ({ status, error }: ApiAnswer) => [status, error.code, error.error_type];

function requestRules(stage: ScenarioServer, document: Document): void {
  const [api, name, other] = CALLERS[document];
  const isV1 = api === "site-v1";
  const auth = sectionOf(document, "Authentication");
  const call = (headers: Readonly<Record<string, string>>, line = "GET /status") =>
    stage.call(api, name, line, undefined, { headers });
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
    expect(codeOf(await call({ authorization: `Bearer ${stage.refreshTokenOf(name)}` }))[0]).toBe(401);
  });
  auth.rule("another id's token is 403", async () => {
    const answered = await stage.call(api, name, "GET /status", undefined, { tokenOf: other });
    expect(codeOf(answered)).toEqual([403, 403, isV1 ? undefined : "permission_denied"]);
  });
  auth.rule("an unknown id is 404 to a valid token, 401 to others (docs/model/apis.md#unknown-id)", async () => {
    const unknown = (headers: Readonly<Record<string, string>>) =>
      stage.call(api, "f".repeat(32), "GET /status", undefined, { tokenOf: name, headers });
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
      stage.idOf(name),
      at("00:00"),
    ]);
    expect(body.error).toMatchObject({ code: 401, message: expect.any(String), details: expect.any(String) });
  });
  const order = sectionOf(document, "Check order (docs/model/apis.md#check-order)");
  order.rule("401, 404, 403, then 400 of the shape", async () => {
    const history = isV1 ? "POST /report/power" : "POST /measurements/active_power";
    const ask = async (id: string, as: string, authorization?: string) =>
      (
        await stage.call(
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
      await stage.call(api, name, "GET /status", undefined, { tokenOf: other });
      expect(await left()).toBe(first - 1);
      await stage.call(api, name, isV1 ? "POST /report/power" : "POST /measurements/energy", {});
      expect(await left()).toBe(first - 3);
    },
  );
}

function vppBuckets(stage: ScenarioServer): void {
  const limits = sectionOf("VPP API 1.4", "Limits: rate buckets");
  const id = () => stage.idOf("a");
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
      const { headers } = await stage.call("vpp-v1", "east", line.replace("{a}", id()), body);
      expect([headers.get(RATES[0]), headers.get(RATES[1])]).toEqual([limit, String(Number(limit) - 1)]);
    },
  );
  limits.rule("the 1001st read of an hour is 429, control goes on, and an hour later all is free", async () => {
    await stage.sendBurst("vpp-v1", "east", "/status", 1000);
    await stage.advanceTo("00:20");
    const refused = await stage.call("vpp-v1", "east", "GET /members");
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
    expect((await new VppRequests(stage).post(new VppRequests(stage).immediate())).status).toBe(200);
    expect((await stage.call("vpp-v1", "west", "GET /members")).status).toBe(200);
    await stage.advanceTo("00:59:59");
    expect((await stage.call("vpp-v1", "east", "GET /members")).status).toBe(429);
    await stage.advanceTo("01:00");
    expect((await stage.call("vpp-v1", "east", "GET /members")).status).toBe(200);
  });
  limits.rule("the 201st control request of an hour is 429, reading goes on", async () => {
    for (let k = 0; k < 200; k++) await stage.call("vpp-v1", "east", `POST /members/${id()}`, {});
    const refused = await stage.call("vpp-v1", "east", `POST /members/${id()}`, {});
    expect([refused.status, refused.error.limit]).toEqual([429, 200]);
    expect((await stage.call("vpp-v1", "east", "GET /members")).status).toBe(200);
  });
  limits.rule("429 comes before 400 (docs/model/apis.md#check-order)", async () => {
    await stage.sendBurst("vpp-v1", "east", "/status", 1000);
    expect((await stage.call("vpp-v1", "east", "POST /measurements/energy", {})).status).toBe(429);
  });
}

function siteBucket(stage: ScenarioServer, document: "Site API 2.2" | "Site API 1.13"): void {
  const [api, otherApi] =
    document === "Site API 2.2" ? (["site-v2", "site-v1"] as const) : (["site-v1", "site-v2"] as const);
  sectionOf(document, "Limits: rate").rule(
    "1000 requests an hour, apart from the other version's (docs/model/apis.md#rate-limits)",
    async () => {
      await stage.sendBurst(api, "a", "/status", 1000);
      const { status, error, headers } = await stage.call(api, "a", "GET /status");
      expect([status, error]).toMatchObject([
        429,
        { message: "Rate limit exceeded", limit: 1000, remaining: 0, reset_time: at("01:00"), retry_after: 3600 },
      ]);
      expect(headers.get(RATES[0])).toBe("1000");
      expect((await stage.call(otherApi, "a", "GET /status")).status).toBe(200);
      await stage.advanceTo("01:00");
      expect((await stage.call(api, "a", "GET /status")).status).toBe(200);
    },
  );
}

function tokenEndpoint(stage: ScenarioServer): void {
  const refresh = sectionOf("Site API 1.13", "1 POST auth/refresh");
  refresh.rules(
    [
      ["gives a token of a site for 30 days", "a"],
      ["gives a token of a VPP for 30 days (VPP API)", "east"],
    ] as const,
    async (_, name) => {
      const { status, body, headers } = await stage.refresh(`Bearer ${stage.refreshTokenOf(name)}`);
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
      expect(codeOf(await stage.refresh(authorization))).toEqual([401, 401, "authentication_error"]),
  );
  refresh.rule("an access token is no refresh token", async () => {
    expect((await stage.refresh(`Bearer ${await stage.token("a")}`)).status).toBe(401);
  });
  refresh.rule("is served on the authentication host only", async () => {
    const headers = { authorization: `Bearer ${stage.refreshTokenOf("a")}` };
    expect((await fetch(`${stage.baseUrl}/auth/refresh`, { method: "POST", headers })).status).toBe(404);
    const status = { headers: { authorization: `Bearer ${await stage.token("a")}` } };
    expect((await fetch(`${stage.authUrl}/v1/ems/${stage.idOf("a")}/status`, status)).status).toBe(404);
  });
  refresh.rule("echoes X-Request-Id", async () => {
    const { headers } = await stage.refresh(undefined, { "x-request-id": "r-3" });
    expect(headers.get("x-request-id")).toBe("r-3");
  });
  refresh.rule("1000 an hour for a refresh token, apart from others", async () => {
    const headers = { authorization: `Bearer ${stage.refreshTokenOf("narrow")}` };
    for (let k = 0; k < 20; k++)
      await Promise.all(
        Array.from({ length: 50 }, async () =>
          (await fetch(`${stage.authUrl}/auth/refresh`, { method: "POST", headers })).text(),
        ),
      );
    const refused = await stage.refresh(headers.authorization);
    expect([refused.status, refused.error.limit]).toEqual([429, 1000]);
    expect((await stage.refresh(`Bearer ${stage.refreshTokenOf("shop")}`)).status).toBe(200);
  });
  sectionOf("Site API 1.13", "Authentication").rule(
    "a revoked refresh token is 401, and so are the access tokens of its holder (docs/model/apis.md#revocation)",
    async () => {
      const given = { authorization: `Bearer ${await stage.newToken("lake")}` };
      const refresh_token = stage.refreshTokenOf("lake");
      await stage.sandbox("/credentials/revoke", { refresh_token });
      expect((await stage.refresh(`Bearer ${refresh_token}`)).status).toBe(401);
      expect((await stage.call("site-v1", "lake", "GET /status", undefined, { headers: given })).status).toBe(401);
    },
  );
}
