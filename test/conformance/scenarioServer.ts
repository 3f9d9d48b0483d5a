// A scenario served over sockets, put back to its start before each rule.
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import type { ApiName } from "../../src/api/endpoints/route.ts";
import { createSandboxAccess } from "../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxPlugin } from "../../src/api/http/sandbox/sandboxPlugin.ts";
import { buildServers } from "../../src/api/http/server.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import type { Session } from "../../src/live/session/session.ts";
import { CheckedFetch } from "../http/checkedFetch.ts";
import { openTinySession } from "../session/openTinySession.ts";
import { flowsCsv, START_MS } from "./scenarios.ts";
import { expectWholeError } from "./wholeError.ts";

/** A parsed answer; rules look at single keys. */
export type JsonBody = { readonly [key: string]: unknown };

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonBody;
  /** The error object, empty where the answer is none. */
  readonly error: JsonBody;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose token is sent; left out: that of the id called. */
  readonly tokenOf?: string;
}

const PREFIX: Readonly<Record<ApiName, string>> = {
  "vpp-v1": "/v1/vpp/",
  "site-v2": "/v2/ems/",
  "site-v1": "/v1/ems/",
};

/** "api code error_type" of all errors that were answered; v1 shows no types, its message stands there. */
export const errorsSeen = new Set<string>();

export class ScenarioServer {
  private readonly yaml: string;
  private session: Session | null = null;
  private checked: CheckedFetch | null = null;
  private closeServer: () => Promise<void> = async () => {};
  private readonly tokens = new Map<string, string>();
  baseUrl = "";
  authUrl = "";

  constructor(yaml: string) {
    this.yaml = yaml;
  }

  async open(): Promise<void> {
    const files = new Map([
      ["/stage/scenario.yaml", this.yaml],
      ["/stage/flows.csv", flowsCsv()],
    ]);
    const session = await openTinySession({}, readServedScenario("/stage/scenario.yaml", memoryFiles(files)));
    const { base, auth } = buildServers(session, {
      tokenKey: session.signingKey,
      rateLimits: "on",
      logLevel: "silent",
      plugins: [
        (server, _options, done) => {
          server.register(sandboxPlugin, {
            session,
            access: createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken: null }),
            report: null,
          });
          done();
        },
      ],
    });
    await Promise.all([base.listen({ port: 0, host: "127.0.0.1" }), auth.listen({ port: 0, host: "127.0.0.1" })]);
    const urlOf = (address: AddressInfo | string | null) => `http://127.0.0.1:${(address as AddressInfo).port}`;
    this.baseUrl = urlOf(base.server.address());
    this.authUrl = urlOf(auth.server.address());
    this.session = session;
    this.checked = new CheckedFetch(this.baseUrl);
    this.closeServer = async () => {
      await Promise.all([base.close(), auth.close()]);
      await session.close();
    };
  }

  close(): Promise<void> {
    return this.closeServer();
  }

  private credential(name: string) {
    const found = this.session?.credentials.find((credential) => credential.name === name);
    if (found === undefined) throw new Error(`the scenario has no ${name}`);
    return found;
  }

  /** Of a VPP or site by its name; a text that is an id already stays. */
  idOf(name: string): string {
    return this.session?.credentials.find((credential) => credential.name === name)?.id ?? name;
  }

  refreshTokenOf(name: string): string {
    return this.credential(name).refreshToken;
  }

  /** POST of the sandbox; throws what it refuses. */
  async sandbox(path: string, body: unknown = {}): Promise<JsonBody> {
    const answer = await fetch(`${this.baseUrl}/sandbox${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
    return text === "" ? {} : (JSON.parse(text) as JsonBody);
  }

  reset(): Promise<JsonBody> {
    return this.sandbox("/reset");
  }

  /** To "hh:mm[:ss]" of the first day, or to "d.hh:mm[:ss]" of another. */
  advanceTo(clock: string): Promise<JsonBody> {
    return this.sandbox("/clock/advance", { to: at(clock) });
  }

  async token(name: string): Promise<string> {
    let token = this.tokens.get(name);
    if (token === undefined) {
      token = await this.newToken(name);
      this.tokens.set(name, token);
    }
    return token;
  }

  async newToken(name: string): Promise<string> {
    const { body } = await this.refresh(`Bearer ${this.refreshTokenOf(name)}`);
    return String(body.access_token);
  }

  refresh(authorization?: string, headers: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> {
    return this.fetch(`${this.authUrl}/auth/refresh`, {
      method: "POST",
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
    });
  }

  async call(api: ApiName, name: string, line: string, body?: unknown, ask: CallOptions = {}): Promise<ApiAnswer> {
    const [method, path] = line.split(" ", 2);
    const headers: Record<string, string> = {
      authorization: `Bearer ${await this.token(ask.tokenOf ?? name)}`,
      ...(body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
      ...ask.headers,
    };
    const url = `${this.baseUrl}${PREFIX[api]}${this.idOf(name)}${path}`;
    const answered = await this.fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { code, error_type, message } = answered.error;
    if (code === undefined) return answered;
    errorsSeen.add(`${api} ${code} ${error_type ?? message}`);
    expectWholeError(api, this.idOf(name), answered);
    return answered;
  }

  /** Any request, held against the description of its API. */
  async fetch(url: string, init: RequestInit): Promise<ApiAnswer> {
    const response = await (this.checked as CheckedFetch).fetch(url, init);
    const text = await response.text();
    const body = (text === "" ? {} : JSON.parse(text)) as JsonBody;
    return { status: response.status, headers: response.headers, body, error: (body.error ?? {}) as JsonBody };
  }

  /** Only whether a long answer would come: its body is not read. */
  async statusOf(api: ApiName, name: string, path: string, body: unknown): Promise<number> {
    const answer = await fetch(`${this.baseUrl}${PREFIX[api]}${this.idOf(name)}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${await this.token(name)}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await answer.body?.cancel();
    return answer.status;
  }

  /** The same read so many times, without looking at the answers. */
  async sendBurst(api: ApiName, name: string, path: string, count: number): Promise<void> {
    const headers = { authorization: `Bearer ${await this.token(name)}` };
    const url = `${this.baseUrl}${PREFIX[api]}${this.idOf(name)}${path}`;
    for (let left = count; left > 0; left -= 50)
      await Promise.all(
        Array.from({ length: Math.min(left, 50) }, async () => (await fetch(url, { headers })).arrayBuffer()),
      );
  }
}

/** "hh:mm[:ss]" of the first day, or "d.hh:mm[:ss]" days later, as the APIs write instants. */
export function at(clock: string): string {
  const [, days = "0", hours, minutes, seconds = "0"] = /^(?:(-?\d+)\.)?(\d+):(\d\d)(?::(\d\d))?$/.exec(clock) ?? [];
  if (hours === undefined) throw new Error(`${clock} is no time`);
  const intoMs = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
  return `${new Date(START_MS + intoMs).toISOString().slice(0, 19)}Z`;
}

/** The objects in a list of an answer. */
export const rowsOf = (body: JsonBody, key: string): readonly JsonBody[] => body[key] as readonly JsonBody[];
export const column = (rows: readonly JsonBody[], key: string): readonly unknown[] => rows.map((row) => row[key]);

/** Rules on one server, each from the scenario's start. */
export function describeOnServer(name: string, server: ScenarioServer, rules: () => void): void {
  describe(name, () => {
    beforeAll(() => server.open());
    beforeEach(async () => void (await server.reset()));
    afterAll(() => server.close());
    rules();
  });
}
