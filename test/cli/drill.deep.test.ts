import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../docs/documents.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { PROJECT, runVppsim } from "./runVppsim.ts";
import { requestJson, ServeProcess } from "./serveProcess.ts";

interface GradedCheck {
  readonly check: string;
  readonly passed: boolean;
  readonly requests: readonly object[];
}

/** Checks of requests that the careless client never sends. */
const UNSEEN_OF_CARELESS: readonly string[] = [
  "key_on_commands",
  "one_instruction",
  "new_token_after_498",
  "same_key_after_lost_answer",
  "resumed_telemetry",
];

test("a program as the trainee of a drill gets a grade of its commands", () => {
  const cwd = createTemporaryFolder("cli");
  const client = `
    const { VPPSIM_BASE_URL: base } = process.env;
    const call = (path, body) => fetch(base + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    await call("/sandbox/clock/pause", {});
    await call("/sandbox/clock/advance", { to: "2026-05-20T18:02:00+09:00" });
    await call("/sandbox/owner-calls", { site: "battery-large" });`;
  const program = [process.execPath, "--input-type=module", "-e", client];
  const flags = ["--out", "debriefing", "--person", "Aya", "--json"];
  const { status, stdout, stderr } = runVppsim(["drill", "run", "outage-in-an-award", ...flags, "--", ...program], {
    cwd,
  });
  expect(stderr).not.toContain("ended with status");
  const grade = JSON.parse(stdout) as { readonly passed: boolean; readonly actions: readonly object[] };
  expect({ status, passed: grade.passed, actions: grade.actions.length }).toEqual({
    status: 0,
    passed: true,
    actions: 1,
  });
  expect(readFileSync(join(cwd, "debriefing/debriefing.html"), "utf8")).toContain("call to the owner of battery-large");
  expect(readFileSync(join(cwd, ".vppsim/drill-attempts.jsonl"), "utf8")).toContain('"person":"Aya"');
});

test("a program is served at the ports that were given, and its environment says so", async () => {
  const ports = await Promise.all([freePort(), freePort()]);
  const client = `
    const { VPPSIM_BASE_URL: base, VPPSIM_AUTH_URL: auth } = process.env;
    const { status } = await fetch(base + "/sandbox/session");
    process.stdout.write(JSON.stringify({ base, auth, status }) + "\\n");`;
  const flags = ["--port", String(ports[0]), "--auth-port", String(ports[1]), "--speed", "100"];
  const program = [process.execPath, "--input-type=module", "-e", client];
  const { stdout } = runVppsim(["drill", "run", "integrator", ...flags, "--", ...program], {
    cwd: createTemporaryFolder("cli"),
  });
  expect(JSON.parse(stdout.split("\n")[0])).toEqual({
    base: `http://127.0.0.1:${ports[0]}`,
    auth: `http://127.0.0.1:${ports[1]}`,
    status: 200,
  });
});

test("a program that a signal ends is named with the signal", () => {
  const program = [process.execPath, "-e", 'process.kill(process.pid, "SIGKILL")'];
  const args = ["drill", "run", "integrator", "--", ...program];
  const { stderr } = runVppsim(args, { cwd: createTemporaryFolder("cli") });
  expect(stderr).toContain(`vppsim: ${process.execPath} was ended by SIGKILL\n`);
});

test("vppsim drill validate says when the drill is in UTC and in the scenario's zone", () => {
  const { status, stdout } = runVppsim(["drill", "validate", "storm"]);
  expect(status).toBe(0);
  expect(stdout).toContain(
    "2026-05-19T21:50:00Z to 2026-05-19T23:30:00Z (20 May 2026 06:50 to 08:30 Asia/Tokyo (UTC+09:00))",
  );
});

test("a program that sits a drill does not inherit the secrets of the instructor", () => {
  const secrets = { VPPSIM_INSTRUCTOR_TOKEN: "token-of-the-instructor", VPPSIM_TOKEN_SECRET: "secret-of-the-tokens" };
  const client = "process.stdout.write(JSON.stringify(process.env))";
  const args = ["drill", "run", "integrator", "--", process.execPath, "-e", client];
  const { stdout } = runVppsim(args, { cwd: createTemporaryFolder("cli"), env: secrets });
  expect(stdout).toContain("VPPSIM_REFRESH_TOKEN");
  for (const secret of Object.values(secrets)) expect(stdout).not.toContain(secret);
});

test.each([
  [["drill", "run", "storm", "--script", "none.yaml"], "none.yaml"],
  [["drill", "grade", "none.yaml"], "none.yaml"],
  [["drill", "run", "hurricane"], "no such drill"],
  [
    ["drill", "serve", "storm", "--journal", "/tmp/no-such/a.journal", "--out", "/tmp/no-such"],
    "contains the input a.journal",
  ],
  [["drill", "validate", "scenarios/quickstart/scenario.yaml"], "scenario.yaml"],
])("vppsim %j is bad input", (args, words) => {
  const { status, stdout, stderr } = runVppsim(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(words);
});

test.each([
  ["careful", 0, []],
  [
    "careless",
    1,
    [
      "key_on_commands",
      "one_instruction",
      "waited_after_429",
      "new_token_after_498",
      "same_key_after_lost_answer",
      "read_after_redispatch",
      "resumed_telemetry",
    ],
  ],
])("a %s client sits the integrator's drill", (name, expectedStatus, mistakes) => {
  const program = [process.execPath, join(PROJECT, `test/drill/clients/${name}.mjs`)];
  const args = ["drill", "run", "integrator", "--speed", "15", "--json", "--", ...program];
  const { status, stdout } = runVppsim(args, { cwd: createTemporaryFolder("cli") });
  const { client } = JSON.parse(stdout) as { readonly client: readonly GradedCheck[] };
  expect(client.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual(mistakes);
  // What a client did is said by its requests, except where it sent none.
  const silent = client.filter(({ passed, requests }) => !passed && requests.length === 0).map(({ check }) => check);
  expect(silent).toEqual(mistakes.filter((check) => UNSEEN_OF_CARELESS.includes(check)));
  expect(status).toBe(expectedStatus);
});

test("a killed session of a drill continues, with the same grade as without the crash", async () => {
  const instructor = { "x-sandbox-token": "choose-a-token-of-your-own" };
  const flags = ["outage-in-an-award", "--instructor-token", instructor["x-sandbox-token"]];
  const start = async (cwd: string) => {
    const ports = ["--port", "0", "--auth-port", "0"];
    const server = new ServeProcess([...flags, ...ports], cwd, undefined, ["drill", "serve"]);
    return Object.assign(server, { at: await server.waitUntilReady() });
  };
  const sit = async (isKilled: boolean) => {
    const cwd = createTemporaryFolder("cli");
    let server = await start(cwd);
    const call = async (method: string, path: string, body?: unknown, headers = {}) =>
      (await requestJson(method, `${server.at.base_url}${path}`, body, headers)).text;
    await call("POST", "/sandbox/clock/advance", { to: "2026-05-20T18:02:00+09:00" });
    await call("POST", "/sandbox/owner-calls", { site: "battery-large" });
    await call("POST", "/sandbox/notes", { text: "calm" }, instructor);
    await call(
      "POST",
      "/sandbox/injects",
      { kind: "outage", site: "factory", at: "2026-05-20T19:00:00+09:00" },
      instructor,
    );
    const reads = ["injects", "notes", "actions", "events?limit=2000", "state-hash"];
    const readAll = () => Promise.all(reads.map((path) => call("GET", `/sandbox/${path}`, undefined, instructor)));
    if (isKilled) {
      const before = await readAll();
      await server.stop("SIGKILL");
      server = await start(cwd);
      expect(server.at).toMatchObject({ resumed: true, mode: "paused", now: "2026-05-20T09:02:00Z" });
      expect(await readAll()).toEqual(before);
    }
    await call("POST", "/sandbox/clock/advance", { to: "2026-05-20T20:00:00+09:00" });
    const grade = await call("GET", "/sandbox/grade");
    const { stdout } = await server.stop();
    return { grade, printed: stdout };
  };
  const [whole, resumed] = [await sit(false), await sit(true)];
  expect(resumed.grade).toBe(whole.grade);
  expect(JSON.parse(whole.grade)).toMatchObject({ complete: true, actions: [{ needless: false }] });
  const after = (stdout: string) => stdout.slice(stdout.indexOf("\n"));
  expect(after(resumed.printed)).toBe(after(whole.printed));
});

// What each script of each drill is graded stands in test/drill/shippedDrills.test.ts.
test.each([
  ["first-steps", "pass", 0],
  ["integrator", "pass", 0],
  ["integrator", "fail", 1],
  ["integrator", "nothing", 1],
])("of %s the script %s ends with status %i", (name, outcome, expected) => {
  const script = join(PROJECT, `scenarios/drills/scripts/${name}.${outcome}.yaml`);
  const args = ["drill", "run", name, "--script", script, "--json"];
  const { status, stdout } = runVppsim(args, { cwd: createTemporaryFolder("cli") });
  const { passed, complete } = JSON.parse(stdout) as { readonly passed: boolean; readonly complete: boolean };
  expect({ status, passed, complete }).toEqual({ status: expected, passed: expected === 0, complete: true });
});
