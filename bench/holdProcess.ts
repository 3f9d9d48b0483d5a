/** A `holdHost` process, with requests to it. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HoldHost, HostUsage } from "./holdHost.ts";

const forked = (file: string, args: readonly string[]): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ["--import", "tsx"] });

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  child.send("now");
  const [answer] = (await once(child, "message")) as [Answer];
  return answer;
}

export interface TimedReply {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
}

export class HoldProcess {
  readonly host: HoldHost;
  readonly #child: ChildProcess;
  readonly #probe: ChildProcess;

  private constructor(host: HoldHost, child: ChildProcess) {
    this.host = host;
    this.#child = child;
    this.#probe = forked("healthProbe.ts", [`${host.baseUrl}/health`]);
  }

  /** Of a fleet that has run for some days. */
  static start = (members: number, days: number): Promise<HoldProcess> =>
    HoldProcess.#start(["fleet", String(members), String(days)]);

  /** Of a shipped drill, at its opening. */
  static startDrill = (name: string): Promise<HoldProcess> => HoldProcess.#start(["drill", name]);

  static async #start(args: readonly string[]): Promise<HoldProcess> {
    const child = forked("holdHost.ts", args);
    const [host] = (await once(child, "message")) as [HoldHost];
    return new HoldProcess(host, child);
  }

  /** Usage since the last call. */
  usage(): Promise<HostUsage> {
    return answerOf(this.#child);
  }

  /** Milliseconds of the slowest answer of /health since the last call. */
  slowestHealthMs(): Promise<number> {
    return answerOf(this.#probe);
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

  stop(): void {
    this.#child.disconnect();
    this.#probe.disconnect();
  }
}
