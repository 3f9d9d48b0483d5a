import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DrillScript, executeScript } from "../../src/live/drill/drillScript.ts";
import { gradeDrill } from "../../src/live/drill/gradeDrill.ts";
import { gradeJson } from "../../src/live/drill/gradeJson.ts";
import { type Attempt, attemptOf, parseSessionExport } from "../../src/live/drill/readAttempt.ts";
import { drillFileOf, readDrill } from "../../src/live/drill/readDrill.ts";
import type { Session } from "../../src/live/session/session.ts";
import { openTinySession } from "../session/openTinySession.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const drill = { ...readDrill(drillFileOf("outage-in-an-award")), searchBudget: 4 };
const at = (time: string): number => Date.parse(`2026-05-20T${time}+09:00`);
const scriptOf = (...actions: DrillScript["actions"]): DrillScript => ({ version: 1, drill: drill.name, actions });

const CALL_AT_ONCE = scriptOf({ at: at("18:02:00"), owner_call: "battery-large" });

describe("a grade", () => {
  test("is 0 for doing nothing, which is not passed", async () => {
    const { score, isPassed, measures, nothing } = await gradeDrill(drill, executeScript(drill, scriptOf()));
    expect({ score, isPassed }).toEqual({ score: 0, isPassed: false });
    expect(measures).toEqual(nothing.measures);
  });

  test("counts the effect of a call to the owner: the battery is back for the rest of the award", async () => {
    const { score, isPassed, effects, measures, nothing } = await gradeDrill(drill, executeScript(drill, CALL_AT_ONCE));
    expect(isPassed).toBe(true);
    expect(score).toBeGreaterThan(50);
    expect(effects).toHaveLength(1);
    expect(effects[0].avoidedKwh).toBeCloseTo(nothing.measures.shortfall_kwh - measures.shortfall_kwh, 2);
  });

  test("counts a deleted award as owed", async () => {
    const nothingDone = await gradeDrill(drill, executeScript(drill, scriptOf()));
    const deleting = scriptOf({ at: at("17:21:00"), delete_schedule_of: "evening-peak" });
    const { measures } = await gradeDrill(drill, executeScript(drill, deleting));
    expect(measures.refused_requests).toBe(0);
    expect(measures.shortfall_kwh).toBeCloseTo(900 * 2.5, 0);
    expect(measures.shortfall_kwh).toBeGreaterThan(nothingDone.measures.shortfall_kwh);
  });

  test("has the fault of an award that was posted again before its start: the award is still owed", async () => {
    const again = { sku: "frr", delta_kw: -900, start: at("17:30:00"), end: at("20:00:00") } as const;
    const reposting = scriptOf({ at: at("17:21:00"), schedule: again });
    const { run, measures, isPassed } = await gradeDrill(drill, executeScript(drill, reposting));
    expect(measures.refused_requests).toBe(0);
    expect(run.injects.map(({ beganMs }) => beganMs)).toEqual([at("18:00:00")]);
    expect(isPassed).toBe(false);
  });

  test("finds an instruction needless that changes nothing", async () => {
    const idle = scriptOf(
      { at: at("18:02:00"), owner_call: "battery-large" },
      { at: at("19:00:00"), weights: { "cold-store": 81 } },
    );
    expect((await gradeDrill(drill, executeScript(drill, idle))).measures.needless_instructions).toBe(1);
  });
});

/** Runs an attempt in a live session, in steps of some length. */
async function runLive({ inputs }: Attempt, stepMs: number, journal: string | null = null): Promise<Session> {
  const options = { openAtMs: drill.startMs, journal: { file: journal, resumesEnded: true } };
  const session = await openTinySession(options, drill.served);
  for (const input of inputs) {
    await advance(session, input.at_ms, stepMs);
    if (input.kind === "owner_call") await session.injects.callOwner(input.site, input.delay_ms);
    if (input.kind === "request") await session.answer(input.request);
  }
  return session;
}

async function advance(session: Session, untilMs: number, stepMs: number): Promise<void> {
  while (session.nowMs < untilMs) await session.advance((nowMs) => Math.min(nowMs + stepMs, untilMs));
}

const exportOf = (session: Session): string => [...session.exportParts()].join("");

describe("a live session of a drill", () => {
  const attempt = executeScript(drill, CALL_AT_ONCE);

  test.each([7_000, 3_600_000])("has the grade of the script, advanced in steps of %i ms", async (stepMs) => {
    const session = await runLive(attempt, stepMs);
    await advance(session, drill.endMs, stepMs);
    const text = exportOf(session);
    const exported = attemptOf("session.yaml", parseSessionExport("session.yaml", text), drill);
    const grades = [await gradeDrill(drill, exported), await gradeDrill(drill, attempt)];
    expect(JSON.stringify(gradeJson(grades[0]))).toBe(JSON.stringify(gradeJson(grades[1])));
  });

  test("keeps its injects over a restart, and its report is that of its export", async () => {
    const folder = createTemporaryFolder("drill");
    const journal = join(folder, "drill.journal");
    const first = await runLive(attempt, 60_000, journal);
    const [before, hash] = [first.injects.list, first.stateHash()];
    await first.close();
    const options = { openAtMs: drill.startMs, journal: { file: journal, resumesEnded: true } };
    const second = await openTinySession(options, drill.served);
    expect(second.injects.list).toEqual(before);
    expect(second.stateHash()).toBe(hash);
    expect(before.map(({ state, beganMs }) => ({ state, beganMs }))).toEqual([
      { state: "in_force", beganMs: at("18:00:00") },
    ]);
    await advance(second, at("18:27:00"), 60_000);
    expect(second.injects.list[0].state).toBe("ended");
    await second.writeReport(join(folder, "report"));
    writeFileSync(join(folder, "export.yaml"), exportOf(second));
    await second.close();
  });

  test("an instructor's inject begins, is ended and is exported with the drill's", async () => {
    const session = await runLive({ inputs: [], notes: [], reachedMs: 0 }, 60_000);
    const now = await session.injects.plan({ kind: "outage", site: "factory" });
    const later = await session.injects.plan({ kind: "outage", site: "cold-store", at: at("17:40:00") });
    expect([now.state, later.state]).toEqual(["in_force", "planned"]);
    await session.injects.cancel(later.injectId);
    await advance(session, at("18:10:00"), 60_000);
    await session.injects.cancel(now.injectId);
    expect(session.injects.list.map(({ state }) => state)).toEqual(["in_force", "ended", "cancelled"]);
    await expect(session.injects.cancel(later.injectId)).rejects.toThrow("is over");
    const exported = parseSessionExport("session.yaml", exportOf(session));
    expect(exported.session.commands).toHaveLength(4);
    expect(exported.events).toEqual([]);
    await session.writeReport(join(createTemporaryFolder("drill"), "report"));
  });
});
