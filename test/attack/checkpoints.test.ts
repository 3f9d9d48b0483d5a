import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionRefusal } from "../../src/live/session/sessionRefusal.ts";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";
import { openTinySession } from "../session/openTinySession.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const newFile = (): string => join(createTemporaryFolder("checkpoints"), "a.journal");
const journalAt = (file: string) => ({ journal: { file, resumesEnded: true } });

async function commandsOf(live: LiveServer) {
  const headers = { ...(await live.signIn("east")), "content-type": "application/json" };
  const url = `${live.baseUrl}/v1/vpp/${live.idOf("east")}/control/active_power`;
  const member_baselines = ["battery-1", "battery-2", "plant"].map((name) => ({
    ems_id: live.idOf(name),
    baseline_kw: 0,
  }));
  return async (key: string, deltaKw: number) => {
    const body = JSON.stringify({
      type: "immediate",
      sku: null,
      delta_kw: deltaKw,
      duration_minutes: 60,
      member_baselines,
    });
    const answer = await fetch(url, { method: "POST", headers: { ...headers, "idempotency-key": key }, body });
    return { status: answer.status, text: await answer.text() };
  };
}

const recordsOf = (file: string, kind: string): string[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes(`{"kind":"${kind}"`));

test("a checkpoint has no answers, and a restore gives its keys back, also after a crash", async () => {
  const file = newFile();
  const live = await startLiveServer({ rateLimits: "off" }, undefined, journalAt(file));
  const command = await commandsOf(live);
  const before = await command("before", -20);
  expect(before.status).toBe(200);
  const { checkpointId } = await live.session.addCheckpoint(null);
  expect((await command("after", -30)).status).toBe(200);
  expect((await command("after", -31)).status).toBe(409);

  await live.session.restore(checkpointId);
  expect(await command("before", -20)).toEqual(before);
  expect((await command("after", -31)).status).toBe(200);

  const copy = newFile();
  copyFileSync(file, copy);
  const again = await startLiveServer({ rateLimits: "off" }, undefined, journalAt(copy));
  await again.session.restore(checkpointId);
  const commandAgain = await commandsOf(again);
  expect(await commandAgain("before", -20)).toEqual(before);
  expect((await commandAgain("after", -32)).status).toBe(200);

  await live.session.reset();
  expect((await command("before", -21)).status).toBe(200);
  expect(recordsOf(file, "checkpoint").map(({ length }) => length < 300)).toEqual([true]);
  await Promise.all([live.close(), again.close()]);
});

test("a checkpoint with which the journal would be unreadable is refused, and the session continues", async () => {
  const file = newFile();
  const session = await openTinySession(journalAt(file));
  let saved = "x".repeat(1 << 26);
  session.addRewindable({ name: "part", save: () => saved, restore: () => {} });
  await expect(session.addCheckpoint(null)).rejects.toThrow(SessionRefusal);
  saved = "";
  await session.recordNote("goes on");
  const { checkpointId } = await session.addCheckpoint(null);
  await session.close();
  const resumed = await openTinySession(journalAt(file));
  expect(resumed.persons.notes.map(({ text }) => text)).toEqual(["goes on"]);
  expect(resumed.checkpoints.map((checkpoint) => checkpoint.checkpointId)).toEqual([checkpointId]);
  await resumed.close();
});
