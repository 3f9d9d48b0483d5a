// Each shipped drill that a person sits, over the wire: by an operator who knows the documents and docs/drills.md alone.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { drillFileOf } from "../../src/live/drill/readDrill.ts";
import { runVppsim } from "../cli/runVppsim.ts";
import { requestJson, ServeProcess, signIn } from "../cli/serveProcess.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const INSTRUCTOR = { "x-sandbox-token": "choose-a-token" };

/** A JSON object of an answer. */
type Row = Readonly<Record<string, unknown>>;

/** A copy of a shipped drill with few runs of the search for the best. */
function shortDrill(name: string, folder: string): string {
  const file = drillFileOf(name);
  const text = readFileSync(file, "utf8").replace(
    /^scenario: (.*)$/m,
    (_, path: string) => `scenario: ${join(dirname(file), path)}`,
  );
  const copy = join(folder, `${name}.yaml`);
  writeFileSync(copy, `${text.replace(/^search_budget: .*\n/m, "")}\nsearch_budget: 8\n`);
  return copy;
}

/** A server of a drill, called as its trainee. */
class DrillServer {
  private readonly server: ServeProcess;
  private baseUrl = "";
  private headers: Record<string, string> = {};
  vppPath = "";
  vppName = "";
  sites: readonly { readonly name: string; readonly ems_id: string }[] = [];
  endMs = 0;

  constructor(file: string, folder: string) {
    const args = [file, "--instructor-token", INSTRUCTOR["x-sandbox-token"], "--port", "0", "--auth-port", "0"];
    this.server = new ServeProcess(args, folder, undefined, ["drill", "serve"]);
  }

  async begin(): Promise<void> {
    const at = await this.server.waitUntilReady();
    this.baseUrl = at.base_url;
    const { vppId, sites, headers } = await signIn(at);
    this.vppPath = `/v1/vpp/${vppId}`;
    this.sites = sites;
    this.headers = headers;
    const session = await this.get("/sandbox/session");
    this.vppName = String((session.vpps as readonly Row[])[0].name);
    this.endMs = Date.parse(String((session.drill as Row).ends_at));
  }

  async send(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
    const headers = path.startsWith("/v1") ? { ...this.headers, ...more } : more;
    return requestJson(method, this.baseUrl + path, body, headers);
  }

  async get(path: string): Promise<Row> {
    const { status, text } = await this.send("GET", path);
    expect(status, `${path}: ${text}`).toBe(200);
    return JSON.parse(text);
  }

  async nowMs(): Promise<number> {
    return Date.parse(String((await this.get("/sandbox/clock")).now));
  }

  stop = () => this.server.stop();
}

const wire = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** Calls the owner of each site that goes out of service, and dispatches a running schedule again once when power is uncovered. */
async function operate(server: DrillServer): Promise<void> {
  const called = new Set<string>();
  let hasDispatched = false;
  for (let nowMs = await server.nowMs(); nowMs < server.endMs; nowMs = await server.nowMs()) {
    const toMs = Math.min(server.endMs, nowMs + 60_000);
    expect((await server.send("POST", "/sandbox/clock/advance", { to: wire(toMs) })).status).toBe(200);
    const members = (await server.get(`${server.vppPath}/status/details`)).members as readonly Row[];
    for (const { name, ems_id } of server.sites) {
      const member = members.find((each) => each.ems_id === ems_id);
      if (member?.status !== 9 || called.has(name)) continue;
      called.add(name);
      expect((await server.send("POST", "/sandbox/owner-calls", { site: name })).status).toBe(200);
    }
    const { awards } = await server.get(`/sandbox/vpps/${server.vppName}/balance`);
    const isShort = (awards as readonly Row[]).some(({ uncovered_kw }) => Number(uncovered_kw) > 50);
    if (isShort && !hasDispatched) hasDispatched = await dispatchAgain(server, toMs, members);
  }
}

/** Posts the running schedule again, from two minutes on. @returns whether there is one */
async function dispatchAgain(server: DrillServer, nowMs: number, members: readonly Row[]): Promise<boolean> {
  const control = `${server.vppPath}/control/active_power`;
  const { schedules } = await server.get(`${control}/schedules`);
  const running = (schedules as readonly Row[]).find(
    ({ start_time, end_time }) =>
      Date.parse(String(start_time)) <= nowMs && nowMs + 180_000 < Date.parse(String(end_time)),
  );
  if (running === undefined) return false;
  const { sku, delta_kw, end_time } = running;
  const member_baselines = members.map(({ ems_id, active_power }) => ({
    ems_id,
    baseline_kw: (active_power as Row).baseline_kw,
  }));
  const body = { type: "schedule", sku, delta_kw, start_time: wire(nowMs + 120_000), end_time, member_baselines };
  const { status, text } = await server.send("POST", control, body, { "idempotency-key": `again-${nowMs}` });
  expect(status, text).toBe(200);
  return true;
}

test.each(["outage-in-an-award", "factory-that-refuses", "storm"])(
  "%s, sat over the wire: trainee, instructor and the export have one grade",
  async (name) => {
    const folder = createTemporaryFolder("operator");
    const file = shortDrill(name, folder);
    const server = new DrillServer(file, folder);
    await server.begin();
    expect((await server.send("GET", "/sandbox/grade")).status).toBe(403);
    await operate(server);
    const [grade, again, instructors] = await Promise.all(
      [{}, {}, INSTRUCTOR].map((headers) => server.send("GET", "/sandbox/grade", undefined, headers)),
    );
    expect(grade.status, grade.text).toBe(200);
    expect([again.text, instructors.text]).toEqual([grade.text, grade.text]);
    expect(JSON.parse(grade.text)).toMatchObject({ complete: true, score: expect.any(Number) });
    writeFileSync(join(folder, "session.yaml"), (await server.send("POST", "/sandbox/export", {})).text);
    const { stdout } = runVppsim(["drill", "grade", "session.yaml", "--drill", file, "--json"], { cwd: folder });
    expect(stdout.trim()).toBe(grade.text);
    const { status } = await server.stop();
    expect(status).toBe(JSON.parse(grade.text).passed ? 0 : 1);
  },
);
