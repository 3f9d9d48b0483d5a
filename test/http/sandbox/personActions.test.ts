// What the instructor reads of the commands of a trainee.
import { expect, test } from "vitest";
import type { SandboxActionRecord } from "../../../src/api/client/sandboxTypes.ts";
import { commandMessage } from "../../../src/dashboard/messages/commandMessage.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { tinyServedScenario } from "../../session/tinyScenario.ts";
import { SandboxServer } from "./sandboxServer.ts";

test("commands name the site and what was requested of it, without ids", async () => {
  const session = await openTinySession({}, tinyServedScenario());
  const { vpps, sites } = session.scenario.world;
  const { emsId, name } = sites[0];
  const send = (method: string, path: string, body?: object) =>
    session.answer({ api: "vpp-v1", id: vpps[0].vppId, method, path, query: {}, body });
  const member_baselines = sites.map((site) => ({ ems_id: site.emsId, baseline_kw: 0 }));
  const period = { start_time: "2026-04-01T05:00:00Z", end_time: "2026-04-01T05:30:00Z" };
  await send("POST", `/members/${emsId}`, { allocation_weight: 70 });
  await send("POST", "/control/active_power", {
    type: "immediate",
    delta_kw: -50,
    duration_minutes: 5,
    member_baselines,
  });
  await send("POST", "/control/active_power", {
    type: "schedule",
    sku: "rr",
    delta_kw: 40,
    ...period,
    member_baselines,
  });
  await send("POST", `/members/${emsId}`, { label: "x" });

  const server = await SandboxServer.start(session, { instructor: "teacher" });
  const { body } = await server.get("/sandbox/actions", { "x-sandbox-token": "teacher" });
  await server.stop();
  const actions = body.actions as SandboxActionRecord[];
  expect(actions.map(({ text }) => text)).toEqual([
    `${name}: weight set to 70`,
    "VPP east: immediate instruction of -50 kW for 5 min",
    `VPP east: schedule of RR 40 kW from ${period.start_time} to ${period.end_time}`,
    `${name}: membership in VPP east changed`,
  ]);
  const events = session.hosted.record!.feed.after(0, 100).filter(({ kind }) => kind === "command");
  expect(events.map(({ detail }) => detail)).toEqual(actions.map(({ text }) => text));
  expect(actions.map(({ data }) => commandMessage(data))).toMatchObject([
    { key: "action.weight", values: { site: name, weight: "70" } },
    { key: "action.immediate", values: { target: "VPP east", power: "−50.0", time: { minutes: 5 } } },
    { key: "action.schedule", values: { power: "RR 40.0", start: { at: period.start_time } } },
    { key: "action.member_changed", values: { site: name } },
  ]);
  expect(actions[1].data).not.toHaveProperty("member_baselines");
});

test("an action is abandoned while the present branch does not have it", async () => {
  const session = await openTinySession();
  const server = await SandboxServer.start(session, { instructor: "teacher" });
  const instructor = { "x-sandbox-token": "teacher" };
  const act = (text: string) => server.post("/sandbox/actions", { kind: "acknowledged", text });
  const mark = async () => String((await server.post("/sandbox/checkpoints", {}, instructor)).body.checkpoint_id);
  const restore = (id: string) => server.post(`/sandbox/checkpoints/${id}/restore`, {}, instructor);
  const abandoned = async () => {
    const { body } = await server.get("/sandbox/actions", instructor);
    return (body.actions as SandboxActionRecord[]).flatMap(({ text, abandoned }) => (abandoned ? [text] : []));
  };
  await act("a");
  const first = await mark();
  await act("b");
  const second = await mark();
  await act("c");
  expect(await abandoned()).toEqual([]);
  await restore(first);
  expect(await abandoned()).toEqual(["b", "c"]);
  await act("d");
  // Back on the branch that was left: `b` is of the present time again.
  await restore(second);
  expect(await abandoned()).toEqual(["c", "back to a checkpoint", "d"]);
  await server.post("/sandbox/reset", {}, instructor);
  expect(await abandoned()).toEqual(["a", "b", "c", "back to a checkpoint", "d", "back to a checkpoint"]);
  await server.stop();
});
