// Alarms of a whole session on the quickstart day: since when, when raised, and how many.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Session } from "../../../src/live/session/session.ts";
import { advanceTo, alarmsOf, morning, openMorning, outage } from "./openAlarmSession.ts";

let session: Session;
beforeEach(async () => {
  session = await openMorning();
});
afterEach(() => session.close());

const brief = () =>
  alarmsOf(session).alarms.map(({ id, kind, site, priority, since, raised_at, kw }) => {
    const clock = (at: string) => at.slice(11, 19);
    return `${id} ${kind} ${site} ${priority} since ${clock(since)} raised ${clock(raised_at)} ${kw}`;
  });

test("a load that draws too much counts from the step to the limit, its outage from the notice", async () => {
  await advanceTo(session, "22:30:30");
  expect(brief()).toEqual([]);
  await advanceTo(session, "22:31:00");
  expect(brief()).toEqual(["alarm-1 below_set_point factory 2 since 22:30:00 raised 22:31:00 25.9"]);
  await advanceTo(session, "22:34:30");
  await session.beginFault(outage("factory"));
  await advanceTo(session, "22:34:59");
  expect(brief()).toEqual(["alarm-1 below_set_point factory 2 since 22:30:00 raised 22:31:00 25.9"]);
  await advanceTo(session, "22:35:00");
  const [alarm] = alarmsOf(session).alarms;
  expect(alarm).toMatchObject({
    id: "alarm-1",
    kind: "out_of_service",
    since: morning("22:35:00"),
    raised_at: morning("22:35:00"),
    // The other members take over.
    priority: 2,
    state: "new",
    count: 1,
    text: "factory is out of service",
  });
});

test("six outages of one instant are six alarms in the scenario's order of sites", async () => {
  await advanceTo(session, "22:20:30");
  const sites = session.scenario.world.sites.map(({ name }) => name);
  for (const site of sites) await session.beginFault(outage(site));
  await advanceTo(session, "22:21:00");
  const { alarms, raised_last_10_min: raised, counts } = alarmsOf(session);
  expect(sites).toHaveLength(6);
  expect(alarms).toHaveLength(6);
  const byId = [...alarms].sort((a, b) => (a.id < b.id ? -1 : 1));
  const urgent = byId.filter(({ priority }) => priority === 1).map(({ site }) => site);
  expect(urgent).toEqual(sites.filter((site) => urgent.includes(site)));
  for (const { kind, since, raised_at } of alarms)
    expect({ kind, since, raised_at }).toEqual({
      kind: "out_of_service",
      since: morning("22:21:00"),
      raised_at: morning("22:21:00"),
    });
  expect([raised, counts]).toEqual([6, { new: 6, acknowledged: 0, cleared: 0, shelved: 0 }]);
});

test("the alarm of an outage names the power that is uncovered for it, since it is uncovered", async () => {
  await advanceTo(session, "21:56:00");
  await session.beginFault({ kind: "link_down", site: "factory", durationMs: null });
  await advanceTo(session, "22:12:30");
  await session.beginFault(outage("battery-medium"));
  await advanceTo(session, "22:14:00");
  const [alarm] = alarmsOf(session).alarms;
  expect(alarm).toMatchObject({ kind: "out_of_service", site: "battery-medium", since: morning("22:13:00") });
  expect(alarm.signs).toEqual([
    "164.9 kW of morning-reserve are uncovered since 07:13",
    "morning-reserve: delivered \u22121,627.7 kW is outside \u22122,090.0 to \u22121,710.0 kW",
  ]);
});

test("an alarm that ended before it was acknowledged waits, and its condition that comes again counts", async () => {
  await advanceTo(session, "22:41:00");
  const cleared = alarmsOf(session).alarms.find(({ site }) => site === "factory");
  expect(cleared).toMatchObject({ id: "alarm-1", state: "cleared", cleared_at: morning("22:41:00"), count: 1 });
  await advanceTo(session, "22:44:00");
  const again = alarmsOf(session).alarms.find(({ site }) => site === "factory");
  expect(again).toMatchObject({ id: "alarm-1", state: "new", cleared_at: null, count: 2 });
  expect(again?.raised_at).toBe(morning("22:44:00"));
});

test("nothing depends on how the clock is advanced, and the opening instant is an evaluation", async () => {
  await advanceTo(session, "23:00:00");
  const whole = alarmsOf(session);
  const stepped = await openMorning();
  for (let atMs = Date.parse(morning("21:50:00")); atMs < Date.parse(morning("23:00:00")); atMs += 17_333)
    await stepped.advance(() => atMs);
  await advanceTo(stepped, "23:00:00");
  expect(alarmsOf(stepped)).toEqual(whole);
  await stepped.close();
  const later = await openMorning({ openAtMs: Date.parse(morning("22:31:20")) });
  expect(alarmsOf(later).alarms.map(({ kind, since, raised_at }) => [kind, since, raised_at])).toEqual([
    ["below_set_point", morning("22:30:00"), morning("22:31:20")],
  ]);
  await later.close();
});

test("a store that ends before its award is found for a minute, and raised anew once it is urgent", async () => {
  await session.advance(() => Date.parse("2026-05-20T02:02:00Z"));
  const early = () => alarmsOf(session).alarms.find(({ kind }) => kind === "empty_soon");
  expect(early()).toMatchObject({
    origin: "early:east:noon-sale",
    site: "battery-small",
    priority: 3,
    since: "2026-05-20T02:01:00Z",
    raised_at: "2026-05-20T02:02:00Z",
    cause: null,
    kw: null,
  });
  await session.advance(() => Date.parse("2026-05-20T02:18:00Z"));
  expect(early()).toMatchObject({ priority: 2, since: "2026-05-20T02:01:00Z", raised_at: "2026-05-20T02:18:00Z" });
});
