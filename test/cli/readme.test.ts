import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { freePort, needingCurl, README, runScript, sandboxLines, scriptAt } from "./readmeScript.ts";
import { shellCommand } from "./runVppsim.ts";

needingCurl.test("the sandbox in one minute answers what README.md says it does", async () => {
  const { answers } = sandboxLines();
  const { status, stdout } = runScript(scriptAt(await freePort(), await freePort()));
  expect(status).toBe(0);
  expect(answers).toHaveLength(3);
  expect(stdout.split("\n").filter((line) => /^,?-/.test(line))).toEqual(answers);
  expect(stdout).toContain('"message":"Power control accepted."');
  expect(stdout).toContain('"kind":"outage","site":"battery-large"');
});

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
