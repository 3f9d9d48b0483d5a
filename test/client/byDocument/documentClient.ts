// A client that knows the three API documents and nothing of the server.
import { expect } from "vitest";
import type { ApiName } from "../../../src/api/endpoints/route.ts";
import type { ApiAnswer, JsonBody } from "../../conformance/scenarioServer.ts";
import { expectWholeError } from "../../conformance/wholeError.ts";

const PREFIX: Readonly<Record<ApiName, string>> = {
  "vpp-v1": "/v1/vpp/",
  "site-v2": "/v2/ems/",
  "site-v1": "/v1/ems/",
};
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Where and as whom a client calls. */
export interface ClientOptions {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly api: ApiName;
  readonly id: string;
  readonly refreshToken: string;
  /** Simulated seconds in a real one. */
  readonly speed: number;
}

/** Instants on the wire. */
export const wire = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

export class DocumentClient {
  private readonly options: ClientOptions;
  private token = "";
  private requests = 0;
  /** Refusals that the client has coped with. */
  readonly met = { limited: 0, expired: 0 };

  constructor(options: ClientOptions) {
    this.options = options;
  }

  get id(): string {
    return this.options.id;
  }

  /** Calls until the answer is neither 429 nor 498; both are coped with as the documents say. */
  async call(method: string, path: string, body?: unknown, key?: string): Promise<ApiAnswer> {
    if (this.token === "") await this.signIn();
    for (;;) {
      const answer = await this.once(method, path, body, key);
      if (answer.status === 498) {
        this.met.expired++;
        await this.signIn();
      } else if (answer.status === 429) {
        this.met.limited++;
        const realMs = (1000 * Number(answer.error.retry_after)) / this.options.speed;
        await new Promise((resolve) => setTimeout(resolve, realMs));
      } else return answer;
    }
  }

  /** An answer of 200. */
  async get(path: string): Promise<JsonBody> {
    return this.accepted(await this.call("GET", path));
  }

  /** An answer of 200. */
  async post(path: string, body: unknown, key?: string): Promise<JsonBody> {
    return this.accepted(await this.call("POST", path, body, key));
  }

  private accepted({ status, body }: ApiAnswer): JsonBody {
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  }

  async signIn(): Promise<void> {
    const { authUrl, refreshToken } = this.options;
    const headers = { authorization: `Bearer ${refreshToken}` };
    const answer = await fetch(`${authUrl}/auth/refresh`, { method: "POST", headers });
    const body = (await answer.json()) as JsonBody;
    expect([answer.status, body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: 2_592_000,
        expires_at: expect.stringMatching(INSTANT),
      },
    ]);
    this.token = String(body.access_token);
  }

  async once(method: string, path: string, body?: unknown, key?: string): Promise<ApiAnswer> {
    const { baseUrl, api, id } = this.options;
    const requestId = `request-${this.requests++}`;
    const response = await fetch(`${baseUrl}${PREFIX[api]}${id}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        "x-request-id": requestId,
        ...(body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const parsed = (await response.json()) as JsonBody;
    const { status, headers } = response;
    const answer = { status, headers, body: parsed, error: (parsed.error ?? {}) as JsonBody };
    expect(headers.get("x-request-id")).toBe(requestId);
    if (status !== 200) expectWholeError(api, id, answer);
    else this.expectWhole(api, id, answer);
    return answer;
  }

  /** What the documents say of every answer of 200. */
  private expectWhole(api: ApiName, id: string, { headers, body }: ApiAnswer): void {
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    const [limit, remaining, reset, after] = ["limit", "remaining", "reset", "reset-after"].map((name) =>
      Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
    );
    expect(api === "vpp-v1" ? [200, 1000] : [1000]).toContain(limit);
    expect([remaining >= 0 && remaining < limit, Number.isInteger(reset), after >= 0 && after <= 3600]).toEqual([
      true,
      true,
      true,
    ]);
    expect(body[api === "vpp-v1" ? "vpp_id" : "ems_id"]).toBe(id);
    expect(body.timestamp).toMatch(INSTANT);
  }
}
