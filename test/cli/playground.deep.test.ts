import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Project } from "../../src/browser/project.ts";
import { writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { runVppsim } from "./runVppsim.ts";
import { ServeProcess } from "./serveProcess.ts";

const PROJECT = join(import.meta.dirname, "../..");

async function startPlayground(cwd: string, ...args: string[]) {
  const server = new ServeProcess([...args, "--port", "0"], cwd, undefined, ["playground"]);
  const line: object = await server.waitUntilReady();
  return { server, url: (line as { readonly playground_url: string }).playground_url };
}

function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) =>
    request(url, { headers: { host } }, (answer) => resolve(answer.resume().statusCode))
      .on("error", reject)
      .end(),
  );
}

describe("vppsim playground", () => {
  test("serves the page on this machine, and one scenario with the files that it names", async () => {
    const scenario = join(PROJECT, "scenarios/quickstart/scenario.yaml");
    const { server, url } = await startPlayground(createTemporaryFolder("playground"), scenario);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await (await fetch(url)).text()).toBe(readFileSync(join(PROJECT, "dist/playground/index.html"), "utf8"));
    const { entry, files } = (await (await fetch(`${url}project.json`)).json()) as Project;
    expect(files[entry]).toBe(readFileSync(scenario, "utf8"));
    expect(Object.keys(files).length).toBeGreaterThan(1);
    expect((await fetch(`${url}..%2fpackage.json`)).status).toBe(404);
    expect((await fetch(`${url}package.json`)).status).toBe(404);
    expect(await statusWithHost(url, "example.com")).toBe(421);
    expect(await statusWithHost(url, "localhost:8090")).toBe(200);
    expect(await server.stop()).toMatchObject({ status: 0, stdout: `{"playground_url":"${url}"}\n` });
  });

  test("serves a scenario with errors, and files beside its folder and of any encoding", async () => {
    const cwd = createTemporaryFolder("playground");
    const text = readFileSync(writeTinyScenario(cwd), "utf8")
      .replace("version:", "versions:")
      .replace("load.csv", "../data/load.csv");
    for (const folder of ["fleet", "data"]) mkdirSync(join(cwd, folder));
    writeFileSync(join(cwd, "fleet/scenario.yaml"), text);
    // The first letters of a header in CP932.
    const bytes = Buffer.from([0x93, 0xfa, 0x8e, 0x9e, 0x2c, 0x6b, 0x57, 0x0a]);
    writeFileSync(join(cwd, "data/load.csv"), bytes);
    const { server, url } = await startPlayground(cwd, "fleet");
    expect(await (await fetch(`${url}project.json`)).json()).toEqual({
      entry: "fleet/scenario.yaml",
      files: { "fleet/scenario.yaml": text, "data/load.csv": { base64: bytes.toString("base64") } },
    });
    await server.stop();
  });

  test("refuses a scenario that is missing, and a port that is in use", async () => {
    const cwd = createTemporaryFolder("playground");
    expect(runVppsim(["playground", "missing.yaml"], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("missing.yaml"),
    });
    const { server, url } = await startPlayground(cwd);
    expect(await (await fetch(`${url}project.json`)).json()).toBeNull();
    const { status, stderr } = runVppsim(["playground", "--port", new URL(url).port], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("is in use");
    await server.stop();
  });
});
