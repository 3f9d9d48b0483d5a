import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { runs, seedsFrom } from "../depth.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { exportYaml } from "./exportYaml.ts";
import { openTinySession } from "./openTinySession.ts";
import { randomActions } from "./randomActions.ts";
import { reportBytes, sessionAndExportReports } from "./sessionAndExportReports.ts";
import { END_MS, START_MS, writeTinyScenario } from "./tinyScenario.ts";

const summaryOf = (report: Map<string, string>) => JSON.parse(report.get("summary.json")!);

describe("the report of a session is the report of its export, to the byte", () => {
  test.each(seedsFrom(11, runs(6, 3)))("after random actions of seed %i", async (seed) => {
    const session = await openTinySession({}, readServedScenario(writeTinyScenario(createTemporaryFolder("export"))));
    for (const action of randomActions(seed, 80)) {
      await action(session);
      // Reads in between have no effect.
      const { vpps } = session.scenario.world;
      await session.answer({
        api: "vpp-v1",
        id: vpps[0].vppId,
        method: "GET",
        path: "/members",
        query: {},
        body: undefined,
      });
    }
    const { own, rerun, scenario } = await sessionAndExportReports(session);
    expect([...own.keys()]).toEqual([...rerun.keys()]);
    for (const [name, text] of own) expect(text, name).toBe(rerun.get(name));
    expect(summaryOf(own).scenario.hash).toBe(scenario.hash);
    await session.close();
  });

  test.each(seedsFrom(71, runs(2, 2)))("with errors of baselines, after random actions of seed %i", async (seed) => {
    const error = "error: {bias_kw: 5, spread_kw: 40, correlation_minutes: 60}";
    const file = writeTinyScenario(createTemporaryFolder("export"), (yaml) =>
      yaml
        .replace("{method: perfect}", `{method: perfect, ${error}}`)
        .replace("    outages:", `    baseline: {method: zero, ${error}}\n    outages:`),
    );
    const session = await openTinySession({}, readServedScenario(file));
    for (const action of randomActions(seed, 80)) await action(session);
    const { own, rerun } = await sessionAndExportReports(session);
    for (const [name, text] of own) expect(text, name).toBe(rerun.get(name));
    await session.close();
  });

  test("of one with malformed requests, which change nothing and are not recorded", async () => {
    const session = await openTinySession({}, readServedScenario(writeTinyScenario(createTemporaryFolder("export"))));
    const { vppId } = session.scenario.world.vpps[0];
    const request = { api: "vpp-v1", id: vppId, method: "POST", path: "/members", query: {} } as const;
    for (let k = 0; k < 9; k++) {
      await session.answer({ ...request, body: { label: "x".repeat(1_000_000) } });
      await session.advance((nowMs) => nowMs + 60_000);
    }
    expect(exportYaml(session).length).toBeLessThan(10_000);
    const { own, rerun } = await sessionAndExportReports(session);
    for (const [name, text] of own) expect(text, name).toBe(rerun.get(name));
    expect(own.get("events.csv")).not.toContain("POST /members");
    await session.close();
  });

  test("of one without commands, at its end, the report of the served scenario", async () => {
    const file = writeTinyScenario(createTemporaryFolder("export"));
    const session = await openTinySession({}, readServedScenario(file));
    await session.advance(() => END_MS);
    const { own, rerun, scenario } = await sessionAndExportReports(session);
    const plain = join(createTemporaryFolder("export"), "plain");
    await runScenario(loadScenario(file), { out: plain });
    expect(own).toEqual(rerun);
    // Only a session has alarms.
    expect(own.delete("alarms.csv")).toBe(true);
    expect(own).toEqual(reportBytes(plain));
    expect(scenario.hash).toBe(session.scenario.hash);
    await session.close();
  });

  test.each([
    ["at the start, untouched", 0, false, "2026-04-01T00:00:00.001Z"],
    ["at the start, after a command", 0, true, "2026-04-01T00:00:00.001Z"],
    ["later, untouched", 5_000, false, "2026-04-01T00:00:05Z"],
    ["later, at the instant of a command", 5_000, true, "2026-04-01T00:00:05.001Z"],
    ["at the end, untouched", END_MS - START_MS, false, "2026-04-01T06:00:00Z"],
    ["at the end, after a command", END_MS - START_MS, true, "2026-04-01T06:00:00Z"],
  ])("%s ends so that every command counts", async (_, byMs, commands, end) => {
    const session = await openTinySession({}, readServedScenario(writeTinyScenario(createTemporaryFolder("export"))));
    await session.advance((nowMs) => nowMs + byMs);
    if (commands) await session.beginFault({ kind: "outage", site: "plant", durationMs: null });
    const { own, rerun } = await sessionAndExportReports(session);
    expect(own).toEqual(rerun);
    expect(summaryOf(own).period.end).toBe(end);
    const happened = own.get("events.csv")!.includes("outage_start,plant,scripted");
    expect(happened).toBe(commands && byMs < END_MS - START_MS);
    await session.close();
  });
});

describe("an export", () => {
  test("follows the surviving branch", async () => {
    const session = await openTinySession({}, readServedScenario(writeTinyScenario(createTemporaryFolder("export"))));
    const { checkpointId } = await session.addCheckpoint(null);
    const untouched = exportYaml(session);
    await session.beginFault({ kind: "warning", site: "plant", durationMs: 90_500 });
    await session.advance((nowMs) => nowMs + 600_000);
    expect(exportYaml(session)).toContain('"kind":"warning","site":"plant","duration":"PT90.5S"');
    await session.restore(checkpointId);
    expect(exportYaml(session)).toBe(untouched);
    await session.close();
  });

  test("returns every text of a request unchanged", async () => {
    const session = await openTinySession({}, readServedScenario(writeTinyScenario(createTemporaryFolder("export"))));
    const { vpps, sites } = session.scenario.world;
    const body = {
      allocation_weight: 0.1 + 0.2,
      label: "on: # {x} 'y' \"z\" \\ \t \n \u0000 \u007f \u0085 \u2028 \ud83d\ude00 \ud800 ~ null 0x1f <<",
    };
    const path = `/members/${sites[0].emsId}`;
    await session.answer({
      api: "vpp-v1",
      id: vpps[0].vppId,
      method: "POST",
      path,
      query: { a: "1 &=%", é: "" },
      body,
    });
    const file = join(createTemporaryFolder("export"), "export.yaml");
    writeFileSync(file, exportYaml(session));
    const event = loadScenario(file).world.events.find(({ kind }) => kind === "request");
    expect(event).toMatchObject({
      id: vpps[0].vppId,
      method: "POST",
      path,
      query: { a: "1 &=%", é: "" },
      settled: true,
    });
    expect((event as { body: unknown }).body).toEqual(body);
    await session.close();
  });

  test("that does not lead to the session's state gives no report", async () => {
    const folder = createTemporaryFolder("export");
    const served = readServedScenario(writeTinyScenario(folder));
    let spoilt = false;
    // The data files change during the session.
    const files = {
      read: (path: string) => {
        const content = diskFiles.read(path);
        return spoilt && path.endsWith("load.csv") ? Buffer.from(content!.toString().replaceAll(/,3/g, ",4")) : content;
      },
    };
    const session = await openTinySession({}, { ...served, files });
    await session.advance((nowMs) => nowMs + 7_200_000);
    spoilt = true;
    const out = join(folder, "report");
    await expect(session.writeReport(out)).rejects.toThrow(
      /the export of a session leads to its state; at 2026-04-01T02:00:00Z/,
    );
    expect(readdirSync(folder)).not.toContain("report");
    await session.close();
  });
});
