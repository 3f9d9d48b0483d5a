/** A `holdHost` process, with requests to it. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HoldHost, HostUsage } from "./holdHost.ts";

const HOST = fileURLToPath(new URL("holdHost.ts", import.meta.url));

export interface TimedReply {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
}

export class HoldProcess {
  readonly host: HoldHost;
  readonly #child: ChildProcess;

  private constructor(host: HoldHost, child: ChildProcess) {
    this.host = host;
    this.#child = child;
  }

  static async start(members: number, days: number): Promise<HoldProcess> {
    const child = fork(HOST, [String(members), String(days)], { execArgv: ["--import", "tsx"] });
    const [host] = (await once(child, "message")) as [HoldHost];
    return new HoldProcess(host, child);
  }

  /** Usage since the last call. */
  async usage(): Promise<HostUsage> {
    this.#child.send("usage");
    const [usage] = (await once(this.#child, "message")) as [HostUsage];
    return usage;
  }

  async signIn(refreshToken: string): Promise<{ readonly authorization: string }> {
    const headers = { authorization: `Bearer ${refreshToken}` };
    const answer = await fetch(`${this.host.authUrl}/auth/refresh`, { method: "POST", headers });
    const { access_token } = (await answer.json()) as { readonly access_token: string };
    return { authorization: `Bearer ${access_token}` };
  }

  async request(
    method: string,
    path: string,
    options: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<TimedReply & { readonly text: string }> {
    const { body, headers = {} } = options;
    const init: RequestInit =
      body === undefined
        ? { method, headers }
        : {
            method,
            headers: { "content-type": "application/json", ...headers },
            body: typeof body === "string" ? body : JSON.stringify(body),
          };
    const beganMs = performance.now();
    const answer = await fetch(this.host.baseUrl + path, init);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.length < 1e6 ? bytes.toString() : "";
    return { status: answer.status, bytes: bytes.length, ms: performance.now() - beganMs, text };
  }

  /** Milliseconds of the slowest answer of /health while something runs. */
  async slowestHealthMs(until: Promise<unknown>): Promise<number> {
    let isOver = false;
    const over = until.finally(() => {
      isOver = true;
    });
    let slowest = 0;
    while (!isOver) {
      const { ms } = await this.request("GET", "/health");
      slowest = Math.max(slowest, ms);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await over;
    return slowest;
  }

  stop(): void {
    this.#child.disconnect();
  }
}
