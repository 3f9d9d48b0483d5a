import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packZip } from "../../src/browser/zip.ts";
import { copyScenario, runVppsim } from "./runVppsim.ts";

const zipOf = (parts: readonly (readonly [string, Uint8Array])[]): Uint8Array => packZip(Object.fromEntries(parts));

test("verify takes a folder or a zip, and its exit status says whether all is the same", () => {
  const cwd = copyScenario("quickstart");
  const vppsim = (...words: string[]) => runVppsim(words, { cwd });
  expect(vppsim("run", "quickstart", "--seed", "5", "--out", "report", "--quiet").status).toBe(0);

  const verified = vppsim("verify", "report", "--scenario", "quickstart/scenario.yaml");
  expect(verified).toMatchObject({ status: 0, stderr: "" });
  expect(verified.stdout).toMatch(/^Verified: \d+ files, from scenario [0-9a-f]{8}…, by vppsim \S+ on node v\d/);

  const contents = (folder: string, prefix: string) =>
    readdirSync(join(cwd, folder)).map((name) => [prefix + name, readFileSync(join(cwd, folder, name))] as const);
  const parts = [...contents("report", ""), ...contents("quickstart", "project/fleet/")];
  writeFileSync(join(cwd, "report.zip"), zipOf(parts));
  const zipped = vppsim("verify", "report.zip", "--json");
  expect(zipped.status).toBe(0);
  expect(JSON.parse(zipped.stdout)).toMatchObject({ verified: true, inputs: expect.any(Array) });

  writeFileSync(
    join(cwd, "forged.zip"),
    zipOf(parts.map(([path, bytes]) => [path, path === "sites.csv" ? Buffer.from("site\n") : bytes])),
  );
  const forged = vppsim("verify", "forged.zip");
  expect(forged.status).toBe(1);
  expect(forged.stdout).toMatch(/^Differs: 1 of \d+ files, [\s\S]*\n {2}sites\.csv: sha256:/);

  expect(vppsim("verify", "report")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--scenario <file>, the scenario of the report"),
  });
  expect(vppsim("verify", "quickstart").stderr).toContain("no run.json in it");
  writeFileSync(join(cwd, "escape.zip"), zipOf([["../run.json", Buffer.from("{}")]]));
  expect(vppsim("verify", "escape.zip").stderr).toContain('the entry "../run.json"');
  writeFileSync(join(cwd, "cut.zip"), readFileSync(join(cwd, "report.zip")).subarray(0, 1000));
  expect(vppsim("verify", "cut.zip").stderr).toContain("a damaged zip");
  expect(vppsim("verify", "quickstart/scenario.yaml").stderr).toContain("a file that is no zip");
});
