import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, column, describeOnServer, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";
import { deltasOf, membersOf, statusesOf, VppRequests } from "./desk.ts";

const DOC = "VPP API 1.4";

export function vppControlAnswerRules(): void {
  const server = new ScenarioServer(FLEET);
  const desk = new VppRequests(server);
  const id = (name: string) => server.idOf(name);
  const baselines = (...names: readonly string[]) => desk.baselines(...names);
  const schedule = (given: object = {}) => desk.schedule(given);
  const immediate = (given: object = {}) => desk.immediate(given);
  const fcr = (given: object = {}) => desk.fcr(given);
  const compound = (breakdown: object | undefined, given: object = {}) => desk.compound(breakdown, given);

  describeOnServer("answers to control of a VPP", server, () => {
    const answer = sectionOf(DOC, "7 POST control/active_power, answer");
    const memberShare = (name: string, weight: number, delta: number, status: string) => ({
      ems_id: id(name),
      label: "",
      allocation_weight: weight,
      fcr_response_kw: null,
      baseline_kw: 0,
      delta_kw: delta,
      compound_breakdown: null,
      dispatch_status: status,
      skip_reason: null,
    });
    answer.rule("a schedule has every field of its table, members pending", async () => {
      const { status, body } = await desk.post(schedule());
      const { schedule_id } = body;
      expect(schedule_id).toMatch(/^[0-9a-f]{32}$/);
      expect([status, body]).toEqual([
        200,
        {
          vpp_id: id("east"),
          message: "Schedule registered successfully.",
          control_type: "schedule",
          delta_kw: -100,
          fcr_response_kw: null,
          compound_breakdown: null,
          uncovered_kw: 0,
          sku: "frr",
          schedule_id,
          start_time: at("01:00"),
          end_time: at("02:00"),
          affected_schedules: [{ schedule_id, action: "created", start_time: at("01:00"), end_time: at("02:00") }],
          members: [memberShare("a", 100, -25, "pending"), memberShare("b", 300, -75, "pending")],
          timestamp: at("00:00"),
        },
      ]);
    });
    answer.rule(
      "an immediate has its duration, no id, no times and no affected_schedules (docs/model/apis.md#affected-schedules)",
      async () => {
        const { status, body } = await desk.post(immediate());
        expect([status, body]).toEqual([
          200,
          {
            vpp_id: id("east"),
            message: "Power control accepted.",
            control_type: "immediate",
            delta_kw: -100,
            fcr_response_kw: null,
            compound_breakdown: null,
            uncovered_kw: 0,
            sku: null,
            duration_minutes: 30,
            members: [memberShare("a", 100, -25, "dispatched"), memberShare("b", 300, -75, "dispatched")],
            timestamp: at("00:00"),
          },
        ]);
      },
    );
    answer.rule("frequency response has a capacity and no delta, split by weight", async () => {
      const { body } = await desk.post(fcr());
      expect(body).toMatchObject({
        message: "FCR schedule registered successfully.",
        delta_kw: null,
        fcr_response_kw: 60,
        uncovered_kw: 0,
        sku: "fcr",
      });
      expect(rowsOf(body, "members")).toMatchObject([
        { fcr_response_kw: 15, delta_kw: null },
        { fcr_response_kw: 45, delta_kw: null },
      ]);
    });
    answer.rule(
      "FCR capacity beyond a member's two-sided capability is re-allocated, the rest is uncovered and positive",
      async () => {
        // 350 by 1:3 is 87.5 and 262.5; b holds 200, so a is asked for 150 and holds 100: 50 are left.
        const { body } = await desk.post(fcr({ fcr_response_kw: 350 }));
        expect([body.uncovered_kw, column(rowsOf(body, "members"), "fcr_response_kw")]).toEqual([50, [100, 200]]);
      },
    );
    answer.rule("fcr_response_kw 0 is legal (docs/model/allocation.md#fcr-shares)", async () => {
      expect((await desk.post(fcr({ fcr_response_kw: 0 }))).body).toMatchObject({
        fcr_response_kw: 0,
        uncovered_kw: 0,
      });
    });
    answer.rule("a compound's breakdown is allocated by weight", async () => {
      const { body } = await desk.post(compound({ frr: -60, rr: -100 }));
      expect(body.compound_breakdown).toEqual({ frr: -60, rr: -100 });
      expect(column(rowsOf(body, "members"), "compound_breakdown")).toEqual([
        { frr: -15, rr: -25 },
        { frr: -45, rr: -75 },
      ]);
    });
    answer.rule(
      "a delta beyond a member is cut and the excess uncovered, with the sign of delta_kw (docs/model/allocation.md#delta-excess, docs/model/allocation.md#uncovered)",
      async () => {
        const answered = await desk.post(schedule({ delta_kw: -400 }));
        expect([deltasOf(answered), answered.body.uncovered_kw]).toEqual([[-100, -200], -100]);
      },
    );
    answer.rule(
      "more decimals than one are rounded half away from zero (docs/model/apis.md#wire-numbers)",
      async () => {
        const { body } = await desk.post(schedule({ delta_kw: -100.05 }));
        expect(body.delta_kw).toBe(-100.1);
      },
    );
    answer.rule("shares are tenths by largest remainder, and add up (docs/model/allocation.md#shares)", async () => {
      // 0.5 by 1:3 is 0.125 and 0.375 kW: 1 and 3 tenths, the fifth goes to the larger remainder, .75.
      const answered = await desk.post(schedule({ delta_kw: -0.5 }));
      expect(deltasOf(answered)).toEqual([-0.1, -0.4]);
    });
    answer.rule("delta_kw 0 dispatches 0 to everybody (docs/model/allocation.md#zero-delta)", async () => {
      const answered = await desk.post(immediate({ delta_kw: 0 }));
      expect([statusesOf(answered), deltasOf(answered), answered.body.uncovered_kw]).toEqual([
        ["dispatched", "dispatched"],
        [0, 0],
        0,
      ]);
      expect(Object.is(answered.body.uncovered_kw, 0)).toBe(true);
    });
    answer.rule("the message names members out of service", async () => {
      await server.sandbox("/faults", { kind: "outage", site: "a" });
      const answered = await desk.post(immediate());
      expect(answered.body.message).toBe("Power control accepted. 1 member(s) out of service. Auto-redistributed.");
      expect([statusesOf(answered), deltasOf(answered)]).toEqual([
        ["skipped_out_of_service", "dispatched"],
        [null, -100],
      ]);
    });
    answer.rule("baseline_kw is returned even of a skipped member", async () => {
      await server.sandbox("/faults", { kind: "outage", site: "a" });
      const body = schedule({ member_baselines: [{ ems_id: id("a"), baseline_kw: 12.54 }, ...baselines("b")] });
      expect(membersOf(await desk.post(body))[0]).toMatchObject({ baseline_kw: 12.5, delta_kw: null });
    });
    answer.rule("headroom is counted from the baseline sent (docs/model/capability.md#headroom)", async () => {
      // Up, a at 90 of 100 kW has 10 left of its 25.
      const body = schedule({
        delta_kw: 100,
        member_baselines: [{ ems_id: id("a"), baseline_kw: 90 }, ...baselines("b")],
      });
      const answered = await desk.post(body);
      expect([deltasOf(answered), answered.body.uncovered_kw]).toEqual([[10, 75], 15]);
    });
  });
}
