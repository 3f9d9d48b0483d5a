import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError, RefreshError, SiteV1Client, SiteV2Client, VppClient } from "../../src/api/client/index.ts";
import { CheckedFetch } from "../http/checkedFetch.ts";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";

let live: LiveServer;
let checked: CheckedFetch;
beforeAll(async () => {
  live = await startLiveServer();
  checked = new CheckedFetch(live.baseUrl);
});
afterAll(() => live.close());

const optionsOf = (name: string) => ({
  baseUrl: live.baseUrl,
  authUrl: live.authUrl,
  id: live.idOf(name),
  refreshToken: live.refreshTokenOf(name),
  fetch: checked.fetch,
});

/** HTTP status of a refusal by an API. */
const refused = (call: Promise<unknown>): Promise<number | "no refusal"> =>
  call.then(
    () => "no refusal",
    (error: unknown) => {
      if (error instanceof ApiError) return error.status;
      throw error;
    },
  );

const HOUR = (n: number) =>
  new Date(Date.parse("2026-04-01T00:00:00Z") + n * 3_600_000).toISOString().replace(".000", "");

describe("every answer satisfies its description, over an hour of a session", () => {
  test("of the VPP API", async () => {
    const vpp = new VppClient(optionsOf("east"));
    const { members, total_count } = await vpp.members();
    expect(total_count).toBe(3);
    expect((await vpp.status()).vpp_id).toBe(live.idOf("east"));
    expect((await vpp.statusDetails({ include_components: true })).members.length).toBe(3);
    const member_baselines = members.map(({ ems_id }) => ({ ems_id, baseline_kw: 0 }));
    const now = await vpp.control({ type: "immediate", delta_kw: -40, duration_minutes: 5, member_baselines });
    expect(now).toMatchObject({ control_type: "immediate", delta_kw: -40 });
    const times = { start_time: HOUR(3), end_time: HOUR(4) };
    const order = { type: "schedule", delta_kw: -60, ...times, member_baselines } as const;
    const first = await vpp.control(order, "order-1");
    expect(await vpp.control(order, "order-1")).toEqual(first);
    expect(await refused(vpp.control({ ...order, delta_kw: -61 }, "order-1"))).toBe(409);
    const listed = await vpp.schedules();
    expect(listed.schedules.map(({ schedule_id }) => schedule_id)).toContain(
      "schedule_id" in first ? first.schedule_id : "",
    );
    await live.session.advance((nowMs) => nowMs + 3_600_000);
    const period = { start_time: HOUR(0), end_time: HOUR(1) };
    expect((await vpp.powerHistory({ ...period, interval_seconds: 1800 })).data.length).toBe(2);
    expect((await vpp.energyHistory({ ...period, interval_seconds: 1800 })).data.length).toBe(2);
    expect(await refused(vpp.energyHistory({ start_time: HOUR(-800), end_time: HOUR(0) }))).toBe(410);
    const id = live.idOf("battery-1");
    expect((await vpp.updateMember(id, { label: "first", allocation_weight: 50 })).label).toBe("first");
    expect(await refused(vpp.addMember({ ems_id: id, resource_type: "battery" }))).toBe(409);
    expect((await vpp.removeMember(id)).ems_id).toBe(id);
    expect(await refused(vpp.removeMember(id))).toBe(404);
    // The award of the second hour runs: the site remains a member until it ends (docs/model/members.md#removal).
    expect(await refused(vpp.addMember({ ems_id: id, resource_type: "battery" }))).toBe(409);
    if ("schedule_id" in first) {
      expect((await vpp.deleteSchedule(first.schedule_id)).schedule_id).toBe(first.schedule_id);
      expect(await refused(vpp.deleteSchedule(first.schedule_id))).toBe(404);
    }
    expect(vpp.rateLimit).toMatchObject({ limit: 200 });
  });

  test("of the site API v2", async () => {
    const site = new SiteV2Client(optionsOf("battery-2"));
    expect((await site.status()).ems_id).toBe(live.idOf("battery-2"));
    await site.statusDetails();
    expect((await site.specifications()).components.length).toBe(1);
    const posted = await site.control({ type: "schedule", delta_kw: 20, start_time: HOUR(4), end_time: HOUR(5) });
    expect((await site.schedules()).schedules.length).toBeGreaterThan(0);
    expect((await site.deleteSchedule(posted.schedule_id ?? "")).schedule_id).toBe(posted.schedule_id);
    await site.baseline();
    const period = { start_time: HOUR(0), end_time: HOUR(1) };
    expect((await site.powerHistory({ ...period, interval_seconds: 60 })).data.length).toBeGreaterThan(0);
    expect((await site.energyHistory(period)).data.length).toBe(1);
    expect((await site.servicePlan()).plans.length).toBe(48);
  });

  test("of the site API v1", async () => {
    const site = new SiteV1Client(optionsOf("battery-2"));
    expect((await site.status()).ems_id).toBe(live.idOf("battery-2"));
    expect((await site.specifications()).rated_cap).toBe(500);
    const times = { start_time: HOUR(4), end_time: HOUR(5) };
    expect((await site.control({ type: "schedule", power_kw: 20, ...times })).control_type).toBe("schedule");
    const { schedules } = await site.schedules();
    const [{ id }] = schedules.slice(-1);
    expect((await site.deleteSchedule(id)).schedule_id).toBe(id);
    const period = { start_time: HOUR(0), end_time: HOUR(1) };
    expect((await site.powerReport(period)).data.length).toBeGreaterThan(0);
    expect((await site.energyReport(period)).ems_id).toBe(live.idOf("battery-2"));
    expect((await site.fcrConfig()).freq_ref).toBe(50);
    expect((await site.servicePlan()).plans.length).toBe(48);
  });

  test("and all answers were checked", () => expect(checked.checked).toBeGreaterThanOrEqual(40));
});

describe("a client", () => {
  test("reports a refused refresh token", async () => {
    const client = new VppClient({ ...optionsOf("east"), refreshToken: "nonsense" });
    await expect(client.status()).rejects.toBeInstanceOf(RefreshError);
  });

  test("renews a token that has expired in simulated time", async () => {
    const tokens: string[] = [];
    const client = new SiteV2Client({
      ...optionsOf("plant"),
      fetch: async (input, init) => {
        const request = new Request(input, init);
        tokens.push(request.headers.get("authorization") ?? "");
        // The first access token is altered on its way.
        if (tokens.length !== 2) return checked.fetch(request);
        return fetch(request.url, { headers: { authorization: "Bearer spoilt" } });
      },
    });
    expect((await client.status()).ems_id).toBe(live.idOf("plant"));
    expect(tokens.length).toBe(4);
  });
});
