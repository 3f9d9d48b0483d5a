// Real browsers at a static server, whose page does a job and posts its answer.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { CHROMIUM, FIREFOX, needingChromium, needingFirefox } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

/** Folder of `vppsim/browser`, which `buildFirst.ts` builds. */
export const BROWSER_BUNDLE = join(import.meta.dirname, "../../dist/browser");

export const BROWSERS = [
  ["Chromium", CHROMIUM, needingChromium],
  ["Firefox", FIREFOX, needingFirefox],
] as const;

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".html": "text/html",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

/**
 * Serves folders by the first part of a path, and a page that runs a module script.
 *
 * @param files  further contents by path
 */
export class PageHost {
  private readonly server: Server;
  private receive: (answer: Buffer) => void = () => {};
  private fail: (error: unknown) => void = () => {};

  constructor(folders: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>) {
    const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
      const [, folder, ...rest] = (request.url ?? "").split("/");
      if (request.method === "POST") {
        this.receive(await bodyOf(request));
        reply.end();
        return;
      }
      const path = `${folder}/${rest.join("/")}`.replace(/\/$/, "");
      const content = files[path] ?? (folder in folders ? readFileSync(join(folders[folder], ...rest)) : null);
      if (content === null) reply.writeHead(404).end();
      else reply.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(content);
    };
    // A page would wait for ever for what cannot be read.
    this.server = createServer((request, reply) => void answer(request, reply).catch((error) => this.fail(error)));
  }

  async listen(): Promise<void> {
    await new Promise<void>((ready) => this.server.listen(0, "127.0.0.1", ready));
  }

  /** Opens a page in a browser and waits for the JSON that it posts. */
  async ask(executable: string, page: string): Promise<unknown> {
    return JSON.parse((await this.askBytes(executable, page)).toString());
  }

  /** The same for bytes. */
  async askBytes(executable: string, page: string): Promise<Buffer> {
    const answered = new Promise<Buffer>((resolve, reject) => {
      this.receive = resolve;
      this.fail = reject;
    });
    const { port } = this.server.address() as AddressInfo;
    const browser = startBrowser(executable, `http://127.0.0.1:${port}/${page}`);
    try {
      const failed = new Promise<never>((_, reject) =>
        browser.on("exit", (code) => reject(new Error(`${executable} ended with ${code}`))),
      );
      return await Promise.race([answered, failed]);
    } finally {
      browser.removeAllListeners("exit");
      // Its processes write to its profile, which is removed after the test.
      if (browser.pid !== undefined) process.kill(-browser.pid, "SIGKILL");
    }
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

function startBrowser(executable: string, url: string): ChildProcess {
  const profile = createTemporaryFolder("profile");
  const words = executable.includes("firefox")
    ? ["--headless", "--no-remote", "--profile", profile, url]
    : ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`, url];
  return spawn(executable, words, { stdio: "ignore", detached: true });
}
