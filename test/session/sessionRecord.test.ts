// What the reads of a live session say equals the report of its export, whatever was read before.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CAUSES } from "../../src/accounting/settlement/causes.ts";
import { MS_PER_MINUTE } from "../../src/base/time.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { exportedAlarms } from "../../src/live/session/alarms/exportedAlarms.ts";
import { balanceOf } from "../../src/live/session/record/awardBalance.ts";
import { awardStory } from "../../src/live/session/record/awardStory.ts";
import { tryControl } from "../../src/live/session/record/dispatchPreview.ts";
import type { SessionRecord } from "../../src/live/session/record/sessionRecord.ts";
import { vppPowerSeries } from "../../src/live/session/record/vppPowerSeries.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import type { Session } from "../../src/live/session/session.ts";
import { explainAward } from "../../src/report/explain/explainAward.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { readRecords } from "../../src/report/tables/readTable.ts";
import { runs, seedsFrom } from "../depth.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { exportYaml } from "./exportYaml.ts";
import { openTinySession } from "./openTinySession.ts";
import { randomActions } from "./randomActions.ts";
import { calmServedScenario, START_MS, writeTinyScenario } from "./tinyScenario.ts";

const recordOf = ({ hosted }: Session): SessionRecord => hosted.record!;

const openTiny = (): Promise<Session> =>
  openTinySession({}, readServedScenario(writeTinyScenario(createTemporaryFolder("export"))));

/** Everything that the record says of every award and VPP. */
function readEverything(session: Session): string {
  const { scenario, hosted } = session;
  const { world } = hosted;
  const record = recordOf(session);
  record.notices.noticeThrough(world.nowMs);
  const vpps = world.vpps.map((vpp) => {
    const { nowMs, spec } = world;
    const awards = record.awardsOf(vpp.index).within(spec.startMs, spec.endMs);
    const power = vppPowerSeries(world, record, vpp, { fromMs: spec.startMs, toMs: nowMs + 1, stepsMax: 500 });
    return {
      awards,
      stories: awards.map(({ awardId }) => awardStory({ scenario, world, record }, awardId, "everything")?.text),
      balances: vpp.runningInstructions.map((instruction) => balanceOf(world, record, instruction)),
      power: [...power.requestedKw, ...power.deliveredKw, ...power.uncoveredKw],
      causes: [...power.causesKw],
    };
  });
  const events = record.feed.after(0, 100_000);
  return JSON.stringify({ vpps, events }, (_, value: unknown) => (value instanceof Float64Array ? [...value] : value));
}

/** The report of the session's export. */
async function exportReport(session: Session): Promise<string> {
  const file = join(createTemporaryFolder("export"), "export.yaml");
  writeFileSync(file, exportYaml(session));
  const folder = join(createTemporaryFolder("export"), "report");
  await runScenario(loadScenario(file), { out: folder, alarmsOf: exportedAlarms });
  return folder;
}

describe("the record of a session", () => {
  test.each(seedsFrom(1, runs(6, 1)))(
    "explains every award as explain does from the report (seed %i)",
    async (seed) => {
      const session = await openTiny();
      for (const action of randomActions(seed, 60)) {
        await action(session);
        readEverything(session);
      }
      // The export then ends now and not a millisecond later.
      await session.advance((nowMs) => Math.min(nowMs + MS_PER_MINUTE, session.scenario.world.endMs));
      const { scenario, hosted } = session;
      const folder = await exportReport(session);
      const record = recordOf(session);
      const rows = readRecords(folder, "awards") ?? [];
      expect(rows.length).toBeGreaterThan(0);
      for (const { award_id: awardId } of rows) {
        const story = awardStory({ scenario, world: hosted.world, record }, awardId, "everything");
        const explained = explainAward(folder, awardId);
        expect(story?.text, awardId).toBe(explained.text);
        expect(story?.json, awardId).toEqual(explained.json);
      }
      await session.close();
    },
  );

  test.each(seedsFrom(1, runs(3, 1)))("is the same in a session without reads (seed %i)", async (seed) => {
    const [read, unread] = [await openTiny(), await openTiny()];
    for (const action of randomActions(seed, 60)) {
      await action(read);
      readEverything(read);
    }
    for (const action of randomActions(seed, 60)) await action(unread);
    expect(readEverything(read)).toBe(readEverything(unread));
    expect(read.stateHash()).toBe(unread.stateHash());
    await Promise.all([read.close(), unread.close()]);
  });

  test.each(seedsFrom(1, runs(3, 1)))("survives a restart and a restore (seed %i)", async (seed) => {
    const file = join(createTemporaryFolder("export"), "journal");
    const scenario = writeTinyScenario(createTemporaryFolder("export"));
    const open = () => openTinySession({ journal: { file, resumesEnded: true } }, readServedScenario(scenario));
    const session = await open();
    for (const action of randomActions(seed, 40)) await action(session);
    const { checkpointId } = await session.addCheckpoint("here");
    const before = readEverything(session);
    await session.recordAction("acknowledged", "a");
    await session.recordNote("slow");
    await session.advance((nowMs) => Math.min(nowMs + MS_PER_MINUTE, session.scenario.world.endMs));
    const after = readEverything(session);
    await session.close();
    const again = await open();
    expect(readEverything(again)).toBe(after);
    expect(again.persons.notes.map(({ text }) => text)).toEqual(["slow"]);
    expect(again.persons.actionsAfter(0, 100_000)).toEqual(session.persons.actionsAfter(0, 100_000));
    await again.restore(checkpointId);
    expect(readEverything(again)).toBe(before);
    await again.close();
  });

  test("has causes of power that sum to the missing power, and to the shortfall of the award", async () => {
    const session = await openTiny();
    await session.advance(() => START_MS + 80 * MS_PER_MINUTE);
    await session.beginFault({ kind: "outage", site: "battery-1", durationMs: 20 * MS_PER_MINUTE });
    await session.advance(() => START_MS + 80.5 * MS_PER_MINUTE);
    const { world } = session.hosted;
    const [instruction] = world.vpps[0].runningInstructions;
    const balance = balanceOf(world, recordOf(session), instruction)!;
    expect(balance.notDeliveredKw).toBeGreaterThan(50);
    const sum = (stage: string) =>
      balance.gaps.filter((gap) => gap.stage === stage).reduce((kw, gap) => kw + gap.kw, 0);
    expect(sum("delivery")).toBeCloseTo(balance.notDeliveredKw, 9);
    expect(sum("allocation")).toBeCloseTo(balance.uncoveredKw, 9);
    expect(balance.dispatchedKw - balance.uncoveredKw).toBeCloseTo(balance.requestedKw, 9);
    expect(balance.dispatchedKw + balance.notDeliveredKw - balance.overKw).toBeCloseTo(balance.deliveredKw, 9);
    await session.advance(() => START_MS + 100 * MS_PER_MINUTE);
    const row = recordOf(session).ledger.rowAt("A", session.hosted.nowMs)!;
    const power = vppPowerSeries(session.hosted.world, recordOf(session), session.hosted.world.vpps[0], {
      fromMs: START_MS,
      toMs: session.hosted.nowMs,
      stepsMax: 5_000,
    });
    const kwh = (kw: Iterable<number>) =>
      [...kw].reduce((total, value) => total + (value * power.stepMs) / 3_600_000, 0);
    expect(kwh(power.deliveredKw)).toBeCloseTo(row.deliveredKwh!, 6);
    expect(kwh(power.requestedKw)).toBeCloseTo(row.requestedKwh!, 6);
    const causes = [...power.causesKw].reduce((total, [, kw]) => total + kwh(kw), 0);
    expect(causes).toBeCloseTo(row.shortfallKwh!, 6);
    expect(row.shortfallByCauseKwh[CAUSES.indexOf("out_of_service")]).toBeGreaterThan(1);
    await session.close();
  });
});

test("during a ramp the causes sum to the missing power at each point", async () => {
  // 125 kW of a battery take more than four minutes, in pieces that are longer than a bin.
  const served = calmServedScenario("", (yaml) => yaml.replace("ramp_kw_per_s: 20", "ramp_kw_per_s: 0.4"));
  const session = await openTinySession({}, served);
  await session.advance(() => START_MS + 66 * MS_PER_MINUTE);
  const { world } = session.hosted;
  const power = vppPowerSeries(world, recordOf(session), world.vpps[0], {
    fromMs: START_MS + 60 * MS_PER_MINUTE,
    toMs: world.nowMs,
    stepsMax: 5_000,
  });
  const missing = Array.from(power.deliveredKw, (kw, k) => Math.max(0, kw - power.requestedKw[k]));
  expect(new Set(missing.filter((kw) => kw > 1).map((kw) => kw.toFixed(3))).size).toBeGreaterThan(10);
  missing.forEach((kw, k) => {
    const causes = [...power.causesKw.values()].reduce((total, column) => total + column[k], 0);
    expect(causes).toBeCloseTo(kw, 6);
  });
  await session.close();
});

describe("a preview", () => {
  test.each(seedsFrom(1, runs(4, 1)))(
    "changes nothing and equals the answer to the request (seed %i)",
    async (seed) => {
      const session = await openTiny();
      let compared = 0;
      for (const action of randomActions(seed, 60)) {
        await action(session);
        const { hosted } = session;
        const { world } = hosted;
        const [vpp] = world.vpps;
        const startMs = Math.ceil(world.nowMs / MS_PER_MINUTE) * MS_PER_MINUTE + 10 * MS_PER_MINUTE;
        const trial = { sku: null, powerKw: -150, startMs, endMs: startMs + 30 * MS_PER_MINUTE };
        const [before, hash] = [readEverything(session), session.stateHash()];
        const first = tryControl(world, hosted.copier.copy(), vpp, trial);
        expect(session.stateHash()).toBe(hash);
        expect(readEverything(session)).toBe(before);
        // A world that is thrown away takes the request; another preview gives the same answer.
        const second = tryControl(world, hosted.copier.copy(), vpp, trial);
        expect(second.answer).toEqual(first.answer);
        if (first.answer.status === 200) compared++;
        const sumKw = first.shares.reduce((total, { kw }) => total + kw, 0);
        if (first.answer.status === 200) expect(Math.abs(sumKw) + first.uncoveredKw).toBeCloseTo(150, 6);
      }
      expect(compared).toBeGreaterThan(3);
      await session.close();
    },
  );

  test("names what limits each member whose headroom is used up, also where the others take over", async () => {
    const session = await openTiny();
    const { world, copier } = session.hosted;
    const startMs = world.nowMs + 10 * MS_PER_MINUTE;
    let takenOver = 0;
    for (const powerKw of [-1, -100, -200, -300, -400]) {
      const trial = { sku: null, powerKw, startMs, endMs: startMs + 30 * MS_PER_MINUTE };
      const { answer, shares, uncoveredKw } = tryControl(world, copier.copy(), world.vpps[0], trial);
      if (answer.status !== 200) continue;
      const limited = shares.filter(({ kw, headroomKw }) => headroomKw !== null && headroomKw <= Math.abs(kw));
      const refusing = shares.filter(({ refusal }) => refusal !== null);
      expect(shares.filter(({ cause }) => cause !== null)).toEqual([...limited, ...refusing]);
      // The share of a refusal is uncovered, and no other member takes over.
      expect(refusing.length === 0 || uncoveredKw > 0).toBe(true);
      if (uncoveredKw === 0) takenOver += limited.length;
    }
    expect(takenOver).toBeGreaterThan(0);
    await session.close();
  });

  test("says why a member would refuse its set-point, of an instruction that waits and of one that begins now", async () => {
    const session = await openTiny();
    const { world, copier } = session.hosted;
    for (const startMs of [world.nowMs, world.nowMs + 10 * MS_PER_MINUTE]) {
      const trial = { sku: null, powerKw: -12, startMs, endMs: startMs + 30 * MS_PER_MINUTE };
      const { shares } = tryControl(world, copier.copy(), world.vpps[0], trial);
      // The plant reduces its load by 10 kW at least, and its share is a third of 12 kW.
      expect(shares.find(({ site }) => site === "plant")).toMatchObject({
        kw: 0,
        cause: "refused",
        refusal: "dr_reduction_below_minimum",
      });
      const others = shares.filter(({ site }) => site !== "plant");
      expect(others.map(({ refusal }) => refusal ?? "none")).not.toContain("dr_reduction_below_minimum");
    }
    await session.close();
  });
});
