import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isColoured } from "../../src/cli/colourText.ts";
import { remainingText } from "../../src/cli/openProgress.ts";
import { createFolder, runVppsim, SHELL_COMMAND } from "./runVppsim.ts";

test.each<[boolean, Readonly<Record<string, string>>, boolean]>([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [false, { FORCE_COLOR: "1" }, true],
  [true, { FORCE_COLOR: "0" }, false],
  [true, { TERM: "dumb" }, false],
])("terminal %s with %o has colour: %s", (isTerminal, env, expected) => {
  expect(isColoured(isTerminal, env)).toBe(expected);
});

test("the remaining time is printed for people, and only when it can be known", () => {
  expect(remainingText(0, 5_000)).toBe("");
  expect(remainingText(0.5, 1_000)).toBe("");
  expect(remainingText(0.25, 30_000)).toBe(" · 1 min 30 s left");
});

const hasScript = spawnSync("script", ["--version"]).status === 0;
test.skipIf(!hasScript)("a pseudo-terminal gets colour, NO_COLOR does not", () => {
  const cwd = createFolder();
  expect(runVppsim(["init", "demo"], { cwd }).status).toBe(0);
  const inTerminal = (env: Readonly<Record<string, string>>): string => {
    const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env;
    const command = `${SHELL_COMMAND} run demo/scenario.yaml --out r --quiet`;
    return spawnSync("script", ["-qec", command, "/dev/null"], {
      cwd,
      encoding: "utf8",
      env: { ...inherited, TERM: "xterm", ...env },
    }).stdout;
  };
  expect(inTerminal({})).toContain("\u001b[1mmy-vpp: ");
  expect(inTerminal({ CI: "true" })).toContain("\u001b[1mmy-vpp: ");
  expect(inTerminal({ NO_COLOR: "1" })).not.toContain("\u001b[");
});

test("every command has examples in its help", () => {
  const { stdout } = runVppsim(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name]) => name).filter((name) => name !== "help");
  expect(names.length).toBeGreaterThan(9);
  for (const name of names) expect(runVppsim([name, "--help"]).stdout, name).toMatch(/Examples:\n {2}\S*.*vppsim/);
});

describe("completion scripts", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the shell
  const bashLine = 'source ./script; COMP_WORDS=(vppsim compare --o); COMP_CWORD=2; _vppsim; echo "${COMPREPLY[@]}"';
  test.each<[string, string, string]>([
    ["bash", bashLine, "--out --open"],
    ["zsh", "autoload -U compinit && compinit -u; source ./script; echo $_comps[vppsim]", "_vppsim"],
    ["fish", 'source ./script; complete -C "vppsim compare --o"', "--open"],
  ])("%s", (shell, line, expected) => {
    const isAbsent = spawnSync(shell, ["--version"]).status !== 0;
    if (isAbsent) return void console.log(`${shell} is not installed: skipped`);
    const cwd = createFolder();
    const { status, stdout } = runVppsim(["completion", shell], { cwd });
    expect(status).toBe(0);
    writeFileSync(join(cwd, "script"), stdout);
    const found = spawnSync(shell, ["-c", line], { cwd, encoding: "utf8", env: { ...process.env, HOME: cwd } });
    expect(found.stdout).toContain(expected);
  });
});
