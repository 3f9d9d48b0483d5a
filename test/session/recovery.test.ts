import { appendFileSync, chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sha256Hex } from "../../src/base/ids.ts";
import type { RecoveredCommand } from "../../src/live/session/keyedCommand.ts";
import type { Session } from "../../src/live/session/session.ts";
import type { SessionOptions } from "../../src/live/session/sessionOptions.ts";
import { runs, seedsFrom } from "../depth.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { alarmsOf } from "./alarms/openAlarmSession.ts";
import { exportYaml } from "./exportYaml.ts";
import { ManualClock } from "./manualClock.ts";
import { openTinySession } from "./openTinySession.ts";
import { randomActions } from "./randomActions.ts";
import { START_MS, tinyServedScenario } from "./tinyScenario.ts";

const newFile = () => join(createTemporaryFolder("session"), "tiny.journal");

const withJournal = (file: string, options: Partial<SessionOptions> = {}, goesOn = true): Promise<Session> =>
  openTinySession({ journal: { file, resumesEnded: goesOn }, ...options });

/** The journal as a crash at this instant would leave it. */
function crashedJournal(file: string): string {
  const copy = newFile();
  copyFileSync(file, copy);
  return copy;
}

/** All state of a session that must survive a crash. */
const stateOf = (session: Session) => ({
  nowMs: session.nowMs,
  hash: session.stateHash(),
  alarms: alarmsOf(session),
  faults: session.faults,
  checkpoints: session.checkpoints.map(({ checkpointId, atMs, label }) => ({ checkpointId, atMs, label })),
  revoked: session.credentials.map(({ refreshToken }) => session.isRevoked(sha256Hex(refreshToken))),
  signingKey: session.signingKey,
  export: exportYaml(session),
});

describe("a session that crashed", () => {
  test.each(seedsFrom(1, runs(4, 2)))(
    "continues in its state, paused, after random actions of seed %i",
    async (seed) => {
      const file = newFile();
      const session = await withJournal(file);
      for (const [k, action] of randomActions(seed, 60).entries()) {
        await action(session);
        if (k % 20 === 7) await session.addCheckpoint(`after ${k}`);
        if (k === 30) await session.revoke(session.credentials[1].refreshToken);
        if (k === 40) await session.restore(session.checkpoints[0].checkpointId);
        if (k % 11 !== 0) continue;
        const recovered = await withJournal(crashedJournal(file));
        expect(recovered.isResumed).toBe(true);
        expect(stateOf(recovered)).toEqual(stateOf(session));
        expect(recovered.clock().mode).toBe("paused");
        await recovered.close();
      }
      await session.close();
    },
  );

  test("has the key of its tokens in a file of its owner alone, whoever created the file", async () => {
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    const file = newFile();
    writeFileSync(file, "", { mode: 0o644 });
    const session = await withJournal(file, { warn });
    expect({ mode: statSync(file).mode & 0o777, warnings }).toEqual({ mode: 0o600, warnings: [] });
    const copy = crashedJournal(file);
    chmodSync(copy, 0o644);
    const recovered = await withJournal(copy, { warn });
    expect({ mode: statSync(copy).mode & 0o777, warnings }).toEqual({
      mode: 0o600,
      warnings: [expect.stringContaining("other users could read it")],
    });
    await recovered.close();
    await session.close();
  });

  test("reads its commands back from the journal for an export, a restore and a reset", async () => {
    const [kept, journalled] = [await openTinySession(), await withJournal(newFile())];
    for (const session of [kept, journalled]) {
      for (const [k, action] of randomActions(3, 40).entries()) {
        await action(session);
        if (k === 10 || k === 20) await session.addCheckpoint(`after ${k}`);
        if (k === 30) await session.restore(session.checkpoints[1].checkpointId);
      }
    }
    expect(stateOf(journalled)).toEqual({ ...stateOf(kept), signingKey: journalled.signingKey });
    for (const session of [kept, journalled]) await session.reset();
    for (const session of [kept, journalled]) await session.restore(session.checkpoints[0].checkpointId);
    expect(stateOf(journalled)).toEqual({ ...stateOf(kept), signingKey: journalled.signingKey });
    await Promise.all([kept.close(), journalled.close()]);
  });

  test("fails in words when a restore finds another journal than it wrote", async () => {
    const file = newFile();
    const failures: unknown[] = [];
    const session = await withJournal(file, { onFailure: (error) => failures.push(error) });
    await session.beginFault({ kind: "outage", site: "plant", durationMs: null });
    const { checkpointId } = await session.addCheckpoint("x");
    writeFileSync(file, readFileSync(file, "utf8").replace('"outage"', '"OUTAGE"'));
    const words = /can no longer be read: record \d+ at byte \d+: its checksum does not match/;
    await expect(session.restore(checkpointId)).rejects.toThrow(words);
    expect(failures).toMatchObject([{ message: expect.stringMatching(words) }]);
    await expect(session.advance((nowMs) => nowMs + 1_000)).rejects.toThrow(words);
    await session.close();
  });

  test("restores its commands of a day with their answers and keys", async () => {
    const file = newFile();
    const session = await withJournal(file);
    const { vpps, sites } = session.scenario.world;
    const request = {
      api: "vpp-v1" as const,
      id: vpps[0].vppId,
      method: "POST" as const,
      path: `/members/${sites[0].emsId}`,
      query: {},
      body: { allocation_weight: 12.5 },
    };
    const answer = await session.answer(request, { key: "key-1", hasAnswer: () => false, storeAnswer: () => {} });
    const other = await session.answer(request);
    const commands: RecoveredCommand[] = [];
    const onRecovered = (command: RecoveredCommand) => void commands.push(command);
    const recovered = await withJournal(crashedJournal(file), { onRecovered });
    expect(commands).toEqual([
      { atMs: START_MS, request, idempotencyKey: "key-1", answer },
      { atMs: START_MS, request, idempotencyKey: null, answer: other },
    ]);
    await recovered.close();
    await session.close();
  });

  test("stores a keyed command before a later reset takes effect", async () => {
    const session = await withJournal(newFile());
    const { vpps, sites } = session.scenario.world;
    const calls: string[] = [];
    session.addRewindable({ name: "calls", save: () => calls.length, restore: () => calls.push("restored") });
    const request = {
      api: "vpp-v1",
      id: vpps[0].vppId,
      method: "POST",
      path: `/members/${sites[0].emsId}`,
      query: {},
      body: { label: "x" },
    } as const;
    const command = session.answer(request, {
      key: "k",
      hasAnswer: () => false,
      storeAnswer: (_, atMs) => calls.push(`kept at ${atMs - START_MS}`),
    });
    await Promise.all([command, session.reset()]);
    expect(calls).toEqual(["kept at 0", "restored"]);
    await session.close();
  });

  test("continues at the last mark if its clock ran", async () => {
    const file = newFile();
    const wall = new ManualClock();
    const session = await withJournal(file, { wallClock: wall });
    await session.resume(3_600);
    await wall.advance(2_300);
    expect(session.nowMs - START_MS).toBe(8_280_000);
    // Clock entries are a second apart and are written asynchronously.
    const marks = () => readFileSync(file, "utf8").match(/"kind":"clock"/g)?.length;
    await expect.poll(marks).toBe(3);
    const recovered = await withJournal(crashedJournal(file));
    expect(recovered.nowMs - START_MS).toBe(7_200_000);
    expect(recovered.clock().mode).toBe("paused");
    await recovered.close();
    await session.close();
  });

  test("loses only the incomplete record, with a warning", async () => {
    const file = newFile();
    const session = await withJournal(file);
    await session.beginFault({ kind: "warning", site: "plant", durationMs: null });
    const torn = crashedJournal(file);
    appendFileSync(torn, '12345678 2 {"kind":"fau');
    const warnings: string[] = [];
    const recovered = await withJournal(torn, { warn: (text) => warnings.push(text) });
    expect(warnings).toEqual([`journal ${torn}: the last record was not finished (23 bytes), and is cut off`]);
    expect(recovered.faults).toHaveLength(1);
    await recovered.beginFault({ kind: "warning", site: "battery-1", durationMs: null });
    await recovered.close();
    const again = await withJournal(torn);
    expect(again.faults).toHaveLength(2);
    await again.close();
    await session.close();
  });
});

describe("an existing journal", () => {
  const cases: readonly [string, (yaml: string) => string, RegExp][] = [
    [
      "of another scenario",
      (yaml) => yaml.replace("name: tiny", "name: other"),
      /belongs to the scenario tiny, not to other/,
    ],
    ["of another seed", (yaml) => yaml.replace("seed: 7", "seed: 8"), /belongs to seed 7, the scenario has 8/],
    [
      "of the scenario before a change",
      (yaml) => yaml.replace("rated_cap: 500", "rated_cap: 501"),
      /another state of the scenario tiny/,
    ],
  ];
  test.each(cases)("%s is refused", async (_, edit, message) => {
    const file = newFile();
    await (await withJournal(file)).close();
    const other = openTinySession({ journal: { file, resumesEnded: true } }, tinyServedScenario(edit));
    await expect(other).rejects.toThrow(message);
    await expect(openTinySession({ journal: { file, resumesEnded: true } }, tinyServedScenario(edit))).rejects.toThrow(
      /move the journal away/,
    );
    // The refused attempt has not changed the journal.
    const session = await withJournal(file);
    expect(session.isResumed).toBe(true);
    await session.close();
  });

  test("that was named continues after an orderly end, the default one is replaced", async () => {
    const file = newFile();
    const session = await withJournal(file);
    await session.advance((nowMs) => nowMs + 60_000);
    await session.close();
    const again = await withJournal(file);
    expect({ resumed: again.isResumed, passedMs: again.nowMs - START_MS }).toEqual({ resumed: true, passedMs: 60_000 });
    await again.close();
    const ended = readFileSync(file);
    const anew = await withJournal(file, {}, false);
    expect({ resumed: anew.isResumed, passedMs: anew.nowMs - START_MS }).toEqual({ resumed: false, passedMs: 0 });
    expect(readFileSync(`${file}.old`)).toEqual(ended);
    // After a crash a session with the default options is continued too.
    const copy = crashedJournal(file);
    const recovered = await withJournal(copy, {}, false);
    expect(recovered.isResumed).toBe(true);
    await recovered.close();
    await anew.close();
  });

  test("of a session that opened later is not continued from the start", async () => {
    const file = newFile();
    const session = await withJournal(file, { openAtMs: START_MS + 3_600_000 });
    expect(session.nowMs).toBe(START_MS + 3_600_000);
    await session.advance((nowMs) => nowMs + 1);
    await session.reset();
    expect(session.nowMs).toBe(START_MS + 3_600_000);
    await session.close();
    await expect(withJournal(file, { openAtMs: START_MS })).rejects.toThrow(
      /was opened at 2026-04-01T01:00:00Z, not at/,
    );
    const again = await withJournal(file);
    expect(again.isResumed).toBe(true);
    await again.close();
  });

  test("whose first line a crash cut short is begun anew", async () => {
    const file = newFile();
    writeFileSync(file, 'ab12cd34 0 {"kind":"journal","form');
    const session = await withJournal(file);
    expect(session.isResumed).toBe(false);
    await session.close();
  });
});
