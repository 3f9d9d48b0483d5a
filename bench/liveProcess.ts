/** A `vppsim serve` process for the benches, with requests to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";

/** How the built command is started; a test starts it from its source. Needs `npm run build`. */
export const BUILT_COMMAND: readonly string[] = [fileURLToPath(new URL("../dist/cli/main.js", import.meta.url))];

interface Ready {
  readonly base_url: string;
  readonly auth_url: string;
  readonly now: string;
}

/** The response to a request. */
export interface HttpReply {
  readonly status: number;
  readonly text: string;
}

/** What a telemetry reader has been sent. */
export interface TelemetryCounts {
  readonly messages: number;
  readonly gaps: number;
}

interface Credentials {
  readonly vpps: readonly { readonly vpp_id: string; readonly refresh_token: string }[];
  readonly sites: readonly { readonly ems_id: string }[];
}

export class LiveProcess {
  private readonly child: ChildProcess;
  private readonly ready: Ready;
  /** Milliseconds from the start of the process until /health answered. */
  readonly startMs: number;

  private constructor(child: ChildProcess, ready: Ready, startMs: number) {
    this.child = child;
    this.ready = ready;
    this.startMs = startMs;
  }

  /** @param command  arguments of node that start vppsim */
  static async start(command: readonly string[], args: readonly string[]): Promise<LiveProcess> {
    const beganMs = performance.now();
    const child = spawn(process.execPath, [...command, "serve", ...args, "--port", "0", "--auth-port", "0"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr?.on("data", (text: Buffer) => (said += text.toString()));
    const line = await new Promise<string>((resolve, reject) => {
      let text = "";
      child.stdout?.on("data", (more: Buffer) => {
        text += more.toString();
        if (text.includes("\n")) resolve(text);
      });
      child.once("exit", (status) => reject(new Error(`vppsim serve ended with status ${status}: ${said}`)));
    });
    const ready = JSON.parse(line) as Ready;
    const health = await fetch(`${ready.base_url}/health`);
    if (health.status !== 200) throw new Error(`/health answered ${health.status}`);
    return new LiveProcess(child, ready, performance.now() - beganMs);
  }

  get baseUrl(): string {
    return this.ready.base_url;
  }

  get now(): string {
    return this.ready.now;
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpReply> {
    const json: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    const init = { method, headers: { ...json, ...headers } };
    const url = `${this.baseUrl}${path}`;
    const answer = await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  }

  /** A call of the sandbox, which has to work. */
  async callSandbox<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, text } = await this.request(method, `/sandbox${path}`, body);
    if (status !== 200) throw new Error(`${method} /sandbox${path} answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  readCredentials(): Promise<Credentials> {
    return this.callSandbox<Credentials>("GET", "/credentials");
  }

  /** A telemetry reader of a VPP that only counts. */
  async countTelemetry(vppId: string, headers: Record<string, string>): Promise<TelemetryCounts> {
    const socket = new WebSocket(`${this.baseUrl.replace("http", "ws")}/v1/vpp/${vppId}/telemetry`, { headers });
    const heard = { messages: 0, gaps: 0 };
    socket.on("message", (text) => {
      heard.messages++;
      if (String(text).startsWith('"type":"gap"', String(text).indexOf(",") + 1)) heard.gaps++;
    });
    await once(socket, "open");
    return heard;
  }

  /** The header that lets one in with a refresh token. */
  async signIn(refreshToken: string): Promise<Record<string, string>> {
    const headers = { authorization: `Bearer ${refreshToken}` };
    const answer = await fetch(`${this.ready.auth_url}/auth/refresh`, { method: "POST", headers });
    const { access_token } = (await answer.json()) as { readonly access_token: string };
    return { authorization: `Bearer ${access_token}` };
  }

  /** User and system time that the process has used, in seconds, and its resident memory in MB; Linux only. */
  readUsage(): { readonly cpuS: number; readonly residentMb: number } {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const pages = Number(readFileSync(`/proc/${this.child.pid}/statm`, "utf8").split(" ")[1]);
    // Clock ticks are 10 ms and pages 4 KiB on every Linux that Node is built for here.
    return { cpuS: (Number(fields[11]) + Number(fields[12])) / 100, residentMb: (pages * 4096) / 1e6 };
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const ended = once(this.child, "exit");
    this.child.kill(signal);
    await ended;
  }
}
