// docs/twin.md in an empty folder: the plant is served, then each command runs and prints what the page says.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shellCommand } from "../cli/runVppsim.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { fencedBlocks, freePort, missingLines, needingCurl, readDocument, runLines } from "./documents.ts";

/** Eight processes one after the other. */
const HANGS_MS = 300_000;

needingCurl.describe("from a VPP in operation to a what-if", () => {
  test("docs/twin.md: each command does what the page says", { timeout: HANGS_MS }, async () => {
    const cwd = createTemporaryFolder("twin-guide");
    const [port, authPort] = [await freePort(), await freePort()];
    const here = (text: string): string => text.replaceAll(":8080", `:${port}`).replaceAll(":8081", `:${authPort}`);
    const blocks = fencedBlocks(readDocument("docs/twin.md"));
    const [init, serve] = blocks[0].text.trim().split("\n");
    expect(runLines(init, cwd).status).toBe(0);
    const ports = `--port ${port} --auth-port ${authPort}`;
    const command = serve.replace("vppsim serve", `exec ${shellCommand()} serve ${ports}`);
    const server = spawn("bash", ["-c", command], { cwd, stdio: ["ignore", "pipe", "ignore"] });
    try {
      for await (const text of server.stdout) if (String(text).includes('"ready":true')) break;
      const commands = blocks.slice(1);
      commands.forEach(({ language, text }, k) => {
        if (language !== "sh") return;
        const { status, stdout, stderr } = runLines(here(text), cwd);
        expect(status, `${text}${stderr}`).toBe(0);
        const next = commands[k + 1];
        if (next?.language === "") expect(missingLines(stdout, next.text), `${text}${stdout}`).toEqual([]);
      });
    } finally {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    const patch = readFileSync(join(cwd, "calibration/calibration.patch.yaml"), "utf8");
    const ofSmall = (key: string) => Number(new RegExp(`ems-e19810e6.*${key}": ([\\d.]+)`).exec(patch)?.[1]);
    expect(ofSmall("charge_efficiency")).toBeCloseTo(0.92, 2);
    expect(Math.abs(ofSmall("response_delay_s") - 10)).toBeLessThan(0.6);
    const check = JSON.parse(readFileSync(join(cwd, "check/check.json"), "utf8"));
    expect(check.awards.count).toBe(2);
    expect(check.answers.weights.good_enough).toBe(true);
  });
});
