import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT, SHELL_COMMAND } from "./runVppsim.ts";

const README = readFileSync(join(PROJECT, "README.md"), "utf8");

/** The lines that a newcomer pastes. */
function sandboxLines(): string {
  const section = README.slice(README.indexOf("## A sandbox in one minute"));
  const [, lines] = /```sh\n(.*?)```/s.exec(section) ?? [];
  return lines;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const hasCurl = spawnSync("curl", ["--version"]).status === 0 && spawnSync("bash", ["--version"]).status === 0;

test.skipIf(!hasCurl)("the sandbox in one minute answers what README.md says it does", async () => {
  const [port, authPort] = [await freePort(), await freePort()];
  const script = sandboxLines()
    .replaceAll("localhost:8080", `localhost:${port}`)
    .replaceAll("localhost:8081", `localhost:${authPort}`)
    .replace("npx vppsim serve", `${SHELL_COMMAND} serve --port ${port} --auth-port ${authPort}`);
  const { status, stdout } = spawnSync("bash", ["-c", `trap 'kill %1' EXIT\n${script}\ntrap - EXIT; wait`], {
    cwd: PROJECT,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  const answers = [...script.matchAll(/# (,?-[\d.]+[-\d.,]*)/g)].map(([, answer]) => answer);
  expect(answers).toHaveLength(3);
  expect(stdout.split("\n").filter((line) => /^,?-/.test(line))).toEqual(answers);
  expect(stdout).toContain('"message":"Power control accepted."');
  expect(stdout).toContain('"kind":"outage","site":"battery-large"');
});
