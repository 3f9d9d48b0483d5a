// A Redis server of one's own, for tests that take data from it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { expect, vi } from "vitest";
import { needing } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

export const needingRedis = needing("redis-server", spawnSync("redis-server", ["--version"]).status === 0);

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Kills a process and waits for its end. */
export const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });

/** Keeps its data in memory alone. */
export class RedisServer {
  readonly port: number;
  private readonly folder = createTemporaryFolder("redis");
  private readonly options: readonly string[];
  private process: ChildProcess | null = null;

  private constructor(port: number, options: readonly string[]) {
    this.port = port;
    this.options = options;
  }

  static async start(options: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const words = ["--port", `${this.port}`, "--bind", "127.0.0.1", "--save", "", "--dir", this.folder];
    this.process = spawn("redis-server", [...words, "--maxmemory-policy", "noeviction", ...this.options], {
      stdio: "ignore",
    });
    await vi.waitFor(() => expect(this.call("ping")).toMatch(/^PONG|^NOAUTH/), { timeout: 60_000 });
  }

  /** One command of redis-cli. @returns its output */
  call(...words: readonly string[]): string {
    return spawnSync("redis-cli", ["-p", `${this.port}`, ...words]).stdout.toString();
  }

  signal(signal: NodeJS.Signals): void {
    this.process?.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.process !== null) await ended(this.process);
  }

  /** Without its data. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  remove(): void {
    this.signal("SIGKILL");
  }
}
