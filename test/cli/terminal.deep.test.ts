import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { needing } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { runVppsim, shellCommand } from "./runVppsim.ts";

const hasScript = spawnSync("script", ["--version"]).status === 0;
needing("script", hasScript).test("a pseudo-terminal gets colour, NO_COLOR does not", () => {
  const cwd = createTemporaryFolder("cli");
  expect(runVppsim(["init", "demo"], { cwd }).status).toBe(0);
  const inTerminal = (env: Readonly<Record<string, string>>): string => {
    const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env;
    const command = `${shellCommand()} run demo/scenario.yaml --out r --quiet`;
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

describe("colours of the other commands, and of errors", () => {
  const cwd = createTemporaryFolder("cli");
  const env = { FORCE_COLOR: "1" };
  runVppsim(["init", "demo"], { cwd });
  runVppsim(["run", "demo/scenario.yaml", "--out", "r", "--quiet"], { cwd });

  test.each<[string, string]>([
    ["validate demo/scenario.yaml", "\u001b[32m: valid, 3 sites"],
    ["explain r evening", "\u001b[1mEvents\u001b[22m"],
    ["baseline demo/scenario.yaml --site battery --out b", "\u001b[36mwritten: b"],
  ])("%s", (line, expected) => {
    expect(runVppsim(line.split(" "), { cwd, env }).stdout).toContain(expected);
    expect(runVppsim(line.split(" "), { cwd, env: { FORCE_COLOR: "0" } }).stdout).not.toContain("\u001b");
  });

  test("an error has its place in bold and its count in red", () => {
    writeFileSync(join(cwd, "bad.yaml"), "version: 1\nname: bad\nseed: x\n");
    const { stdout, stderr } = runVppsim(["run", "bad.yaml"], { cwd, env });
    expect(stdout).toBe("");
    expect(stderr).toContain("\u001b[1mbad.yaml:3:7:\u001b[22m");
    expect(stderr).toContain("\u001b[31m");
    expect(stderr.split("\u001b[31m")[1]).toMatch(/^\d+ errors?; nothing was run/);
    expect(runVppsim(["run", "bad.yaml", "--json"], { cwd, env }).stdout).not.toContain("\u001b");
  });
});

test("vppsim study --open opens the report of the study, and prints the running time", async () => {
  const cwd = createTemporaryFolder("cli");
  runVppsim(["init", "demo"], { cwd });
  writeFileSync(
    join(cwd, "study.yaml"),
    `version: 1
name: weights
scenario: demo/scenario.yaml
parameters: [{name: battery, path: weights.my-vpp.battery, values: [50, 100]}]
seeds: 1
objective: {minimise: shortfall_kwh}
`,
  );
  const opener = join(cwd, process.platform === "darwin" ? "open" : "xdg-open");
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > ${join(cwd, "opened")}\n`);
  chmodSync(opener, 0o755);
  const args = ["study", "study.yaml", "--workers", "1", "--out", "s", "--open"];
  const { status, stdout } = runVppsim(args, { cwd, env: { PATH: `${cwd}:${process.env.PATH}` } });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ {2}running time: \d+ (s|min)/m);
  const opened = join(cwd, "opened");
  for (let k = 0; k < 100 && !(existsSync(opened) && readFileSync(opened, "utf8") !== ""); k++) await pause(50);
  expect(readFileSync(opened, "utf8")).toBe(join(cwd, "s/report.html"));
});

describe("completion scripts", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the shell
  const bashLine = 'source ./script; COMP_WORDS=(vppsim compare --o); COMP_CWORD=2; _vppsim; echo "${COMPREPLY[@]}"';
  test.for<[string, string, string]>([
    ["bash", bashLine, "--out --open"],
    ["bash", bashLine.replace("compare --o", "drill s"), "serve"],
    ["zsh", "autoload -U compinit && compinit -u; source ./script; echo $_comps[vppsim]", "_vppsim"],
    ["fish", 'source ./script; complete -C "vppsim compare --o"', "--open"],
  ])("%s", ([shell, line, expected], { skip }) => {
    skip(spawnSync(shell, ["--version"]).status !== 0, `needs ${shell}`);
    const cwd = createTemporaryFolder("cli");
    const { status, stdout } = runVppsim(["completion", shell], { cwd });
    expect(status).toBe(0);
    writeFileSync(join(cwd, "script"), stdout);
    const found = spawnSync(shell, ["-c", line], { cwd, encoding: "utf8", env: { ...process.env, HOME: cwd } });
    expect(found.stdout).toContain(expected);
  });
});
