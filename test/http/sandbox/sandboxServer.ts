import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { addJsonBodyParser } from "../../../src/api/http/jsonBody.ts";
import { createSandboxAccess } from "../../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxPlugin } from "../../../src/api/http/sandbox/sandboxPlugin.ts";
import type { LiveGrades } from "../../../src/live/drill/liveGrades.ts";
import type { Session } from "../../../src/live/session/session.ts";

export interface SandboxReply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** Parsed if it is JSON. */
  readonly body: Record<string, unknown>;
}

/** A server with the sandbox only, on its own socket. */
export class SandboxServer {
  readonly session: Session;
  private readonly server: FastifyInstance;

  private constructor(session: Session, server: FastifyInstance) {
    this.session = session;
    this.server = server;
  }

  static async start(
    session: Session,
    options: {
      readonly token?: string;
      readonly instructor?: string;
      readonly report?: string;
      readonly grades?: LiveGrades;
    } = {},
  ): Promise<SandboxServer> {
    const server = Fastify();
    addJsonBodyParser(server);
    const access = createSandboxAccess({
      signingKey: session.signingKey,
      sandboxToken: options.token ?? null,
      instructorToken: options.instructor ?? null,
      ...(options.grades === undefined ? {} : { traineeMay: () => options.grades?.drill.may ?? [] }),
    });
    const { grades } = options;
    const drill = grades === undefined ? {} : { grades };
    server.register(sandboxPlugin, { session, access, report: options.report ?? null, ...drill });
    await server.listen({ host: "127.0.0.1", port: 0 });
    return new SandboxServer(session, server);
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<SandboxReply> {
    return this.send("GET", path, undefined, headers);
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<SandboxReply> {
    return this.send("POST", path, JSON.stringify(body), { "content-type": "application/json", ...headers });
  }

  delete(path: string): Promise<SandboxReply> {
    return this.send("DELETE", path, undefined, {});
  }

  /** Sends a request unchanged: `fetch` would set headers of its own. */
  send(method: string, path: string, body: string | undefined, headers: Record<string, string>): Promise<SandboxReply> {
    return new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port: this.port, method, path, headers, agent: false };
      const request = httpRequest(options, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => (text += piece));
        response.on("end", () => {
          const type = response.headers["content-type"] ?? "";
          const parsed = type.startsWith("application/json") ? (JSON.parse(text) as Record<string, unknown>) : {};
          resolve({ status: response.statusCode ?? 0, type, text, body: parsed });
        });
      });
      request.on("error", reject);
      request.end(body);
    });
  }

  async stop(): Promise<void> {
    await this.server.close();
    await this.session.close();
  }
}
