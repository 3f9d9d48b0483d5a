import { expect } from "vitest";
import { FLEET } from "./scenarios.ts";
import { at, type Body, column, onStage, rowsOf, Stage } from "./stage.ts";
import { sectionOf } from "./tally.ts";

const DOC = "Site API 2.2";
const CONTROL = "POST /control/active_power";
const LIST = "GET /control/active_power/schedules";
const period = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });
const sorted = (keys: readonly string[]) => [...keys].sort();
const keysOf = (row: unknown) => sorted(Object.keys(row as Body));

export function siteV2Rules(): void {
  const stage = new Stage(FLEET);
  const ask = (name: string, line: string, body?: unknown) => stage.call("site-v2", name, line, body);
  const schedule = (given: object = {}) => ({
    type: "schedule",
    sku: "frr",
    delta_kw: -50,
    ...period("01:00", "02:00"),
    ...given,
  });
  const slot = (start: string, end: string, baseline_kw = 300) => ({ ...period(start, end), baseline_kw });
  const baseline = (name: string, ...baselines: readonly object[]) => ask(name, "POST /baseline", { baselines });

  onStage("site API 2.2", stage, () => {
    const status = sectionOf(DOC, "Status");
    const SUMMARY = [
      "ems_id",
      "status",
      "fcr_active",
      "current_kw",
      "baseline_kw",
      "delta_kw",
      "dispatched_delta_kw",
      "has_warning",
      "measure_timestamp",
      "timestamp",
    ];
    const CAPACITY = [
      "import_energy_available",
      "export_energy_available",
      "import_power_available",
      "export_power_available",
    ];
    const kinds: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
      ["a", [...CAPACITY, "output_control_limit"], CAPACITY, ["soc"]],
      ["sun", ["export_power_available", "output_control_limit"], ["export_power_available"], ["irradiance_w_m2"]],
      ["coal", ["export_power_available", "output_control_limit"], ["export_power_available"], []],
      ["lake", ["export_power_available", "output_control_limit"], ["export_power_available"], []],
      [
        "plant",
        ["dr_active", "import_power_available"],
        ["import_power_available"],
        ["dr_active", "dr_target_reduction_kw", "dr_actual_reduction_kw"],
      ],
      [
        "campus",
        [...CAPACITY, "dr_active", "output_control_limit"],
        CAPACITY,
        ["dr_active", "dr_target_reduction_kw", "dr_actual_reduction_kw", "components"],
      ],
    ];
    status.rules<readonly [string, string, readonly string[]]>(
      kinds.map(([name, keys]) => [`fields of the summary of ${name}`, name, keys]),
      async (_, name, keys) =>
        expect(keysOf((await ask(name, "GET /status")).body)).toEqual(sorted([...SUMMARY, ...keys])),
    );
    status.rules<readonly [string, string, readonly string[], readonly string[]]>(
      kinds.map(([name, , capacity, state]) => [`blocks of the details of ${name}`, name, capacity, state]),
      async (_, name, capacity, state) => {
        const { body } = await ask(name, "GET /status/details");
        expect(keysOf(body)).toEqual(
          sorted([
            "ems_id",
            "status",
            "has_warning",
            "active_sku",
            "last_dispatch_status",
            "measure_timestamp",
            "timestamp",
            "active_power",
            "capacity",
            "resource_state",
          ]),
        );
        expect(keysOf(body.active_power)).toEqual(
          sorted([
            "current_kw",
            "baseline_kw",
            "delta_kw",
            "dispatched_delta_kw",
            "fcr_active",
            "fcr_response_kw",
            "output_control_limit",
            "output_control_reason",
          ]),
        );
        expect([keysOf(body.capacity), keysOf(body.resource_state)]).toEqual([sorted(capacity), sorted(state)]);
      },
    );
    status.rule("a consumer's own import is contract_kw, cut by its grid limit (d4)", async () => {
      expect((await ask("plant", "GET /status")).body.import_power_available).toBe(550);
      expect((await ask("hall", "GET /status")).body.import_power_available).toBe(600);
    });
    status.rule("status 9: nulls, zero capacities, a warning, the last measurement", async () => {
      await stage.goTo("00:10");
      await stage.sandbox("/faults", { kind: "outage", site: "a" });
      await stage.goTo("00:20");
      expect((await ask("a", "GET /status")).body).toMatchObject({
        status: 9,
        current_kw: null,
        delta_kw: null,
        dispatched_delta_kw: null,
        has_warning: 1,
        measure_timestamp: at("00:10"),
        import_energy_available: 0,
        export_energy_available: 0,
        import_power_available: 0,
        export_power_available: 0,
      });
      expect((await ask("a", "GET /status/details")).body.resource_state).toEqual({ soc: 50 });
    });
    status.rule("current = baseline + delta, a slot without a baseline reads 0", async () => {
      await ask("a", CONTROL, { type: "immediate", delta_kw: -30, baseline_kw: 10, duration_minutes: 10 });
      expect((await ask("a", "GET /status")).body).toMatchObject({
        current_kw: -20,
        baseline_kw: 10,
        delta_kw: -30,
        dispatched_delta_kw: -30,
      });
      expect((await ask("shop", "GET /status")).body).toMatchObject({ current_kw: 300, baseline_kw: 0, delta_kw: 300 });
    });

    const specs = sectionOf(DOC, "Specifications");
    specs.rules<readonly [string, string, number, readonly string[]]>(
      [
        ["fields of a battery", "a", 0, ["rated_cap", "import_pwr_max", "export_pwr_max", "soc_op_max", "soc_op_min"]],
        ["fields of photovoltaics", "sun", 0, ["generator_kind", "pv_capacity_kw", "rated_output_kw"]],
        [
          "fields of a thermal plant",
          "coal",
          0,
          ["generator_kind", "rated_output_kw", "fuel_type", "min_output_kw", "ramp_rate_kw_per_min"],
        ],
        [
          "fields of pumped storage",
          "lake",
          0,
          [
            "generator_kind",
            "rated_output_kw",
            "fuel_type",
            "min_output_kw",
            "ramp_rate_kw_per_min",
            "upper_reservoir_capacity_kwh",
            "pump_input_max_kw",
          ],
        ],
        [
          "fields of a consumer",
          "campus",
          2,
          [
            "consumer_kind",
            "contract_kw",
            "max_demand_kw",
            "dr_capable",
            "min_dr_reduction_kw",
            "max_dr_reduction_kw",
            "min_dr_duration_minutes",
            "min_dr_cooldown_minutes",
          ],
        ],
      ],
      async (_, name, index, keys) => {
        const { body } = await ask(name, "GET /specifications");
        expect(keysOf(body)).toEqual(
          sorted(["ems_id", "site_capability", "site_constraints", "components", "effective_from", "timestamp"]),
        );
        expect(keysOf(rowsOf(body, "components")[index])).toEqual(
          sorted(["component_id", "component_type", "fcr_capable", ...keys]),
        );
      },
    );
    specs.rule("capabilities and constraints of a site", async () => {
      const { body } = await ask("campus", "GET /specifications");
      expect(body.site_capability).toMatchObject({
        fcr_capable: true,
        dr_capable: true,
        reverse_flow_allowed: false,
        balancing_responsible: false,
        non_firm_connection: false,
      });
      expect(body.site_constraints).toEqual({
        voltage_class: "high",
        measurement_point: "grid",
        site_import_max_kw: 550,
        site_export_max_kw: null,
      });
      expect((await ask("narrow", "GET /specifications")).body.site_capability).toMatchObject({ marketable: ["rr"] });
    });

    const control = sectionOf(DOC, "Control");
    control.rule("a schedule's answer has every field, with its components", async () => {
      const { body } = await ask("c", CONTROL, schedule());
      const { schedule_id } = body;
      expect(body).toEqual({
        ems_id: stage.idOf("c"),
        message: "Schedule registered successfully.",
        control_type: "schedule",
        schedule_id,
        delta_kw: -50,
        baseline_kw: 0,
        sku: "frr",
        ...period("01:00", "02:00"),
        dispatched_components: [
          { component_id: "bat", component_type: "battery", delta_kw: -50, dispatch_status: "pending" },
        ],
        affected_schedules: [{ schedule_id, action: "created", ...period("01:00", "02:00") }],
        timestamp: at("00:00"),
      });
    });
    control.rule("a component is named with its scope and kind", async () => {
      expect((await ask("c", CONTROL, schedule({ component_id: "bat" }))).body).toMatchObject({
        scope: "component",
        component_id: "bat",
        component_type: "battery",
      });
    });
    control.rule("site_kw is a target at the grid point: the delta is from the baseline (d139)", async () => {
      const { body } = await ask("c", CONTROL, {
        type: "immediate",
        site_kw: -20,
        baseline_kw: 30,
        duration_minutes: 5,
      });
      expect(body).toMatchObject({ site_kw: -20, baseline_kw: 30, dispatched_components: [{ delta_kw: -50 }] });
      expect((await ask("c", "GET /status")).body.dispatched_delta_kw).toBe(-50);
    });
    control.rule("frequency response answers its width", async () => {
      const { body } = await ask("c", CONTROL, schedule({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 40 }));
      expect(body).toMatchObject({ message: "FCR schedule registered successfully.", fcr_response_kw: 40, sku: "fcr" });
      expect(rowsOf((await ask("c", LIST)).body, "schedules")[0]).toMatchObject({ fcr_response_kw: 40 });
      expect(rowsOf((await ask("c", LIST)).body, "schedules")[0]).not.toHaveProperty("delta_kw");
    });
    control.rule("out of service a schedule is registered with a warning, an immediate refused with 503", async () => {
      await stage.sandbox("/faults", { kind: "outage", site: "c" });
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
        ["a delta of 1000000 (d164)", "c", schedule({ delta_kw: 1e6 }), 400, "invalid_parameter", "delta_kw"],
        [
          "an immediate without duration_minutes (d139)",
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
          "a reduction below the least (d152)",
          "plant",
          schedule({ delta_kw: -39.9, baseline_kw: 300 }),
          400,
          "dr_reduction_below_minimum",
          "delta_kw",
        ],
        [
          "a reduction below the shortest (d152)",
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
        expect(answered.body.ems_id).toBe(stage.idOf(name));
      },
    );
    control.rule("reverse power flow names what would do", async () => {
      const { error } = await ask("plant", CONTROL, schedule({ delta_kw: undefined, site_kw: -10 }));
      expect([error.received_value, error.valid_range]).toEqual([-10, "0 to 550"]);
    });
    control.rule("a missing baseline names the first slot and what to do (d29)", async () => {
      await baseline("shop", slot("01:00", "01:30"));
      const { error } = await ask("shop", CONTROL, schedule({ sku: "negawatt-spot" }));
      expect(error).toMatchObject({
        error_type: "baseline_not_configured",
        ...period("01:30", "02:00"),
        required_action: expect.any(String),
      });
      await baseline("shop", slot("01:30", "02:00"));
      expect((await ask("shop", CONTROL, schedule({ sku: "negawatt-spot" }))).status).toBe(200);
    });
    control.rule(
      "a second reduction at once is 409, one before the rest is over 422, equal is taken (d87)",
      async () => {
        const shed = (sku: string) =>
          ask("plant", CONTROL, { type: "immediate", sku, delta_kw: -50, baseline_kw: 300, duration_minutes: 30 });
        expect((await shed("rr")).status).toBe(200);
        expect((await shed("frr")).error).toMatchObject({ code: 409, error_type: "dr_duplicate_dispatch" });
        await stage.goTo("01:29:59");
        expect((await shed("rr")).error).toMatchObject({ code: 422, error_type: "dr_cooldown_active" });
        await stage.goTo("01:30");
        expect((await shed("rr")).status).toBe(200);
      },
    );

    const schedules = sectionOf(DOC, "Schedules");
    schedules.rule("the VPP's and the owner's are listed", async () => {
      const member_baselines = [{ ems_id: stage.idOf("w"), baseline_kw: 0 }];
      await stage.call("vpp-v1", "west", CONTROL, { ...schedule(), member_baselines });
      await ask("w", CONTROL, schedule(period("03:00", "04:00")));
      expect(column(rowsOf((await ask("w", LIST)).body, "schedules"), "start_time")).toEqual([
        at("01:00"),
        at("03:00"),
      ]);
    });
    schedules.rule("DELETE answers 200 with four fields (d165)", async () => {
      const { schedule_id } = (await ask("c", CONTROL, schedule())).body;
      await stage.goTo("00:59");
      expect((await ask("c", `DELETE /control/active_power/schedules?schedule_id=${schedule_id}`)).body).toEqual({
        ems_id: stage.idOf("c"),
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
        await stage.goTo(clock);
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
    schedules.rule("a list beyond 90 days is 400 (d164)", async () => {
      expect((await ask("c", `${LIST}?end_time=${at("90.00:00:01")}`)).error.error_type).toBe(
        "schedule_query_out_of_range",
      );
    });

    const base = sectionOf(DOC, "Baseline");
    base.rule("a new slot is created, the same again overwritten, last wins", async () => {
      const { body } = await baseline("shop", slot("01:00", "01:30", 280));
      expect(body).toEqual({
        ems_id: stage.idOf("shop"),
        registered: [{ ...slot("01:00", "01:30", 280), action: "created" }],
        timestamp: at("00:00"),
      });
      expect((await baseline("shop", slot("01:00", "01:30", 290))).body.registered).toMatchObject([
        { action: "overwritten" },
      ]);
      expect((await ask("shop", "GET /baseline")).body.baselines).toEqual([
        { ...slot("01:00", "01:30", 290), registered_at: at("00:00") },
      ]);
      await stage.goTo("01:00");
      expect((await ask("shop", "GET /status")).body.baseline_kw).toBe(290);
    });
    base.rules<readonly [string, object, number, string, string]>(
      [
        ["a start off :00 and :30", slot("01:10", "01:40"), 400, "baseline_unaligned", "baselines[0].start_time"],
        ["a slot of an hour", slot("01:00", "02:00"), 400, "baseline_unaligned", "baselines[0].end_time"],
        [
          "a consumer below 0 (d164)",
          slot("01:00", "01:30", -1),
          400,
          "baseline_out_of_range",
          "baselines[0].baseline_kw",
        ],
        [
          "a consumer above contract_kw (d164)",
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
    base.rule("336 slots at once are taken, 337 are too many (d164)", async () => {
      const slots = (count: number) =>
        Array.from({ length: count }, (_, k) => {
          const clock = (half: number) =>
            `${Math.floor(half / 48)}.${Math.floor((half % 48) / 2)}:${half % 2 === 0 ? "00" : "30"}`;
          return slot(clock(k), clock(k + 1));
        });
      expect((await baseline("shop", ...slots(336))).status).toBe(200);
      expect((await baseline("shop", ...slots(337))).error.error_type).toBe("baseline_bulk_too_large");
    });
    base.rule("a slot of a completed reduction is locked, a running one not yet (d30)", async () => {
      await ask("hall", CONTROL, {
        type: "immediate",
        sku: "rr",
        delta_kw: -50,
        baseline_kw: 300,
        duration_minutes: 30,
      });
      await stage.goTo("00:10");
      expect((await baseline("hall", slot("00:00", "00:30", 310))).status).toBe(200);
      await stage.goTo("00:30");
      const { status: code, error } = await baseline("hall", slot("00:00", "00:30", 320));
      expect([code, error.error_type]).toEqual([422, "baseline_locked_after_dr"]);
      expect((await baseline("hall", slot("00:30", "01:00", 320))).status).toBe(200);
    });
    base.rule("a window of more than 7 days is 410 (d164)", async () => {
      const { status: code, error } = await ask(
        "shop",
        `GET /baseline?start_time=${at("00:00")}&end_time=${at("7.00:00:01")}`,
      );
      expect([code, error.error_type]).toEqual([410, "baseline_query_too_large"]);
    });

    const plan = sectionOf(DOC, "Service plan");
    plan.rule("begins at the half hour of now, 48 slots, with maintenance and what is scheduled", async () => {
      await ask(
        "rest",
        CONTROL,
        schedule({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 40, ...period("02:10", "02:40") }),
      );
      await stage.goTo("00:40");
      const { body } = await ask("rest", "GET /serviceplan");
      const plans = rowsOf(body, "plans");
      expect([plans.length, plans[0].start_time, plans[0].baseline_kw]).toEqual([48, at("00:30"), 20]);
      expect(plans.filter((each) => each.status === 9).map((each) => each.start_time)).toEqual([
        at("06:00"),
        at("06:30"),
      ]);
      expect(plans.filter((each) => each.scheduled_fcr_response_kw === 40).map((each) => each.start_time)).toEqual([
        at("02:00"),
        at("02:30"),
      ]);
      expect(plans[3]).toMatchObject({ scheduled_sku: "fcr", scheduled_delta_kw: null });
    });

    const history = sectionOf(DOC, "History");
    history.rules<readonly [string, string, object, number, string | undefined]>(
      [
        [
          "an interval of 7 s is 400 (d65)",
          "active_power",
          { ...period("00:00", "01:00"), interval_seconds: 7 },
          400,
          "invalid_parameter",
        ],
        [
          "30001 elements are 410",
          "active_power",
          { ...period("-2.00:00", "-2.08:20:01"), interval_seconds: 1 },
          410,
          "data_points_exceeded",
        ],
        [
          "30000 elements are taken",
          "active_power",
          { ...period("-2.00:00", "-2.08:20"), interval_seconds: 1 },
          200,
          undefined,
        ],
        ["an end in the future is 400", "energy", period("00:00", "01:00:01"), 400, "invalid_parameter"],
      ],
      async (_, path, body, code, errorType) => {
        await stage.goTo("01:00");
        const answered = await ask("a", `POST /measurements/${path}`, body);
        expect([answered.status, answered.error.error_type]).toEqual([code, errorType]);
      },
    );
    history.rule("above 31 days is 410 with its own parameter and range", async () => {
      const { status: code, error } = await ask(
        "a",
        "POST /measurements/active_power",
        period("-31.00:00", "00:00:01"),
      );
      expect([code, error.parameter, error.valid_range]).toEqual([410, "end_time - start_time", "1 second to 31 days"]);
    });
    history.rule("records have the fields of their kind", async () => {
      await stage.goTo("00:30");
      const common = [
        "timestamp",
        "current_kw",
        "baseline_kw",
        "delta_kw",
        "dispatched_delta_kw",
        "fcr_response_kw",
        "active_sku",
        "actual_frequency",
      ];
      const more: Readonly<Record<string, readonly string[]>> = {
        a: ["soc", "output_control_limit"],
        sun: ["irradiance_w_m2", "output_control_limit"],
        coal: ["output_control_limit"],
        plant: ["dr_active", "dr_target_reduction_kw", "dr_actual_reduction_kw"],
        campus: ["dr_active", "dr_target_reduction_kw", "dr_actual_reduction_kw", "output_control_limit", "components"],
      };
      for (const [name, keys] of Object.entries(more)) {
        const { body } = await ask(name, "POST /measurements/active_power", {
          ...period("00:00", "00:30"),
          interval_seconds: 1800,
        });
        expect([name, keysOf(rowsOf(body, "data")[0])]).toEqual([name, sorted([...common, ...keys])]);
      }
    });
    history.rule(
      "energy is data[] always; imbalance only of who is balancing-responsible; counters of loads",
      async () => {
        await stage.goTo("01:00");
        const energy = async (name: string) =>
          (await ask(name, "POST /measurements/energy", period("00:00", "01:00"))).body;
        const [sun, fit, plant] = [await energy("sun"), await energy("fit"), await energy("plant")];
        expect(rowsOf(sun, "data")).toMatchObject([{ ...period("00:00", "01:00"), export_kwh: 50 }]);
        expect([sun, fit].map((body) => "imbalance_kwh" in rowsOf(body, "data")[0])).toEqual([false, true]);
        expect(rowsOf(fit, "data")[0]).toMatchObject({ export_kwh: 50, fit_export_kwh: 50 });
        expect([sun, plant].map((body) => "dr_dispatched_count" in body)).toEqual([false, true]);
      },
    );
  });
}
