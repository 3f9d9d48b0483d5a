import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, describeOnServer, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";
import { VppRequests } from "./desk.ts";

const DOC = "VPP API 1.4";

export function vppControlValidationRules(): void {
  const server = new ScenarioServer(FLEET);
  const desk = new VppRequests(server);
  const id = (name: string) => server.idOf(name);
  const baselines = (...names: readonly string[]) => desk.baselines(...names);
  const schedule = (given: object = {}) => desk.schedule(given);
  const immediate = (given: object = {}) => desk.immediate(given);
  const fcr = (given: object = {}) => desk.fcr(given);
  const compound = (breakdown: object | undefined, given: object = {}) => desk.compound(breakdown, given);

  describeOnServer("what control of a VPP refuses", server, () => {
    const validation = sectionOf(DOC, "7 POST control/active_power, validation");
    validation.rules(
      [
        [
          "fcr without fcr_response_kw",
          () => fcr({ fcr_response_kw: undefined }),
          "fcr_response_kw_required",
          "fcr_response_kw",
        ],
        ["fcr with delta_kw", () => fcr({ delta_kw: 5 }), "delta_kw_not_allowed_for_fcr", "delta_kw"],
        [
          "compound without delta_kw",
          () => compound(undefined, { delta_kw: undefined }),
          "delta_kw_required",
          "delta_kw",
        ],
        ["a single SKU without delta_kw", () => schedule({ delta_kw: undefined }), "delta_kw_required", "delta_kw"],
        [
          "no SKU without delta_kw",
          () => schedule({ sku: undefined, delta_kw: undefined }),
          "delta_kw_required",
          "delta_kw",
        ],
        [
          "fcr_response_kw with frr",
          () => schedule({ fcr_response_kw: 5 }),
          "fcr_response_kw_not_allowed",
          "fcr_response_kw",
        ],
        [
          "fcr_response_kw below 0",
          () => fcr({ fcr_response_kw: -0.1 }),
          "fcr_response_kw_must_be_positive",
          "fcr_response_kw",
        ],
        [
          "a breakdown with frr",
          () => schedule({ compound_breakdown: { frr: -60, rr: -100 } }),
          "compound_breakdown_not_allowed",
          "compound_breakdown",
        ],
        [
          "the largest part below the total",
          () => compound({ frr: -60, rr: -99 }),
          "compound_breakdown_max_mismatch",
          "compound_breakdown",
        ],
        [
          "a width in it that differs from the top",
          () => compound({ frr: -100, fcr_response_kw: 10 }, { fcr_response_kw: 20 }),
          "compound_breakdown_max_mismatch",
          "compound_breakdown",
        ],
        [
          "a part above the total",
          () => compound({ frr: -100, rr: -110 }),
          "compound_breakdown_value_exceeds_total",
          "compound_breakdown",
        ],
        [
          "a compound's width above its delta",
          () => compound(undefined, { fcr_response_kw: 110 }),
          "compound_breakdown_value_exceeds_total",
          "fcr_response_kw",
        ],
        [
          "a key outside the four",
          () => compound({ frr: -100, "rr-fit": -10 }),
          "compound_breakdown_invalid_key",
          "compound_breakdown",
        ],
        ["fewer than two keys", () => compound({ frr: -100 }), "compound_breakdown_invalid_key", "compound_breakdown"],
        [
          "a negative width in it",
          () => compound({ frr: -100, fcr_response_kw: -10 }, { fcr_response_kw: 10 }),
          "compound_breakdown_sign_mismatch",
          "compound_breakdown",
        ],
        [
          "a part of the other sign",
          () => compound({ frr: -100, rr: 10 }),
          "compound_breakdown_sign_mismatch",
          "compound_breakdown",
        ],
        [
          "no member_baselines",
          () => schedule({ member_baselines: undefined }),
          "member_baselines_required",
          "member_baselines",
        ],
        [
          "empty member_baselines",
          () => schedule({ member_baselines: [] }),
          "member_baselines_required",
          "member_baselines",
        ],
        [
          "a member in service left out",
          () => schedule({ member_baselines: baselines("a") }),
          "member_baselines_incomplete",
          "member_baselines",
        ],
        [
          "a baseline of no member",
          () => schedule({ member_baselines: baselines("a", "b", "c") }),
          "member_baselines_unknown_ems",
          "member_baselines[2].ems_id",
        ],
        [
          "a member's baseline twice",
          () => schedule({ member_baselines: baselines("a", "b", "a") }),
          "member_baselines_duplicate",
          "member_baselines[2].ems_id",
        ],
        ["no type", () => schedule({ type: undefined }), "invalid_parameter", "type"],
        ["an unknown type", () => schedule({ type: "later" }), "invalid_parameter", "type"],
        ["an unknown SKU", () => schedule({ sku: "gas" }), "invalid_parameter", "sku"],
        ["delta_kw -1000000", () => schedule({ delta_kw: -1e6 }), "invalid_parameter", "delta_kw"],
        ["fcr_response_kw 1000000", () => fcr({ fcr_response_kw: 1e6 }), "invalid_parameter", "fcr_response_kw"],
        [
          "baseline_kw 1000000",
          () => schedule({ member_baselines: [{ ems_id: id("a"), baseline_kw: 1e6 }, ...baselines("b")] }),
          "invalid_parameter",
          "member_baselines[0].baseline_kw",
        ],
        ["duration_minutes 0", () => immediate({ duration_minutes: 0 }), "invalid_parameter", "duration_minutes"],
        ["duration_minutes 1441", () => immediate({ duration_minutes: 1441 }), "invalid_parameter", "duration_minutes"],
        ["duration_minutes 1.5", () => immediate({ duration_minutes: 1.5 }), "invalid_parameter", "duration_minutes"],
        [
          "an immediate without duration_minutes",
          () => immediate({ duration_minutes: undefined }),
          "invalid_parameter",
          "duration_minutes",
        ],
        [
          "an immediate with start_time",
          () => immediate({ start_time: at("01:00") }),
          "invalid_parameter",
          "start_time",
        ],
        [
          "a schedule with duration_minutes",
          () => schedule({ duration_minutes: 5 }),
          "invalid_parameter",
          "duration_minutes",
        ],
        ["a schedule without start_time", () => schedule({ start_time: undefined }), "invalid_parameter", "start_time"],
        [
          "a start that does not end in Z",
          () => schedule({ start_time: "2026-04-01T01:00:00+00:00" }),
          "invalid_parameter",
          "start_time",
        ],
        [
          "a start in 59 s (docs/model/apis.md#control-times)",
          () => schedule({ start_time: at("00:00:59") }),
          "invalid_parameter",
          "start_time",
        ],
        [
          "a start in 90 days and a second (docs/model/apis.md#control-times)",
          () => schedule({ start_time: at("90.00:00:01"), end_time: at("90.01:00") }),
          "invalid_parameter",
          "start_time",
        ],
        [
          "59 s of length (docs/model/apis.md#control-times)",
          () => schedule({ end_time: at("01:00:59") }),
          "invalid_parameter",
          "end_time",
        ],
        [
          "24 hours and a second (docs/model/apis.md#control-times)",
          () => schedule({ end_time: at("1.01:00:01") }),
          "invalid_parameter",
          "end_time",
        ],
        [
          "an immediate beyond what is available",
          () => immediate({ delta_kw: 300.1 }),
          "invalid_parameter",
          "delta_kw",
        ],
      ] as const,
      async (_, body, errorType, parameter) => {
        const { status, body: answered, error } = await desk.post(body());
        expect([status, error.code, error.error_type, error.parameter]).toEqual([400, 400, errorType, parameter]);
        expect(answered.vpp_id).toBe(id("east"));
        expect(answered.timestamp).toBe(at("00:00"));
        expect((await server.call("vpp-v1", "east", "GET /control/active_power/schedules")).body.schedules).toEqual([]);
      },
    );
    validation.rule(
      "no member in service with weight above 0 is 503, also for a schedule, with retry_after",
      async () => {
        await server.sandbox("/faults", { kind: "outage", site: "a" });
        await server.call("vpp-v1", "east", `POST /members/${id("b")}`, { allocation_weight: 0 });
        for (const body of [schedule(), immediate()]) {
          const { status, error } = await desk.post(body);
          expect([status, error.error_type, typeof error.retry_after]).toEqual([
            503,
            "no_dispatchable_members",
            "number",
          ]);
        }
      },
    );
    validation.rule("frequency response without a capable member is 503", async () => {
      const body = fcr({ member_baselines: [{ ems_id: id("hall"), baseline_kw: 300 }] });
      expect((await desk.post(body, "dr")).error.error_type).toBe("no_dispatchable_members");
    });
    validation.rule(
      "valid_range of an immediate names what is available, with one decimal (docs/model/capability.md#immediate-range)",
      async () => {
        const { error } = await desk.post(immediate({ delta_kw: 300.1 }));
        expect([error.valid_range, error.received_value]).toEqual(["-300.0 to 300.0", 300.1]);
      },
    );
    validation.rules(
      [
        ["a start in 60 s and a length of 60 s are taken", { start_time: at("00:01"), end_time: at("00:02") }],
        [
          "a start in 90 days and a length of 24 hours are taken",
          { start_time: at("90.00:00"), end_time: at("91.00:00") },
        ],
        [
          "seconds are taken (docs/model/apis.md#control-times)",
          { start_time: at("01:00:07"), end_time: at("01:59:53") },
        ],
        ["a delta beyond all is taken of a schedule", { delta_kw: -999_999.9 }],
        ["a sku of null is taken", { sku: null }],
      ] as const,
      async (_, given) => expect(await desk.post(schedule(given))).toMatchObject({ status: 200, body: given }),
    );
    validation.rule("what d66 checks first wins: amounts before times before baselines before 503", async () => {
      await server.sandbox("/faults", { kind: "outage", site: "a" });
      await server.sandbox("/faults", { kind: "outage", site: "b" });
      const all = schedule({
        sku: "fcr",
        fcr_response_kw: 1,
        compound_breakdown: {},
        start_time: at("00:00"),
        member_baselines: baselines("c", "c"),
      });
      const errors: unknown[] = [];
      const fixes: readonly object[] = [
        {},
        { delta_kw: undefined },
        { compound_breakdown: undefined },
        { start_time: at("01:00") },
        { member_baselines: baselines("c") },
        { member_baselines: baselines("a", "b") },
      ];
      let body = all;
      for (const fix of fixes) {
        body = { ...body, ...fix };
        errors.push((await desk.post(body)).error.error_type);
      }
      expect(errors).toEqual([
        "delta_kw_not_allowed_for_fcr",
        "compound_breakdown_not_allowed",
        "invalid_parameter",
        "member_baselines_duplicate",
        "member_baselines_unknown_ems",
        "no_dispatchable_members",
      ]);
    });
  });
}
