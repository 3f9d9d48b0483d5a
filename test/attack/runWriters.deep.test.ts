// Two runs of the command line that write one report folder at the same time, of which one or both are killed.
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runVppsim, startVppsim } from "../cli/runVppsim.ts";
import { runs } from "../depth.ts";
import { writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { checkWhole } from "./wholeReport.ts";

const SEEDS = [1, 2, 3, 4];

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** The earlier report while it is moved aside: it is restored by the next start if both runs are killed between two renames. */
function interruptedReplacement(parent: string): string {
  const names = readdirSync(parent).filter((name) => name.startsWith(".report.replaced-"));
  return join(parent, names.find((name) => existsSync(join(parent, name, "run.json"))) ?? "no report is left");
}

test("two runs on one --out, one or both killed at any instant, leave a complete report of either or the earlier one", async () => {
  const cwd = createTemporaryFolder("cli");
  const scenario = writeTinyScenario(cwd);
  const parent = join(cwd, "out");
  const target = join(parent, "report");
  const argsOf = (seed: number, out: string) => ["run", scenario, "--seed", `${seed}`, "--out", out, "--quiet"];
  const digests = SEEDS.map((seed) => {
    const out = join(cwd, `seed-${seed}`);
    expect(runVppsim(argsOf(seed, out), { cwd }).status).toBe(0);
    return JSON.stringify(checkWhole(out).digests);
  });
  expect(new Set(digests).size).toBe(SEEDS.length);
  expect(runVppsim(argsOf(SEEDS[0], target), { cwd }).status).toBe(0);
  let former = digests[0];
  const killed = { one: 0, both: 0, staged: 0 };
  for (let round = 0; round < runs(20); round++) {
    const pair = [round, round + 1 + (round % 3)].map((k) => k % SEEDS.length);
    const started = pair.map((k) => startVppsim(argsOf(SEEDS[k], target), cwd));
    children.push(...started);
    const ends = started.map((child) => new Promise<number | null>((resolve) => child.on("close", resolve)));
    let isOver = false;
    void Promise.all(ends).then(() => (isOver = true));
    // Killed while a report is staged, or at any instant before.
    if (round % 2 === 0)
      while (!isOver && readdirSync(parent).length < 2) await new Promise((resolve) => setImmediate(resolve));
    if (readdirSync(parent).length > 1) killed.staged++;
    await new Promise((resolve) => setTimeout(resolve, round % 2 === 0 ? (7 * round) % 20 : (137 * round) % 1_000));
    const victims = round % 5 === 4 ? started : [started[round % 3 === 0 ? 1 : 0]];
    for (const child of victims) child.kill("SIGKILL");
    killed[victims.length === 2 ? "both" : "one"]++;
    const statuses = await Promise.all(ends);
    children.length = 0;
    if (victims.length === 1) expect(existsSync(target)).toBe(true);
    const found = JSON.stringify(checkWhole(existsSync(target) ? target : interruptedReplacement(parent)).digests);
    expect([former, ...pair.map((k) => digests[k])]).toContain(found);
    // One that was not killed has written its report, or the other one's is later.
    for (const [k, child] of started.entries()) if (!victims.includes(child)) expect(statuses[k]).toBe(0);
    if (victims.length === 1) expect(pair.map((k) => digests[k])).toContain(found);
    former = found;
  }
  expect(Math.min(...Object.values(killed))).toBeGreaterThan(0);
  expect(runVppsim(argsOf(SEEDS[0], target), { cwd }).status).toBe(0);
  expect(readdirSync(parent)).toEqual(["report"]);
});
