import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ApiRequest } from "../../../src/api/endpoints/route.ts";
import { memoryFiles } from "../../../src/inputs/scenario/parse/loadContext.ts";
import { readServedScenario } from "../../../src/live/session/servedScenario.ts";
import type { Session } from "../../../src/live/session/session.ts";
import { exportYaml } from "../../session/exportYaml.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { calmServedScenario } from "../../session/tinyScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { SandboxServer } from "./sandboxServer.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };
let session: Session;
let server: SandboxServer;

beforeEach(async () => {
  session = await openTinySession({}, calmServedScenario());
  server = await SandboxServer.start(session, { instructor: "teacher" });
});
afterEach(() => server.stop());

/** Sends an instruction to the VPP. @returns its id, or null */
async function send(body: object): Promise<string | null> {
  const [vpp] = session.scenario.world.vpps;
  const member_baselines = session.scenario.world.sites.map(({ emsId }) => ({ ems_id: emsId, baseline_kw: 0 }));
  const request: ApiRequest = {
    api: "vpp-v1",
    id: vpp.vppId,
    method: "POST",
    path: "/control/active_power",
    query: {},
    body: { delta_kw: -40, member_baselines, ...body },
  };
  const { status, body: answer } = await session.answer(request);
  expect(status).toBe(200);
  return (answer as { schedule_id?: string }).schedule_id ?? null;
}

const schedule = { type: "schedule", sku: "frr", start_time: "2026-04-01T03:00:00Z", end_time: "2026-04-01T04:00:00Z" };

const namesIn = (list: unknown): (string | null)[] =>
  (list as { readonly name: string | null }[]).map(({ name }) => name);

async function balance(): Promise<{ awards: (string | null)[]; next: (string | null)[] }> {
  const { body } = await server.get("/sandbox/vpps/east/balance");
  return { awards: namesIn(body.awards), next: namesIn(body.next) };
}

test("an instruction without a label is called by product and local time, an award by its id", async () => {
  const id = await send(schedule);
  expect((await balance()).next).toEqual(["A", "FRR 03:00–04:00", null]);
  await send({ type: "immediate", duration_minutes: 20 });
  expect((await balance()).awards).toEqual(["Immediate 00:00–00:20"]);
  // A second one of the same name gets a number.
  await send({ ...schedule, sku: "frr" });
  expect((await balance()).next).toContain("FRR 03:00–04:00 (2)");
  const { body: power } = await server.get("/sandbox/vpps/east/power?to=2026-04-01T05:00:00Z");
  expect(namesIn(power.awards)).toContain("FRR 03:00–04:00 (2)");
  const { body: story } = await server.get(`/sandbox/awards/${id}/story`);
  expect(story.name).toBe("FRR 03:00–04:00");
  for (const path of ["/sandbox/events", "/sandbox/vpps/east/members"]) {
    const { text } = await server.get(path);
    expect(text.replace(/"(award_id|by_award_id|resource_id|path)":"[^"]*"/g, "")).not.toMatch(/[0-9a-f]{32}/);
  }
  expect(JSON.stringify(story.lines)).not.toMatch(/[0-9a-f]{32}/);
});

test("a label is a command: shown at once, taken back by a restore, and in the export with its report", async () => {
  const id = await send(schedule);
  const label = (value: unknown, headers = {}) => server.post(`/sandbox/awards/${id}/label`, { label: value }, headers);
  const { body: checkpoint } = await server.post("/sandbox/checkpoints", {}, INSTRUCTOR);
  expect((await label("night <reserve>")).status).toBe(204);
  expect((await balance()).next).toContain("night <reserve>");
  const { body: events } = await server.get("/sandbox/events");
  expect(JSON.stringify(events.events)).toContain("night <reserve> is registered: -40 kW");

  await server.post("/sandbox/clock/advance", { to: "2026-04-01T04:30:00Z" });
  const text = exportYaml(session);
  expect(text).toContain(`label: night <reserve>\n      award: ${id}`);
  const folder = createTemporaryFolder("names");
  const { files } = await session.writeReport(join(folder, "report"));
  expect(files).toContain("awards.csv");

  // A server of the export has the label from its start.
  const served = calmServedScenario();
  const file = served.scenario.file;
  const again = await openTinySession(
    {},
    readServedScenario(
      file,
      memoryFiles(
        new Map([
          [file, text],
          ["/tiny/load.csv", Buffer.from(served.files.read("/tiny/load.csv") ?? []).toString()],
        ]),
      ),
    ),
  );
  expect(again.hosted.record!.names.nameOf(id!)).toBe("night <reserve>");
  await again.close();

  await server.post(`/sandbox/checkpoints/${String(checkpoint.checkpoint_id)}/restore`, {}, INSTRUCTOR);
  expect((await balance()).next).toContain("FRR 03:00–04:00");
  expect((await label("second")).status).toBe(204);
  expect((await label(null)).status).toBe(204);
  expect((await balance()).next).toContain("FRR 03:00–04:00");
});

test("a label of a wrong length, or of no instruction, is refused", async () => {
  const id = await send(schedule);
  for (const label of ["", "  ", "x".repeat(61), 3]) {
    const { status, body } = await server.post(`/sandbox/awards/${id}/label`, { label });
    expect([status, (body.error as { parameter?: string }).parameter]).toEqual([400, "label"]);
  }
  expect((await server.post("/sandbox/awards/nobody/label", { label: "x" })).status).toBe(404);
});

test("the page of a report has names in place of ids", async () => {
  const id = await send(schedule);
  await server.post(`/sandbox/awards/${id}/label`, { label: "night <reserve>" });
  await send({ type: "immediate", duration_minutes: 20 });
  await server.post("/sandbox/clock/advance", { to: "2026-04-01T04:30:00Z" });
  const folder = join(createTemporaryFolder("names"), "report");
  await writeReportOfExport(folder);
  const html = readFileSync(join(folder, "report.html"), "utf8");
  expect(html).toContain("night &lt;reserve&gt;");
  expect(html).toContain("Immediate 00:00–00:20");
  expect(html).not.toContain(id);
  expect(html).not.toContain("<reserve>");
});

/** Writes the report of the session with its page. */
async function writeReportOfExport(folder: string): Promise<void> {
  const { runScenario } = await import("../../../src/report/runScenario.ts");
  const served = calmServedScenario();
  const { file } = served.scenario;
  const text = exportYaml(session).replace("formats:\n    - csv", "formats:\n    - csv\n    - html");
  const files = new Map([
    [file, text],
    ["/tiny/load.csv", Buffer.from(served.files.read("/tiny/load.csv") ?? []).toString()],
  ]);
  await runScenario(readServedScenario(file, memoryFiles(files)).scenario, { out: folder });
}
