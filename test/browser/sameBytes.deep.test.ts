import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { BROWSER_BUNDLE, BROWSERS, PageHost } from "./browserHost.ts";

const PROJECT = join(import.meta.dirname, "../..");

/** Scenarios that are shipped with their data. */
const SCENARIOS = readdirSync(join(PROJECT, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".yaml") && !path.startsWith("fleet-"))
  .filter((path) => /^sites:/m.test(readFileSync(join(PROJECT, "scenarios", path), "utf8")))
  .map((path) => join("scenarios", path))
  .sort();

/** Twenty-odd runs in a browser, beside other tests. */
const HANGS_MS = 900_000;

type Digests = Readonly<Record<string, string>>;

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** What Node writes, without run.json, and the files that it read, as base64 by path. */
async function expected(entry: string): Promise<{ readonly digests: Digests; readonly files: Digests }> {
  const scenario = loadScenario(join(PROJECT, entry));
  const out = join(createTemporaryFolder("run"), "report");
  const { files } = await runScenario(scenario, { out });
  const written = files.filter((file) => file !== "run.json");
  return {
    digests: Object.fromEntries(written.map((file) => [file, digestOf(readFileSync(join(out, file)))])),
    files: Object.fromEntries(
      [...scenario.inputFiles.keys()]
        .filter((path) => relative(dirname(join(PROJECT, "data/markets")), path).startsWith("markets") === false)
        .map((path) => [relative(PROJECT, path), readFileSync(path).toString("base64")]),
    ),
  };
}

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
import { runProject } from "./browser/index.js";
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const answers = {};
try {
  for (const [entry, files] of Object.entries(await (await fetch("./projects.json")).json())) {
    const bytes = Object.entries(files).map(([path, text]) => [path, Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]);
    try {
      const run = await runProject({ entry, files: Object.fromEntries(bytes) });
      const digests = [];
      for (const [name, content] of Object.entries(run.files))
        if (name !== "run.json") digests.push([name, hex(await crypto.subtle.digest("SHA-256", content))]);
      answers[entry] = Object.fromEntries(digests);
    } catch (error) {
      answers[entry] = { error: String(error) };
    }
  }
} catch (error) {
  answers.error = String(error);
}
await fetch("./answer", { method: "POST", body: JSON.stringify(answers) });
</script>`;

describe("a run in a browser", () => {
  const wanted: Record<string, Digests> = {};
  let host: PageHost;

  beforeAll(async () => {
    const projects: Record<string, Digests> = {};
    for (const entry of SCENARIOS) {
      const { digests, files } = await expected(entry);
      wanted[entry] = digests;
      projects[entry] = files;
    }
    host = new PageHost(
      { browser: BROWSER_BUNDLE },
      { page: PAGE, "page.html": PAGE, "projects.json": JSON.stringify(projects) },
    );
    await host.listen();
  }, HANGS_MS);
  afterAll(() => host.close());

  for (const [name, executable, needed] of BROWSERS)
    needed.test(
      `writes the bytes of the command, in ${name}`,
      async () => {
        expect(SCENARIOS.length).toBeGreaterThan(20);
        expect(await host.ask(executable, "page.html")).toEqual(wanted);
      },
      HANGS_MS,
    );
});
