import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, describeOnServer, type JsonBody, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";

const DOC = "Site API 2.2";
const CONTROL = "POST /control/active_power";
const period = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });
const sorted = (keys: readonly string[]) => [...keys].sort();
const keysOf = (row: unknown) => sorted(Object.keys(row as JsonBody));

/** What is read of a site. */
export function siteV2ReadRules(): void {
  const server = new ScenarioServer(FLEET);
  const ask = (name: string, line: string, body?: unknown) => server.call("site-v2", name, line, body);
  const schedule = (given: object = {}) => ({
    type: "schedule",
    sku: "frr",
    delta_kw: -50,
    ...period("01:00", "02:00"),
    ...given,
  });

  describeOnServer("site API 2.2", server, () => {
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
    status.rule(
      "a consumer's own import is contract_kw, cut by its grid limit (docs/model/capability.md#available-power)",
      async () => {
        expect((await ask("plant", "GET /status")).body.import_power_available).toBe(550);
        expect((await ask("hall", "GET /status")).body.import_power_available).toBe(600);
      },
    );
    status.rule("status 9: nulls, zero capacities, a warning, the last measurement", async () => {
      await server.advanceTo("00:10");
      await server.sandbox("/faults", { kind: "outage", site: "a" });
      await server.advanceTo("00:20");
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
        ["fields of a thermal plant", "coal", 0, ["generator_kind", "rated_output_kw", "fuel_type", "min_output_kw"]],
        [
          "fields of pumped storage",
          "lake",
          0,
          ["generator_kind", "rated_output_kw", "min_output_kw", "upper_reservoir_capacity_kwh", "pump_input_max_kw"],
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
          sorted([
            "ems_id",
            "site_capability",
            "components",
            "effective_from",
            "timestamp",
            ...(name === "campus" ? ["site_constraints"] : []),
          ]),
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
      });
      expect((await ask("narrow", "GET /specifications")).body.site_capability).toMatchObject({ marketable: ["rr"] });
    });
    specs.rule("the shortest demand response is 1 to 1440 minutes", async () => {
      const { body } = await ask("plant", "GET /specifications");
      expect(rowsOf(body, "components")[0].min_dr_duration_minutes).toBe(30);
    });
    specs.rule("a plant under a feed-in tariff has no market products, and refuses them", async () => {
      expect((await ask("fit", "GET /specifications")).body.site_capability).toMatchObject({ marketable: [] });
      const order = { type: "immediate", delta_kw: 10, duration_minutes: 30 };
      const refused = await ask("fit", "POST /control/active_power", { ...order, sku: "frr" });
      expect([refused.status, refused.error.error_type, "valid_range" in refused.error]).toEqual([
        422,
        "sku_not_marketable",
        false,
      ]);
      expect((await ask("fit", "POST /control/active_power", order)).status).toBe(200);
    });

    const plan = sectionOf(DOC, "Service plan");
    plan.rule("begins at the half hour of now, 48 slots, with maintenance and what is scheduled", async () => {
      await ask(
        "rest",
        CONTROL,
        schedule({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 40, ...period("02:10", "02:40") }),
      );
      await server.advanceTo("00:40");
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
          "an interval of 7 s is 400 (docs/model/apis.md#history-periods)",
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
        ["an end after now is answered up to now", "energy", period("00:00", "01:00:01"), 200, undefined],
        ["a start after now is 400", "energy", period("01:00:01", "02:00:01"), 400, "invalid_parameter"],
      ],
      async (_, path, body, code, errorType) => {
        await server.advanceTo("01:00");
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
      await server.advanceTo("00:30");
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
        await server.advanceTo("01:00");
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
