// What persons do with alarms, and what becomes of it over replay, restore and export.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { alarmId } from "../../../src/live/session/alarms/alarm.ts";
import { readServedScenario } from "../../../src/live/session/servedScenario.ts";
import type { Session } from "../../../src/live/session/session.ts";
import { runs, seedsFrom } from "../../depth.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { exportYaml } from "../exportYaml.ts";
import { openTinySession } from "../openTinySession.ts";
import { randomActions } from "../randomActions.ts";
import { writeTinyScenario } from "../tinyScenario.ts";
import { advanceTo, alarmsOf, morning, openMorning, outage } from "./openAlarmSession.ts";

const TRAINEE = { by: "trainee", name: null } as const;

/** All that an alarm journal says. */
const changesOf = (session: Session) =>
  session.hosted.alarmBoard.journal
    .after(0)
    .map(({ seq, atMs, what, alarm, by, name }) => [seq, atMs, what, alarmId(alarm), alarm.condition.kind, by, name]);

describe("in the morning of the quickstart day", () => {
  let session: Session;
  beforeEach(async () => {
    session = await openMorning();
    await advanceTo(session, "22:31:00");
  });
  afterEach(() => session.close());
  const shelve = (time: string) => session.alarms.shelve("alarm-1", () => Date.parse(morning(time)), TRAINEE);
  const state = () => alarmsOf(session).alarms.map(({ id, state }) => `${id} ${state}`);
  const changes = () =>
    changesOf(session).map(([, at, what]) => `${what} ${new Date(Number(at)).toISOString().slice(11, 19)}`);

  test("a shelved alarm comes back at its instant, also between two minutes", async () => {
    await shelve("22:33:20");
    expect(state()).toEqual(["alarm-1 shelved"]);
    await advanceTo(session, "22:33:19");
    expect(state()).toEqual(["alarm-1 shelved"]);
    await advanceTo(session, "22:36:00");
    expect(state()).toEqual(["alarm-1 new"]);
    expect(changes()).toEqual(["raised 22:31:00", "shelved 22:31:00", "unshelved 22:33:20"]);
  });

  test("an alarm that was acknowledged while it is shelved comes back acknowledged", async () => {
    await shelve("22:33:20");
    await session.alarms.acknowledge("alarm-1", TRAINEE);
    expect(state()).toEqual(["alarm-1 shelved"]);
    await advanceTo(session, "22:34:00");
    expect(state()).toEqual(["alarm-1 acknowledged"]);
  });

  test("a condition that ends while its alarm is shelved or acknowledged removes it", async () => {
    await shelve("23:00:00");
    await advanceTo(session, "22:41:00");
    expect(alarmsOf(session).alarms.filter(({ site }) => site === "factory")).toEqual([]);
    expect(changes().filter((change) => change.startsWith("cleared"))).toEqual(["cleared 22:41:00"]);
  });

  test("a shelved alarm is raised anew by a more urgent priority alone", async () => {
    await shelve("23:00:00");
    await advanceTo(session, "22:33:30");
    await session.beginFault(outage("factory"));
    await advanceTo(session, "22:34:00");
    // Others take over, so that the outage is no more urgent than the load.
    expect(alarmsOf(session).alarms[0]).toMatchObject({ kind: "out_of_service", state: "shelved", priority: 2 });
    expect(changes().at(-1)).toBe("changed 22:34:00");
    for (const site of ["battery-large", "battery-medium"]) await session.beginFault(outage(site));
    await advanceTo(session, "22:35:00");
    const factory = alarmsOf(session).alarms.find(({ site }) => site === "factory");
    expect(factory).toMatchObject({ state: "new", priority: 1, raised_at: morning("22:35:00"), shelved_until: null });
  });

  test("an acknowledged alarm of a worse kind is new again, with its id", async () => {
    await session.alarms.acknowledge("alarm-1", { by: "instructor", name: "Sato" });
    expect(alarmsOf(session).alarms[0]).toMatchObject({
      state: "acknowledged",
      acknowledged_at: morning("22:31:00"),
      acknowledged_by: "instructor",
      acknowledged_name: "Sato",
    });
    await advanceTo(session, "22:33:30");
    await session.beginFault(outage("factory"));
    await advanceTo(session, "22:34:00");
    expect(alarmsOf(session).alarms[0]).toMatchObject({
      id: "alarm-1",
      state: "new",
      raised_at: morning("22:34:00"),
      since: morning("22:34:00"),
      acknowledged_at: null,
      acknowledged_by: null,
      acknowledged_name: null,
      count: 1,
    });
  });

  test("a restore takes back what was done, a reset everything", async () => {
    const { checkpointId } = await session.addCheckpoint(null);
    const before = alarmsOf(session);
    await session.alarms.acknowledge("alarm-1", TRAINEE);
    await advanceTo(session, "22:50:00");
    await session.restore(checkpointId);
    expect(alarmsOf(session)).toEqual(before);
    await session.reset();
    expect(alarmsOf(session)).toMatchObject({ alarms: [], last_seq: 0 });
  });
});

describe("after random actions", () => {
  test.each(seedsFrom(51, runs(6, 2)))("of seed %i the export has the alarms of the session", async (seed) => {
    const file = writeTinyScenario(createTemporaryFolder("alarms"));
    const session = await openTinySession({ openAtMs: Date.parse("2026-04-01T00:50:13Z") }, readServedScenario(file));
    for (const action of randomActions(seed, 80)) await action(session);
    const exported = join(createTemporaryFolder("alarms"), "export.yaml");
    writeFileSync(exported, exportYaml(session));
    const again = await openTinySession({}, readServedScenario(exported));
    // Opened before the session, and advanced in pieces.
    for (const part of [0.2, 0.7, 1])
      await again.advance((nowMs) => Math.max(nowMs, Math.floor(nowMs + (session.nowMs - nowMs) * part)));
    expect(changesOf(session).length).toBeGreaterThan(0);
    expect(changesOf(again)).toEqual(changesOf(session));
    expect(alarmsOf(again)).toEqual(alarmsOf(session));
    // A session of the export, exported in turn.
    for (const action of randomActions(seed + 1, 10).slice(0, 3)) await action(again);
    const twice = join(createTemporaryFolder("alarms"), "twice.yaml");
    writeFileSync(twice, exportYaml(again));
    const third = await openTinySession({}, readServedScenario(twice));
    await third.advance(() => again.nowMs);
    expect(changesOf(third)).toEqual(changesOf(again));
    for (const each of [session, again, third]) await each.close();
  });
});
