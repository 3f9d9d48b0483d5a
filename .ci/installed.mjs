/**
 * The installed package as a user has it. Every example that `vppsim init` lists can be written and run. `vppsim serve`
 * of the demo answers /health, issues a token with which the shipped client reads the VPP API, shows its reference page,
 * and exits with 0 on SIGTERM.
 *
 *   node installed.mjs    in a folder where vppsim is installed and `vppsim init demo` has run
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const vppsim = (...words) => execFileSync("node_modules/.bin/vppsim", words, { encoding: "utf8" });

const examples = [...vppsim("init").matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
assert.ok(examples.length > 20, "the package lists its examples");
/** One day of what is long is enough: its data are generated and read as a whole. */
const ENDS = {
  "fleet-year": "2025-04-02T00:00:00+09:00",
  "fleet-week": "2025-04-02T00:00:00+09:00",
  "mixed-week": "2026-04-02T00:00:00+09:00",
};
for (const name of examples) {
  const folder = join("examples", name);
  const [, file] = /^ {2}(\S+\.yaml)$/m.exec(vppsim("init", folder, "--example", name));
  const limits = name in ENDS ? ["--to", ENDS[name]] : [];
  vppsim("run", file, ...limits, "--out", join(folder, "report"), "--quiet");
  assert.ok(existsSync(join(folder, "report/summary.json")), name);
}
// Scenarios that need no generated data can also be read where they are installed.
const shipped = "node_modules/vppsim/scenarios";
for (const file of readdirSync(join(shipped, "features"))) vppsim("validate", join(shipped, "features", file));

const here = createRequire(pathToFileURL(join(process.cwd(), "package.json")));
const { VppClient } = await import(pathToFileURL(here.resolve("vppsim/client")).href);

// As npx starts it; npx itself would not pass the signal on.
const args = ["serve", "demo/scenario.yaml", "--paused", "--no-journal", "--port", "0", "--auth-port", "0"];
const server = spawn("node_modules/.bin/vppsim", args, { stdio: ["ignore", "pipe", "inherit"] });
const ended = once(server, "exit");
const [line] = await Promise.race([once(createInterface(server.stdout), "line"), ended]);
const { base_url: baseUrl, auth_url: authUrl } = JSON.parse(line);

const get = async (path) => {
  const answer = await fetch(baseUrl + path);
  assert.equal(answer.status, 200, `GET ${path}`);
  return answer;
};
assert.equal((await (await get("/health")).json()).status, "ok");
assert.match(await (await get("/metrics")).text(), /^vppsim_simulated_time_seconds /m);
for (const api of ["vpp-v1", "site-v2", "site-v1"])
  assert.equal((await (await get(`/openapi/${api}.json`)).json()).openapi.slice(0, 3), "3.1");
await get("/docs");
assert.ok((await (await get("/docs/swagger-ui-bundle.js")).text()).length > 1e6, "the reference page is there");
const { vpps } = await (await get("/sandbox/credentials")).json();
const [{ vpp_id: id, refresh_token: refreshToken }] = vpps;
const { members } = await new VppClient({ baseUrl, authUrl, id, refreshToken }).status();
assert.equal(members.length, 3);

server.kill("SIGTERM");
const [status, signal] = await ended;
assert.deepEqual({ status, signal }, { status: 0, signal: null }, "SIGTERM ends it in good order");
await assert.rejects(fetch(`${baseUrl}/health`), "nobody listens any more");
