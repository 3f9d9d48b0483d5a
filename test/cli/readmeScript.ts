// The sandbox section of README.md as a script that runs here.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { needing } from "../needing.ts";
import { PROJECT, shellCommand } from "./runVppsim.ts";

export const README = readFileSync(join(PROJECT, "README.md"), "utf8");

/** The lines that a newcomer pastes, and the lines of numbers that they print. */
export function sandboxLines(): { readonly lines: string; readonly answers: readonly string[] } {
  const section = README.slice(README.indexOf("The same by curl."));
  const [, lines, printed] = /```sh\n(.*?)```.*?```\n(.*?)```/s.exec(section) ?? [];
  return { lines, answers: printed.trim().split("\n") };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
export const needingCurl = needing("curl and bash", isThere("curl") && isThere("bash"));

export function scriptAt(port: number, authPort: number): string {
  return sandboxLines()
    .lines.replaceAll("localhost:8080", `localhost:${port}`)
    .replaceAll("localhost:8081", `localhost:${authPort}`)
    .replace("node $DIR/dist/cli/main.js serve", `${shellCommand()} serve --port ${port} --auth-port ${authPort}`)
    .replaceAll("node_modules/vppsim", ".");
}

export const runScript = (script: string) => spawnSync("bash", ["-c", script], { cwd: PROJECT, encoding: "utf8" });
