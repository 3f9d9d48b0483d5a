import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LoadOptions, loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { type RunScenarioOptions, runScenario } from "../../src/report/runScenario.ts";
import { certificateText } from "../../src/verify/certificateText.ts";
import { type Certificate, verifyReport } from "../../src/verify/verifyReport.ts";
import { VERSION } from "../../src/version.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart");

/** A copy of the quickstart with a report of it. */
async function reported(options: LoadOptions = {}, run: RunScenarioOptions = {}) {
  const folder = createTemporaryFolder("verify");
  cpSync(QUICKSTART, join(folder, "fleet"), { recursive: true });
  const scenario = join(folder, "fleet/scenario.yaml");
  const report = join(folder, "report");
  const { files } = await runScenario(loadScenario(scenario, options), { ...run, out: report });
  const verify = (): Promise<Certificate> => verifyReport(report, scenario, { out: join(folder, "again") });
  return { scenario, report, files, verify };
}

const changeText = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, "utf8")));

const differing = ({ files }: Certificate): string[] => files.filter(({ same }) => !same).map(({ file }) => file);

test("an honest report is verified, with a digest of every file and input", async () => {
  const { files, verify } = await reported();
  const certificate = await verify();
  expect(certificate).toMatchObject({
    verified: true,
    version: VERSION,
    reported_version: VERSION,
    engine: `node ${process.version}`,
    reported_engine: `node ${process.version}`,
    timezone: "Asia/Tokyo",
  });
  expect(certificate.files.map(({ file }) => file)).toEqual(files.filter((file) => file !== "run.json"));
  expect(certificate.inputs.map(({ file }) => file)).toContain("scenario.yaml");
  expect(certificateText(certificate)).toBe(
    `Verified: ${files.length - 1} files, from scenario ${certificate.scenario_hash.slice(0, 8)}…, by vppsim ${VERSION} on node ${process.version}.\n`,
  );
});

test.each<readonly [string, LoadOptions, RunScenarioOptions]>([
  ["seed and period", { seed: 5, toMs: Date.parse("2026-05-19T21:00:00Z") }, {}],
  ["formats", { formats: ["json", "xlsx"] }, {}],
  ["local times for a spreadsheet", { formats: ["csv"], times: "local", csv: "excel" }, {}],
  ["zone and language of the page", {}, { timezone: "Europe/Berlin", language: "ja" }],
  ["a patch", { patch: { "sites.*.components.*.rated_cap": "+20%" } }, {}],
  [
    "two patches of one path",
    { patch: [{ "sites.*.components.*.rated_cap": "*1.2" }, { "sites.*.components.*.rated_cap": "*1.2" }] },
    {},
  ],
])("a run with flags is verified by what run.json has of them: %s", async (_, options, run) => {
  const { verify } = await reported(options, run);
  const certificate = await verify();
  expect(differing(certificate)).toEqual([]);
  expect(certificate.verified).toBe(true);
});

test("a run without flags has no options", async () => {
  const { report } = await reported();
  expect(JSON.parse(readFileSync(join(report, "run.json"), "utf8"))).not.toHaveProperty("options");
});

test("a changed table is found against run.json, a missing one too", async () => {
  const { report, verify } = await reported();
  changeText(join(report, "awards.csv"), (text) => text.replace(/\d\n/, "9\n"));
  rmSync(join(report, "sites.csv"));
  const certificate = await verify();
  expect([certificate.verified, differing(certificate)]).toEqual([false, ["awards.csv", "sites.csv"]]);
  expect(certificate.files.find(({ file }) => file === "sites.csv")?.found).toBeNull();
  expect(certificateText(certificate)).toMatch(
    /^Differs: 2 of \d+ files, [\s\S]*\n {2}sites\.csv: missing, where sha256:/,
  );
});

test("a changed table with its digest is found by the new run", async () => {
  const { report, verify } = await reported();
  const file = join(report, "awards.csv");
  const digest = (): string => createHash("sha256").update(readFileSync(file)).digest("hex");
  const before = digest();
  changeText(file, (text) => `${text}x`);
  changeText(join(report, "run.json"), (text) => text.replace(before, digest()));
  const certificate = await verify();
  expect(certificate.files.find(({ same }) => !same)).toEqual({
    file: "awards.csv",
    reported: `sha256:${digest()}`,
    found: `sha256:${before}`,
    same: false,
  });
});

test("another input is named, with the files that it changes", async () => {
  const { scenario, verify } = await reported();
  changeText(scenario, (text) => text.replace(/^description: .*$/m, "description: another"));
  const certificate = await verify();
  expect(certificate.inputs).toContainEqual({ file: "scenario.yaml", same: false });
  expect(differing(certificate)).toEqual(["report.html", "summary.json"]);
  expect(certificateText(certificate)).toContain("  scenario.yaml: an input with another content than in the run\n");
});

test("a report of another version or engine says so", async () => {
  const { report, verify } = await reported();
  changeText(join(report, "run.json"), (text) =>
    text
      .replace(`"version": "${VERSION}"`, '"version": "0.0.9"')
      .replace(`"node": "${process.version}"`, '"node": "Firefox 153"'),
  );
  const certificate = await verify();
  expect(certificate).toMatchObject({ verified: true, reported_version: "0.0.9", reported_engine: "Firefox 153" });
  expect(certificateText(certificate)).toContain(`The report is of vppsim 0.0.9; this is ${VERSION}.\n`);
  expect(certificateText({ ...certificate, verified: false })).toContain(
    `The report is of Firefox 153: its rules of Asia/Tokyo may differ from those of node ${process.version}.\n`,
  );
});

test.each([
  ["no run.json", (report: string) => rmSync(join(report, "run.json")), "no run.json in it"],
  ["no JSON", (report: string) => writeFileSync(join(report, "run.json"), "x"), "text that is not JSON"],
  [
    "a study",
    (report: string) => writeFileSync(join(report, "run.json"), '{"version":"1","files":{}}'),
    "no run of a scenario",
  ],
])("what has no report of a run is refused: %s", async (_, damage, found) => {
  const { report, verify } = await reported({ formats: ["csv"] });
  damage(report);
  await expect(verify()).rejects.toThrow(found);
});
