import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseServeSettings, type ServeFlags } from "../../src/cli/serveFlags.ts";
import { START_MS, tinyServedScenario, writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { runVppsim } from "./runVppsim.ts";
import { type ReadyLine, requestJson, ServeProcess, signIn, startServer } from "./serveProcess.ts";

function tinyFolder(): { readonly cwd: string; readonly file: string } {
  const cwd = createTemporaryFolder("serve");
  return { cwd, file: writeTinyScenario(cwd) };
}

const clockOf = async ({ at }: { readonly at: ReadyLine }) =>
  JSON.parse((await requestJson("GET", `${at.base_url}/sandbox/clock`)).text);

/** Content of every file of a report but run.json, which holds the timings. */
function reportBytes(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name !== "run.json");
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

describe("vppsim serve", () => {
  test("prints its addresses in one line, and writes at its end the report of its export", async () => {
    const { cwd, file } = tinyFolder();
    const server = await startServer(cwd, file, "--paused", "--report", "report");
    const { base_url, auth_url } = server.at;
    expect(server.at).toEqual({
      ready: true,
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      auth_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dashboard_url: `${server.at.base_url}/`,
      now: "2026-04-01T00:00:00Z",
      mode: "paused",
    });
    expect(auth_url).not.toBe(base_url);
    const { vppId, headers } = await signIn(server.at);
    expect((await requestJson("GET", `${base_url}/v1/vpp/${vppId}/status`, undefined, headers)).status).toBe(200);
    await requestJson("POST", `${base_url}/sandbox/faults`, { kind: "outage", site: "battery-1", duration: "PT30M" });
    await requestJson("POST", `${base_url}/sandbox/clock/advance`, { by: "PT2H" });
    const { text } = await requestJson("POST", `${base_url}/sandbox/export`, {});
    expect(await server.stop()).toMatchObject({ status: 0, stdout: `${JSON.stringify(server.at)}\n` });
    writeFileSync(join(cwd, "export.yaml"), text);
    expect(runVppsim(["run", "export.yaml", "--out", "rerun", "--quiet"], { cwd }).status).toBe(0);
    expect(reportBytes(join(cwd, "report"))).toEqual(reportBytes(join(cwd, "rerun")));
    expect(readdirSync(join(cwd, ".vppsim"))).toEqual(["tiny.journal"]);
  });

  test("opens with a history, and runs at its speed", async () => {
    const { cwd, file } = tinyFolder();
    const openAt = ["--open-at", "2026-04-01T03:00:00Z", "--no-journal"];
    const paused = await startServer(cwd, file, "--paused", ...openAt);
    expect(paused.at).toMatchObject({ now: "2026-04-01T03:00:00Z", mode: "paused" });
    expect((await paused.stop("SIGINT")).status).toBe(0);
    // The clock runs while the line is printed: a simulated second is 2 ms.
    const server = await startServer(cwd, file, "--speed", "600", ...openAt);
    expect(server.at).toMatchObject({ now: expect.stringMatching(/^2026-04-01T03:00:/), mode: "running" });
    expect(await clockOf(server)).toMatchObject({ speed: 600 });
    await expect.poll(async () => (await clockOf(server)).now).not.toMatch(/T03:0[01]/);
    expect((await server.stop("SIGINT")).status).toBe(0);
    expect(existsSync(join(cwd, ".vppsim"))).toBe(false);
  });

  test("answers what was requested before it ends", async () => {
    const { cwd, file } = tinyFolder();
    const server = await startServer(cwd, file, "--paused", "--no-journal");
    const advanced = requestJson("POST", `${server.at.base_url}/sandbox/clock/advance`, { to: "2026-04-01T06:00:00Z" });
    await expect.poll(async () => (await clockOf(server)).now).not.toBe("2026-04-01T00:00:00Z");
    const ended = server.stop();
    expect(JSON.parse((await advanced).text).now).toBe("2026-04-01T06:00:00Z");
    expect((await ended).status).toBe(0);
  });

  test("ends with status 1 when its disk is full, and keeps every answered command", async () => {
    const { cwd, file } = tinyFolder();
    const args = [file, "--paused", "--journal", "a.journal", "--port", "0", "--auth-port", "0"];
    const full = new ServeProcess(args, cwd, 64);
    const { base_url } = await full.waitUntilReady();
    const fault = { kind: "warning", site: "battery-1", duration: "PT1H" };
    let answered = 0;
    for (;;) {
      const { status } = await requestJson("POST", `${base_url}/sandbox/faults`, fault).catch(() => ({ status: 0 }));
      if (status !== 200) break;
      answered++;
    }
    const { status, stderr } = await full.exited;
    expect(status).toBe(1);
    const said = stderr.split("\n").filter((line) => line.startsWith("vppsim: journal "));
    expect(said).toEqual([
      expect.stringMatching(
        /a\.journal cannot be written: EFBIG: .*; free space on the disk and start the server again/,
      ),
    ]);
    expect(answered).toBeGreaterThan(50);
    const again = await startServer(cwd, file, "--paused", "--journal", "a.journal");
    const { faults } = JSON.parse((await requestJson("GET", `${again.at.base_url}/sandbox/faults`)).text);
    // The one that was refused may be there too: no answer said that it is not.
    expect(faults.length).toBeGreaterThanOrEqual(answered);
    expect(faults.length).toBeLessThanOrEqual(answered + 1);
    await again.stop();
  });

  test("gives the same tokens at every start, others with a secret", async () => {
    const { cwd, file } = tinyFolder();
    const tokens: string[] = [];
    for (const flags of [[], [], ["--token-secret", "s"]]) {
      const server = await startServer(cwd, file, "--paused", "--no-journal", ...flags);
      tokens.push((await requestJson("GET", `${server.at.base_url}/sandbox/credentials`)).text);
      await server.stop();
    }
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });

  test("refuses a report folder with the journal in it, before the journal is made", async () => {
    const { cwd, file } = tinyFolder();
    const flags = ["--port", "0", "--auth-port", "0", "--journal", "q/a.journal", "--report", "q"];
    const { status, stdout, stderr } = await new ServeProcess([file, ...flags], cwd).exited;
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("a folder that contains the input a.journal");
    expect(existsSync(join(cwd, "q", "a.journal"))).toBe(false);
  });

  test("refuses a port in use, with status 2", async () => {
    const { cwd, file } = tinyFolder();
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const port = String((taken.address() as AddressInfo).port);
    for (const [place, ...flags] of [
      ["--port", "--port", port, "--auth-port", "0"],
      ["--auth-port", "--port", "0", "--auth-port", port],
      ["--site-ports (site battery-1)", "--port", "0", "--auth-port", "0", "--site-ports", port],
    ]) {
      const { status, stdout, stderr } = await new ServeProcess([file, ...flags], cwd).exited;
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      const found = `found 127.0.0.1:${port}, which is in use, allowed a free port of this machine`;
      expect(stderr).toContain(`${place}: ${found}`);
    }
    taken.close();
  });

  test.each([
    [["--speed", "2", "--paused"], "cannot be used with option"],
    [["--port", "70000"], "allowed: a port from 0 to 65535"],
    [["--host", "0.0.0.0"], "--sandbox-token: found none, with --host 0.0.0.0"],
    [["--journal", "scenario.yaml/a.journal"], "name a file that can be read and written"],
  ] as const)("refuses %j with status 2", async (flags, complaint) => {
    const { cwd, file } = tinyFolder();
    const { status, stdout, stderr } = await new ServeProcess([file, ...flags], cwd).exited;
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(complaint);
  });
});

/** 32 hexadecimal digits. */
const STRONG = "f81d4fae7dec11d0a76500a0c91e6bf6";

describe("the flags of serve", () => {
  const { scenario } = tinyServedScenario();
  const plain: ServeFlags = { host: "127.0.0.1", port: 0, authPort: 0, rateLimits: "on" };

  test.each([
    [{ speed: "0" }, ['--speed: found "0", allowed 0.1 to 100000, or max']],
    [{ speed: "" }, ['--speed: found "", allowed 0.1 to 100000, or max']],
    [
      { openAt: "2026-04-01T07:00:00Z" },
      ["--open-at: found 2026-04-01T07:00:00Z, allowed an instant from 2026-04-01T00:00:00Z to 2026-04-01T06:00:00Z"],
    ],
    [
      { openAt: "noon", speed: "fast" },
      [
        '--speed: found "fast", allowed 0.1 to 100000, or max',
        '--open-at: found "noon", allowed an ISO 8601 time with Z or an offset, such as 2026-04-01T00:00:00Z',
      ],
    ],
    [
      { host: "::", tokenSecret: "", sandboxToken: STRONG },
      ["--token-secret: found an empty text, allowed a text of printable ASCII characters in one line"],
    ],
  ])("%j are wrong", (flags, complaints) => {
    expect(() => parseServeSettings({ ...plain, ...flags }, scenario)).toThrow(
      expect.objectContaining({ message: complaints.join("\n") }),
    );
  });

  test.each([
    [{}, { speed: 1, openAtMs: null, journal: { file: ".vppsim/tiny.journal", resumesEnded: false } }],
    [{ journal: "a.journal" }, { journal: { file: "a.journal", resumesEnded: true } }],
    [{ journal: false as const }, { journal: { file: null, resumesEnded: false } }],
    [
      { speed: "max", openAt: "2026-04-01T09:00:00+09:00" },
      { speed: "max", openAtMs: START_MS },
    ],
    [{ speed: "0.1", host: "localhost" }, { speed: 0.1 }],
    [
      { host: "0.0.0.0", sandboxToken: STRONG, tokenSecret: STRONG },
      { speed: 1, sandboxToken: STRONG },
    ],
  ])("%j are understood", (flags, settings) => {
    expect(parseServeSettings({ ...plain, ...flags }, scenario)).toMatchObject(settings);
  });
});
