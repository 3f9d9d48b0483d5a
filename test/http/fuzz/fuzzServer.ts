import type { FastifyInstance } from "fastify";
import { createSandboxAccess } from "../../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxPlugin } from "../../../src/api/http/sandbox/sandboxPlugin.ts";
import { buildServers } from "../../../src/api/http/server.ts";
import type { Session } from "../../../src/live/session/session.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { CheckedFetch } from "../checkedFetch.ts";
import { fuzzScenario } from "./fuzzScenario.ts";

/** One request as sent. */
export interface FuzzRequest {
  readonly to: "base" | "auth";
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

export interface FuzzReply {
  readonly status: number;
  readonly text: string;
}

/** The only 5xx answers in the documents. */
const DOCUMENTED_5XX = /"code":503,"message":"(No dispatchable members|System failure or under maintenance)"/;

/** Compiled schemas are shared by all sessions, because compiling takes longer than the requests. */
let checker: CheckedFetch | null = null;

/** Both servers of a session, called without sockets; every answer is checked against its description. */
export class FuzzServer {
  readonly session: Session;
  readonly base: FastifyInstance;
  private readonly auth: FastifyInstance;
  /** Number of answers by status. */
  readonly statuses = new Map<number, number>();

  private constructor(session: Session, base: FastifyInstance, auth: FastifyInstance) {
    this.session = session;
    this.base = base;
    this.auth = auth;
  }

  static async start(seed: number, rateLimits: "on" | "off"): Promise<FuzzServer> {
    const session = await openTinySession({}, fuzzScenario(seed));
    const sandbox = {
      session,
      access: createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken: null }),
      report: null,
    };
    const { base, auth } = buildServers(session, {
      tokenKey: session.signingKey,
      rateLimits,
      logLevel: "silent",
      plugins: [
        (server, _options, done) => {
          server.register(sandboxPlugin, sandbox);
          done();
        },
      ],
    });
    const baseUrl = await base.listen({ port: 0, host: "127.0.0.1" });
    await auth.listen({ port: 0, host: "127.0.0.1" });
    if (checker === null) {
      checker = new CheckedFetch(baseUrl);
      await checker.load();
    }
    return new FuzzServer(session, base, auth);
  }

  refreshTokenOf(name: string): string {
    return this.session.credentials.find((credential) => credential.name === name)!.refreshToken;
  }

  async send({ to, method, url, headers, payload }: FuzzRequest): Promise<FuzzReply> {
    const server = to === "base" ? this.base : this.auth;
    const answer = await server.inject({
      method: method as "GET",
      url,
      headers: { host: "127.0.0.1", ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    const { statusCode: status, body: text } = answer;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status >= 500) expectDocumented(text);
    const bodyless = [204, 205, 304].includes(status) || method === "HEAD";
    const response = new Response(bodyless ? null : text, {
      status,
      headers: answer.headers as Record<string, string>,
    });
    // The injection resolves dots in a path, like browsers; over sockets they arrive.
    await checker?.check(method, answer.raw.req.url ?? url, response, headers["x-request-id"] ?? null);
    return { status, text };
  }

  async stop(): Promise<void> {
    await Promise.all([this.base.close(), this.auth.close()]);
    await this.session.close();
  }
}

function expectDocumented(text: string): void {
  if (!DOCUMENTED_5XX.test(text)) throw new Error(`the documents name no such failure: ${text.slice(0, 500)}`);
}
