import type { ChildProcess } from "node:child_process";
import { startVppsim, startWithFileLimit } from "./runVppsim.ts";

export interface ReadyLine {
  readonly ready: true;
  readonly base_url: string;
  readonly auth_url: string;
  readonly dashboard_url: string;
  readonly now: string;
  readonly mode: "paused" | "running";
  readonly resumed?: true;
}

export interface ProcessExit {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server in a process of its own, as a user starts it. */
export class ServeProcess {
  readonly exited: Promise<ProcessExit>;
  private readonly child: ChildProcess;
  private stdout = "";
  private errorText = "";

  /**
   * @param fileBlocks  what any of its files may grow to, in blocks of 512 bytes
   * @param command  `serve`, or `drill serve`
   */
  constructor(args: readonly string[], cwd: string, fileBlocks?: number, command: readonly string[] = ["serve"]) {
    const words = [...command, ...args];
    this.child = fileBlocks === undefined ? startVppsim(words, cwd) : startWithFileLimit(fileBlocks, words, cwd);
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.errorText += text));
    this.exited = new Promise((resolve) =>
      this.child.on("close", (status, signal) =>
        resolve({ status, signal, stdout: this.stdout, stderr: this.errorText }),
      ),
    );
  }

  get stderr(): string {
    return this.errorText;
  }

  /** The line of standard output that says that both ports listen. */
  async waitUntilReady(): Promise<ReadyLine> {
    for (;;) {
      const end = this.stdout.indexOf("\n");
      if (end >= 0) return JSON.parse(this.stdout.slice(0, end)) as ReadyLine;
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`the server ended: ${(await this.exited).stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** This very process and no other. */
  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<ProcessExit> {
    this.kill(signal);
    return this.exited;
  }
}

/** A server on free ports. */
export async function startServer(cwd: string, ...args: string[]): Promise<ServeProcess & { readonly at: ReadyLine }> {
  const server = new ServeProcess([...args, "--port", "0", "--auth-port", "0"], cwd);
  return Object.assign(server, { at: await server.waitUntilReady() });
}

/** Asks with a JSON body, or none. */
export async function requestJson(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const json: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const init = { method, headers: { ...json, ...headers } };
  const response = await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** An access token for the first VPP. @returns its id and the header that carries the token */
export async function signIn({ base_url, auth_url }: ReadyLine) {
  const { vpps, sites } = JSON.parse((await requestJson("GET", `${base_url}/sandbox/credentials`)).text);
  const { refresh_token } = vpps[0];
  const bearer = { authorization: `Bearer ${refresh_token}` };
  const { text } = await requestJson("POST", `${auth_url}/auth/refresh`, { refresh_token }, bearer);
  const authorization = `Bearer ${JSON.parse(text).access_token}`;
  return {
    vppId: vpps[0].vpp_id as string,
    sites: sites as { name: string; ems_id: string }[],
    headers: { authorization },
  };
}

/** Body of a schedule of −10 kW from a baseline of 0 kW at each site. */
export const scheduleBody = (sites: readonly { readonly ems_id: string }[], startTime: string, endTime: string) => ({
  type: "schedule",
  delta_kw: -10,
  start_time: startTime,
  end_time: endTime,
  member_baselines: sites.map(({ ems_id }) => ({ ems_id, baseline_kw: 0 })),
});
