import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, column, describeOnServer, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";

const DOC = "Site API 2.2";
const CONTROL = "POST /control/active_power";
const LIST = "GET /control/active_power/schedules";
const period = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });

/** What changes a site: schedules, instructions, baselines. */
export function siteV2CommandRules(): void {
  const server = new ScenarioServer(FLEET);
  const ask = (name: string, line: string, body?: unknown) => server.call("site-v2", name, line, body);
  const schedule = (given: object = {}) => ({
    type: "schedule",
    sku: "frr",
    delta_kw: -50,
    ...period("01:00", "02:00"),
    ...given,
  });
  const slot = (start: string, end: string, baseline_kw = 300) => ({ ...period(start, end), baseline_kw });
  const baseline = (name: string, ...baselines: readonly object[]) => ask(name, "POST /baseline", { baselines });

  describeOnServer("commands of site API 2.2", server, () => {
    const control = sectionOf(DOC, "Control");
    control.rule("a schedule's answer has every field", async () => {
      const { body } = await ask("c", CONTROL, schedule());
      const { schedule_id } = body;
      expect(body).toEqual({
        ems_id: server.idOf("c"),
        message: "Schedule registered successfully.",
        control_type: "schedule",
        schedule_id,
        delta_kw: -50,
        baseline_kw: 0,
        sku: "frr",
        ...period("01:00", "02:00"),
        affected_schedules: [{ schedule_id, action: "created", ...period("01:00", "02:00") }],
        timestamp: at("00:00"),
      });
    });
    control.rule("a request to a site of several components answers with their shares", async () => {
      const { body } = await ask("campus", CONTROL, schedule({ sku: undefined }));
      expect(body.dispatched_components).toEqual([
        { component_id: "bat", component_type: "battery", delta_kw: -50, dispatch_status: "pending" },
        { component_id: "pv", component_type: "generator", delta_kw: null, dispatch_status: "skipped_incompatible" },
        { component_id: "line", component_type: "consumer", delta_kw: 0, dispatch_status: "pending" },
      ]);
    });
    control.rule("a component is named with its scope and kind", async () => {
      expect((await ask("c", CONTROL, schedule({ component_id: "bat" }))).body).toMatchObject({
        scope: "component",
        component_id: "bat",
        component_type: "battery",
      });
    });
    control.rule(
      "site_kw is a target at the grid point: the delta is from the baseline (docs/model/apis.md#direct-control)",
      async () => {
        const { body } = await ask("c", CONTROL, {
          type: "immediate",
          site_kw: -20,
          baseline_kw: 30,
          duration_minutes: 5,
        });
        expect(body).toMatchObject({ site_kw: -20, baseline_kw: 30 });
        expect((await ask("c", "GET /status")).body.dispatched_delta_kw).toBe(-50);
      },
    );
    control.rule("frequency response answers its capacity", async () => {
      const { body } = await ask("c", CONTROL, schedule({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 40 }));
      expect(body).toMatchObject({ message: "FCR schedule registered successfully.", fcr_response_kw: 40, sku: "fcr" });
      expect(rowsOf((await ask("c", LIST)).body, "schedules")[0]).toMatchObject({ fcr_response_kw: 40 });
      expect(rowsOf((await ask("c", LIST)).body, "schedules")[0]).not.toHaveProperty("delta_kw");
    });
    control.rule("out of service a schedule is registered with a warning, an immediate refused with 503", async () => {
      await server.sandbox("/faults", { kind: "outage", site: "c" });
      expect(await ask("c", CONTROL, schedule())).toMatchObject({
        status: 200,
        body: {
          warning: "system_out_of_service",
          message: expect.stringMatching(/^Schedule registered\..*System failure or under maintenance/),
        },
      });
      const { status: code, error } = await ask("c", CONTROL, { type: "immediate", delta_kw: 1, duration_minutes: 5 });
      expect([code, error.error_type, error.message]).toEqual([
        503,
        "system_out_of_service",
        "System failure or under maintenance",
      ]);
    });
    control.rules<readonly [string, string, object, number, string, string | undefined]>(
      [
        ["no amount", "c", schedule({ delta_kw: undefined }), 400, "delta_kw_required", "delta_kw"],
        ["two amounts", "c", schedule({ site_kw: 5 }), 400, "invalid_parameter", "site_kw"],
        [
          "a delta of 1000000 (docs/model/apis.md#error-types)",
          "c",
          schedule({ delta_kw: 1e6 }),
          400,
          "invalid_parameter",
          "delta_kw",
        ],
        [
          "an immediate without duration_minutes (docs/model/apis.md#direct-control)",
          "c",
          { type: "immediate", delta_kw: 1 },
          400,
          "invalid_parameter",
          "duration_minutes",
        ],
        ["an unknown component", "c", schedule({ component_id: "x" }), 400, "invalid_parameter", "component_id"],
        ["a start in 59 s", "c", schedule({ start_time: at("00:00:59") }), 400, "invalid_parameter", "start_time"],
        [
          "a start in 90 days and a second",
          "c",
          schedule(period("90.00:00:01", "90.01:00")),
          400,
          "invalid_parameter",
          "start_time",
        ],
        [
          "a length of 24 hours and a second",
          "c",
          schedule(period("01:00", "1.01:00:01")),
          400,
          "invalid_parameter",
          "end_time",
        ],
        [
          "export of a site that cannot",
          "plant",
          schedule({ delta_kw: undefined, site_kw: -10 }),
          422,
          "reverse_power_flow_forbidden",
          "site_kw",
        ],
        ["a product outside marketable", "narrow", schedule(), 422, "sku_not_marketable", "sku"],
        [
          "negawatt-spot without a baseline",
          "shop",
          schedule({ sku: "negawatt-spot", baseline_kw: 300 }),
          422,
          "baseline_not_configured",
          undefined,
        ],
        [
          "a reduction below the least (docs/model/apis.md#site-refusals)",
          "plant",
          schedule({ delta_kw: -39.9, baseline_kw: 300 }),
          400,
          "dr_reduction_below_minimum",
          "delta_kw",
        ],
        [
          "a reduction below the shortest (docs/model/apis.md#site-refusals)",
          "plant",
          schedule({ ...period("01:00", "01:29"), baseline_kw: 300 }),
          400,
          "dr_duration_below_minimum",
          undefined,
        ],
      ],
      async (_, name, body, code, errorType, parameter) => {
        const answered = await ask(name, CONTROL, body);
        expect([answered.status, answered.error.error_type, answered.error.parameter]).toEqual([
          code,
          errorType,
          parameter,
        ]);
        expect(answered.body.ems_id).toBe(server.idOf(name));
      },
    );
    control.rule("reverse power flow names what would do", async () => {
      const { error } = await ask("plant", CONTROL, schedule({ delta_kw: undefined, site_kw: -10 }));
      expect([error.received_value, error.valid_range]).toEqual([-10, "0 to 550"]);
    });
    control.rule(
      "a missing baseline names the first slot and what to do (docs/model/apis.md#site-refusals)",
      async () => {
        await baseline("shop", slot("01:00", "01:30"));
        const { error } = await ask("shop", CONTROL, schedule({ sku: "negawatt-spot" }));
        expect(error).toMatchObject({
          error_type: "baseline_not_configured",
          ...period("01:30", "02:00"),
          required_action: expect.any(String),
        });
        await baseline("shop", slot("01:30", "02:00"));
        expect((await ask("shop", CONTROL, schedule({ sku: "negawatt-spot" }))).status).toBe(200);
      },
    );
    control.rule(
      "a second reduction at once is 409, one before the rest is over 422, equal is taken (docs/model/consumer.md#contiguous)",
      async () => {
        const shed = (sku: string) =>
          ask("plant", CONTROL, { type: "immediate", sku, delta_kw: -50, baseline_kw: 300, duration_minutes: 30 });
        expect((await shed("rr")).status).toBe(200);
        expect((await shed("frr")).error).toMatchObject({ code: 409, error_type: "dr_duplicate_dispatch" });
        await server.advanceTo("01:29:59");
        expect((await shed("rr")).error).toMatchObject({ code: 422, error_type: "dr_cooldown_active" });
        await server.advanceTo("01:30");
        expect((await shed("rr")).status).toBe(200);
      },
    );

    const schedules = sectionOf(DOC, "Schedules");
    schedules.rule("the VPP's and the owner's are listed", async () => {
      const member_baselines = [{ ems_id: server.idOf("w"), baseline_kw: 0 }];
      await server.call("vpp-v1", "west", CONTROL, { ...schedule(), member_baselines });
      await ask("w", CONTROL, schedule(period("03:00", "04:00")));
      expect(column(rowsOf((await ask("w", LIST)).body, "schedules"), "start_time")).toEqual([
        at("01:00"),
        at("03:00"),
      ]);
    });
    schedules.rule("DELETE answers 200 with four fields (docs/model/apis.md#direct-control)", async () => {
      const { schedule_id } = (await ask("c", CONTROL, schedule())).body;
      await server.advanceTo("00:59");
      expect((await ask("c", `DELETE /control/active_power/schedules?schedule_id=${schedule_id}`)).body).toEqual({
        ems_id: server.idOf("c"),
        message: "Schedule deleted successfully",
        schedule_id,
        timestamp: at("00:59"),
      });
    });
    schedules.rules(
      [
        ["within a minute of its start", "00:59:01"],
        ["running", "01:10"],
        ["completed", "02:00"],
      ] as const,
      async (_, clock) => {
        const { schedule_id } = (await ask("c", CONTROL, schedule())).body;
        await server.advanceTo(clock);
        const { status: code, error } = await ask(
          "c",
          `DELETE /control/active_power/schedules?schedule_id=${schedule_id}`,
        );
        expect([code, error]).toMatchObject([
          409,
          { message: "Schedule cannot be deleted", schedule_id, start_time: at("01:00"), current_time: at(clock) },
        ]);
      },
    );
    schedules.rule("an unknown id is 404 and named", async () => {
      const { status: code, error } = await ask("c", "DELETE /control/active_power/schedules?schedule_id=x");
      expect([code, error]).toMatchObject([404, { message: "Schedule not found", schedule_id: "x" }]);
    });
    schedules.rule("a list beyond 90 days is 400 (docs/model/apis.md#error-types)", async () => {
      expect((await ask("c", `${LIST}?end_time=${at("90.00:00:01")}`)).error.error_type).toBe(
        "schedule_query_out_of_range",
      );
    });

    const base = sectionOf(DOC, "Baseline");
    base.rule("a new slot is created, the same again overwritten, last wins", async () => {
      const { body } = await baseline("shop", slot("01:00", "01:30", 280));
      expect(body).toEqual({
        ems_id: server.idOf("shop"),
        registered: [{ ...slot("01:00", "01:30", 280), action: "created" }],
        timestamp: at("00:00"),
      });
      expect((await baseline("shop", slot("01:00", "01:30", 290))).body.registered).toMatchObject([
        { action: "overwritten" },
      ]);
      expect((await ask("shop", "GET /baseline")).body.baselines).toEqual([
        { ...slot("01:00", "01:30", 290), registered_at: at("00:00") },
      ]);
      await server.advanceTo("01:00");
      expect((await ask("shop", "GET /status")).body.baseline_kw).toBe(290);
    });
    base.rules<readonly [string, object, number, string, string]>(
      [
        ["a start off :00 and :30", slot("01:10", "01:40"), 400, "baseline_unaligned", "baselines[0].start_time"],
        ["a slot of an hour", slot("01:00", "02:00"), 400, "baseline_unaligned", "baselines[0].end_time"],
        [
          "a consumer below 0 (docs/model/apis.md#error-types)",
          slot("01:00", "01:30", -1),
          400,
          "baseline_out_of_range",
          "baselines[0].baseline_kw",
        ],
        [
          "a consumer above contract_kw (docs/model/apis.md#error-types)",
          slot("01:00", "01:30", 600.1),
          400,
          "baseline_out_of_range",
          "baselines[0].baseline_kw",
        ],
      ],
      async (_, body, code, errorType, parameter) => {
        const { status: found, error } = await baseline("shop", body);
        expect([found, error.error_type, error.parameter]).toEqual([code, errorType, parameter]);
      },
    );
    base.rule("336 slots at once are taken, 337 are too many (docs/model/apis.md#error-types)", async () => {
      const slots = (count: number) =>
        Array.from({ length: count }, (_, k) => {
          const clock = (half: number) =>
            `${Math.floor(half / 48)}.${Math.floor((half % 48) / 2)}:${half % 2 === 0 ? "00" : "30"}`;
          return slot(clock(k), clock(k + 1));
        });
      expect((await baseline("shop", ...slots(336))).status).toBe(200);
      expect((await baseline("shop", ...slots(337))).error.error_type).toBe("baseline_bulk_too_large");
    });
    base.rule(
      "a slot of a completed reduction is locked, a running one not yet (docs/model/baselines.md#locked-slots)",
      async () => {
        await ask("hall", CONTROL, {
          type: "immediate",
          sku: "rr",
          delta_kw: -50,
          baseline_kw: 300,
          duration_minutes: 30,
        });
        await server.advanceTo("00:10");
        expect((await baseline("hall", slot("00:00", "00:30", 310))).status).toBe(200);
        await server.advanceTo("00:30");
        const { status: code, error } = await baseline("hall", slot("00:00", "00:30", 320));
        expect([code, error.error_type]).toEqual([422, "baseline_locked_after_dr"]);
        expect((await baseline("hall", slot("00:30", "01:00", 320))).status).toBe(200);
      },
    );
    base.rule("a window of more than 7 days is 410 (docs/model/apis.md#error-types)", async () => {
      const { status: code, error } = await ask(
        "shop",
        `GET /baseline?start_time=${at("00:00")}&end_time=${at("7.00:00:01")}`,
      );
      expect([code, error.error_type]).toEqual([410, "baseline_query_too_large"]);
    });
  });
}
