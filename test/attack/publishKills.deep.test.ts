// Kills at each step of a replacement, by a module that Node loads before the command line.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { foreignNames, ReportFolder } from "../../src/platform/node/reportFolder.ts";
import { copyScenario, runVppsim } from "../cli/runVppsim.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

/** Ends the process, as a crash does, before or after the nth rename, or the nth removal of a folder. */
const KILLER = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const [name, nth, when] = process.env.KILL_AT.split(" ");
  const original = fs[name];
  let calls = 0;
  const kill = () => process.kill(process.pid, "SIGKILL");
  fs[name] = (...args) => {
    calls++;
    if (calls === Number(nth) && when === "before") kill();
    const result = original(...args);
    if (calls === Number(nth) && when === "after") kill();
    return result;
  };
  syncBuiltinESMExports();
`;

const CASES = [
  ["renameSync", 1, "before"],
  ["renameSync", 1, "after"],
  ["renameSync", 2, "before"],
  ["renameSync", 2, "after"],
  ["rmSync", 1, "before"],
  ["rmSync", 1, "after"],
] as const;

const digestsIn = (folder: string): object => JSON.parse(readFileSync(join(folder, "run.json"), "utf8")).files;

test.each(CASES)(
  "killed at %s %i, %s: the old or the new report is complete, and the next start removes the rest",
  (...at) => {
    const cwd = copyScenario("quickstart");
    const killer = join(createTemporaryFolder("killer"), "killer.mjs");
    writeFileSync(killer, KILLER);
    const parent = join(cwd, "reports");
    mkdirSync(parent);
    const run = (seed: number, env = {}) =>
      runVppsim(["run", "quickstart/scenario.yaml", "--seed", `${seed}`, "--out", "reports/out", "--quiet"], {
        cwd,
        env,
      });
    const target = join(parent, "out");
    expect(run(2).status).toBe(0);
    const next = digestsIn(target);
    expect(run(1).status).toBe(0);
    const old = digestsIn(target);
    expect(next).not.toEqual(old);
    const killed = run(2, { NODE_OPTIONS: `--import=${killer}`, KILL_AT: at.join(" ") });
    expect(killed).toMatchObject({ status: null, stderr: "" });
    new ReportFolder(target, { inputs: [] }).discard();
    expect(foreignNames(target)).toEqual([]);
    expect([old, next]).toContainEqual(digestsIn(target));
    expect(readdirSync(parent)).toEqual(["out"]);
    expect(run(1).status).toBe(0);
    expect(digestsIn(target)).toEqual(old);
  },
);
