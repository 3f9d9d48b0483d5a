import { expect, test } from "vitest";
import { vppMembers } from "../../src/api/http/sandbox/reads/vppMembers.ts";
import type { MemberView } from "../../src/live/session/sandboxReads.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import { openTinySession } from "./openTinySession.ts";

test("a member has remaining energy, headroom from its present power, and an end of its rest", async () => {
  const session = await openTinySession({}, readServedScenario("scenarios/drills/fleets/works.yaml"));
  const at = async (time: string): Promise<Record<string, MemberView>> => {
    await session.advance(() => Date.parse(`2026-05-20T${time}:00Z`));
    const { hosted } = session;
    const hash = session.stateHash();
    const { members } = vppMembers(hosted, hosted.record!, hosted.world.vpps[0]);
    // Reads of capabilities do not move the world.
    expect(session.stateHash()).toBe(hash);
    return Object.fromEntries(members.map((member) => [member.site, member]));
  };
  const room = ({ headroom_up_kw, headroom_down_kw, available_from }: MemberView) => [
    headroom_up_kw,
    headroom_down_kw,
    available_from,
  ];

  const before = await at("04:20");
  // 60 % of 600 kWh, in a window of 10 to 90 %.
  expect(before.battery).toMatchObject({ energy_kwh: 300, energy_to_full_kwh: 180 });
  expect(room(before.battery)).toEqual([250, 250, null]);
  expect(room(before.engine)).toEqual([0, 300, null]);
  expect(room(before.factory)).toEqual([0, 300, null]);
  expect(before.factory).toMatchObject({ energy_kwh: null, energy_to_full_kwh: null });

  // The award of 13:30 in Tokyo: 300 kW by weights of 200, 80, 120 and 120.
  const during = await at("04:40");
  expect(room(during.battery)).toEqual([319.2, 180.8, null]);
  expect(room(during.engine)).toEqual([69.2, 230.8, null]);
  expect(room(during.factory)).toEqual([115.4, 184.6, "2026-05-20T06:30:00Z"]);

  // After it the loads rest, the factory for 90 minutes.
  const after = await at("05:10");
  expect(room(after.factory)).toEqual([0, 0, "2026-05-20T06:30:00Z"]);
  expect(room(after["cold-store"])).toEqual([0, 0, "2026-05-20T05:20:00Z"]);
  expect(room(after.battery)).toEqual([250, 250, null]);
  await session.close();
});
