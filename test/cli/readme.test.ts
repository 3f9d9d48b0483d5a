import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { PROJECT, shellCommand } from "./runVppsim.ts";

const README = readFileSync(join(PROJECT, "README.md"), "utf8");

/** The lines that a newcomer pastes, and the lines of numbers that they print. */
function sandboxLines(): { readonly lines: string; readonly answers: readonly string[] } {
  const section = README.slice(README.indexOf("The same by curl."));
  const [, lines, printed] = /```sh\n(.*?)```.*?```\n(.*?)```/s.exec(section) ?? [];
  return { lines, answers: printed.trim().split("\n") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const hasCurl = spawnSync("curl", ["--version"]).status === 0 && spawnSync("bash", ["--version"]).status === 0;

function scriptAt(port: number, authPort: number): string {
  return sandboxLines()
    .lines.replaceAll("localhost:8080", `localhost:${port}`)
    .replaceAll("localhost:8081", `localhost:${authPort}`)
    .replace("node $DIR/dist/cli/main.js serve", `${shellCommand()} serve --port ${port} --auth-port ${authPort}`)
    .replaceAll("node_modules/vppsim", ".");
}

const runScript = (script: string) => spawnSync("bash", ["-c", script], { cwd: PROJECT, encoding: "utf8" });

test.skipIf(!hasCurl)("the sandbox in one minute answers what README.md says it does", async () => {
  const { answers } = sandboxLines();
  const { status, stdout } = runScript(scriptAt(await freePort(), await freePort()));
  expect(status).toBe(0);
  expect(answers).toHaveLength(3);
  expect(stdout.split("\n").filter((line) => /^,?-/.test(line))).toEqual(answers);
  expect(stdout).toContain('"message":"Power control accepted."');
  expect(stdout).toContain('"kind":"outage","site":"battery-large"');
});

test.skipIf(!hasCurl)("the sandbox in one minute ends with a message if a port is in use", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  const { status, stdout } = runScript(scriptAt(port, await freePort()));
  await new Promise((resolve) => taken.close(resolve));
  expect(status).toBe(1);
  expect(stdout).toContain(`127.0.0.1:${port}, which is in use`);
  expect(stdout).not.toContain("Power control accepted");
});

/** Typed into an interactive shell, which reads line by line, prints a prompt and has job control. */
const typeInto = (shell: string, script: string) =>
  spawnSync("script", ["-qec", `${shell} -i`, "/dev/null"], {
    cwd: PROJECT,
    encoding: "utf8",
    // The end of the input ends the shell.
    input: `${script}\nexit\n`,
    env: {
      ...process.env,
      HOME: createTemporaryFolder("cli"),
      ZDOTDIR: createTemporaryFolder("cli"),
      TERM: "dumb",
      PS1: "",
    },
    timeout: 90_000,
  });

const hasScript = spawnSync("script", ["--version"]).status === 0;
test.skipIf(!hasCurl || !hasScript).each(["bash --norc", "zsh -f"])(
  "the sandbox in one minute can be pasted into an interactive %s",
  async (shell) => {
    if (spawnSync(shell.split(" ")[0], ["--version"]).status !== 0)
      return void console.log(`${shell} is not installed: skipped`);
    const { answers } = sandboxLines();
    const { stdout } = typeInto(shell, scriptAt(await freePort(), await freePort()));
    const lines = stdout.split(/\r?\n/);
    for (const answer of answers) expect(lines).toContain(answer);
    expect(stdout).toContain('"message":"Power control accepted."');
    expect(stdout).not.toMatch(/command not found|no matches found|parse error|syntax error|bad pattern/);
  },
  120_000,
);

test("the comparison of two reports prints what README.md says", () => {
  const section = README.slice(README.indexOf("## Your own scenario"));
  const [, commands, printed] = /```sh\n(.*?)```.*?```\n(.*?)```/s.exec(section) ?? [];
  const cwd = createTemporaryFolder("cli");
  const script = commands
    .replace(/^.*validate.*\n/m, "")
    .replaceAll(" --open", "")
    .replaceAll("npx vppsim", shellCommand());
  const { status, stdout } = spawnSync("bash", ["-ec", script], { cwd, encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout).toContain(printed);
});

test("the sandbox in one minute has nothing that an interactive zsh refuses", () => {
  const { lines } = sandboxLines();
  const unquoted = lines.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, "").replaceAll(/\[ -[fs] \S+ \]/g, "");
  // No comments, no patterns outside quotes, no job numbers.
  expect(unquoted).not.toMatch(/(^|\s)#/m);
  expect(unquoted).not.toMatch(/[?*[\]]|%\d/);
});
