import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, column, describeOnServer, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";

const DOC = "Site API 1.13";
const CONTROL = "POST /control/power";
const period = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });

export function siteV1Rules(): void {
  const server = new ScenarioServer(FLEET);
  const ask = (line: string, body?: unknown, name = "c") => server.call("site-v1", name, line, body);
  const schedule = (given: object = {}) => ({
    type: "schedule",
    power_kw: -50,
    sku: "frr",
    ...period("01:00", "02:00"),
    ...given,
  });
  const immediate = (given: object = {}) => ({ type: "immediate", power_kw: -50, duration_minutes: 30, ...given });
  const outage = () => server.sandbox("/faults", { kind: "outage", site: "c" });
  const list = async () => rowsOf((await ask("GET /control/schedules")).body, "schedules");

  describeOnServer("site API 1.13", server, () => {
    const status = sectionOf(DOC, "2 GET status");
    status.rule("has every field, all of them numbers", async () => {
      expect((await ask("GET /status")).body).toEqual({
        ems_id: server.idOf("c"),
        status: 0,
        in_fcr_mode: 0,
        charge_capacity_available: 400,
        discharge_capacity_available: 400,
        charge_power_available: 300,
        discharge_power_available: 300,
        current_kw: 0,
        baseline_kw: 0,
        soc: 50,
        output_control_limit: 100,
        measure_timestamp: at("00:00"),
        timestamp: at("00:00"),
      });
    });
    status.rule("a warning is status 1 (docs/model/apis.md#v1-status)", async () => {
      await server.sandbox("/faults", { kind: "warning", site: "c" });
      expect((await ask("GET /status")).body.status).toBe(1);
    });
    status.rule("out of service is status 9, required numbers are 0 (docs/model/apis.md#v1-view)", async () => {
      await outage();
      expect((await ask("GET /status")).body).toMatchObject({
        status: 9,
        current_kw: 0,
        charge_power_available: 0,
        discharge_capacity_available: 0,
      });
    });
    status.rule("a site without a battery has capacities and soc 0 (docs/model/apis.md#v1-view)", async () => {
      expect((await ask("GET /status", undefined, "sun")).body).toMatchObject({
        soc: 0,
        charge_capacity_available: 0,
        discharge_capacity_available: 0,
        current_kw: -50,
      });
    });
    status.rule("frequency response is in_fcr_mode 1", async () => {
      await ask(CONTROL, immediate({ sku: "fcr", power_kw: 40 }));
      expect((await ask("GET /status")).body.in_fcr_mode).toBe(1);
    });
    sectionOf(DOC, "3 GET specifications").rule("has the ratings", async () => {
      expect((await ask("GET /specifications")).body).toEqual({
        ems_id: server.idOf("c"),
        rated_cap: 1000,
        dis_pwr_max: 300,
        chg_pwr_max: 300,
        soc_op_max: 90,
        soc_op_min: 10,
        timestamp: at("00:00"),
      });
    });

    const control = sectionOf(DOC, "4 POST control/power");
    control.rule("an immediate is accepted and answers what was requested", async () => {
      expect((await ask(CONTROL, immediate())).body).toEqual({
        ems_id: server.idOf("c"),
        message: "Power control accepted",
        control_type: "immediate",
        power_kw: -50,
        baseline_kw: 0,
        timestamp: at("00:00"),
      });
      expect((await ask("GET /status")).body.current_kw).toBe(-50);
    });
    control.rule("power_kw is a delta from baseline_kw", async () => {
      await ask(CONTROL, immediate({ baseline_kw: 20 }));
      expect((await ask("GET /status")).body).toMatchObject({ current_kw: -30, baseline_kw: 20 });
    });
    control.rule("a schedule answers its times", async () => {
      expect((await ask(CONTROL, schedule())).body).toMatchObject({
        control_type: "schedule",
        power_kw: -50,
        sku: "frr",
        ...period("01:00", "02:00"),
      });
    });
    control.rule("status 1 takes both as status 0 does", async () => {
      await server.sandbox("/faults", { kind: "warning", site: "c" });
      expect([(await ask(CONTROL, immediate())).status, (await ask(CONTROL, schedule())).status]).toEqual([200, 200]);
    });
    control.rule("status 9 refuses an immediate with 503", async () => {
      await outage();
      const { status: code, error } = await ask(CONTROL, immediate());
      expect([code, error]).toMatchObject([503, { code: 503, message: "System failure or under maintenance" }]);
      expect(error).not.toHaveProperty("error_type");
    });
    control.rule("status 9 registers a schedule with a warning in its message", async () => {
      await outage();
      const { status: code, body } = await ask(CONTROL, schedule());
      expect([code, body.message]).toEqual([
        200,
        expect.stringMatching(/^Schedule registered\..*System failure or under maintenance/),
      ]);
      expect((await list()).length).toBe(1);
    });
    control.rule(
      "beyond the rated power is accepted and cut by the device (docs/model/apis.md#v1-status)",
      async () => {
        expect((await ask(CONTROL, immediate({ power_kw: -400 }))).body.power_kw).toBe(-400);
        expect((await ask("GET /status")).body.current_kw).toBe(-300);
      },
    );
    control.rules<readonly [string, object, string]>(
      [
        ["no type", schedule({ type: undefined }), "type"],
        ["no power_kw", schedule({ power_kw: undefined }), "power_kw"],
        ["power_kw 999999.1", schedule({ power_kw: 999_999.1 }), "power_kw"],
        ["baseline_kw -1000000", schedule({ baseline_kw: -1e6 }), "baseline_kw"],
        ["duration_minutes 0", immediate({ duration_minutes: 0 }), "duration_minutes"],
        ["duration_minutes 1441", immediate({ duration_minutes: 1441 }), "duration_minutes"],
        ["no duration_minutes", immediate({ duration_minutes: undefined }), "duration_minutes"],
        ["no start_time", schedule({ start_time: undefined }), "start_time"],
        [
          "a start off the whole minute (docs/model/apis.md#control-times)",
          schedule({ start_time: at("01:00:30") }),
          "start_time",
        ],
        [
          "an end off the whole minute (docs/model/apis.md#control-times)",
          schedule({ end_time: at("01:59:30") }),
          "end_time",
        ],
        ["a start now", schedule({ start_time: at("00:00") }), "start_time"],
        ["a start in 90 days and a minute", schedule(period("90.00:01", "90.01:00")), "start_time"],
        ["a length of 24 hours and a minute", schedule(period("01:00", "1.01:01")), "end_time"],
        ["an end at the start", schedule(period("01:00", "01:00")), "end_time"],
        ["an unknown sku", schedule({ sku: "compound" }), "sku"],
      ],
      async (_, body, parameter) => {
        const { status: code, error } = await ask(CONTROL, body);
        expect([code, error.code, error.parameter]).toEqual([400, 400, parameter]);
        expect(error).not.toHaveProperty("error_type");
      },
    );
    control.rule("a 400 names parameter and range in its message", async () => {
      const { error } = await ask(CONTROL, immediate({ duration_minutes: 1441 }));
      expect(error).toMatchObject({
        message: "Invalid parameter: duration_minutes must be between 1 and 1440",
        parameter: "duration_minutes",
        received_value: 1441,
        valid_range: "1 to 1440",
      });
    });
    control.rules<readonly [string, object]>(
      [
        ["a start in a minute for a minute is taken", schedule(period("00:01", "00:02"))],
        ["a start in 90 days for 24 hours is taken", schedule(period("90.00:00", "91.00:00"))],
        ["999999 kW are taken", schedule({ power_kw: 999_999 })],
        ["sku unknown is taken", schedule({ sku: "unknown" })],
      ],
      async (_, body) => expect((await ask(CONTROL, body)).status).toBe(200),
    );

    const overlap = sectionOf(DOC, "Overlap rules");
    overlap.rules<readonly [string, string, string, readonly string[]]>(
      [
        ["an identical period is replaced", "01:00", "02:00", ["01:00-02:00 20"]],
        ["a middle leaves front and rear", "01:20", "01:40", ["01:00-01:20 -50", "01:20-01:40 20", "01:40-02:00 -50"]],
        ["over the front the rear stays", "00:30", "01:30", ["00:30-01:30 20", "01:30-02:00 -50"]],
        ["over the rear the front stays", "01:30", "02:30", ["01:00-01:30 -50", "01:30-02:30 20"]],
        ["what contains it removes it, gaps included", "00:30", "02:30", ["00:30-02:30 20"]],
      ],
      async (_, start, end, rows) => {
        await ask(CONTROL, schedule());
        await ask(CONTROL, schedule({ ...period(start, end), power_kw: 20 }));
        const clock = (value: unknown) => String(value).slice(11, 16);
        expect((await list()).map((row) => `${clock(row.start_time)}-${clock(row.end_time)} ${row.power_kw}`)).toEqual(
          rows,
        );
      },
    );

    overlap.rule(
      "the newest prevails over a schedule of another product too (docs/model/overlap.md#direct-v1)",
      async () => {
        await ask(CONTROL, schedule());
        await ask(CONTROL, schedule({ ...period("01:20", "01:40"), power_kw: 20, sku: "rr" }));
        expect((await list()).map(({ sku, power_kw }) => `${sku} ${power_kw}`)).toEqual([
          "frr -50",
          "rr 20",
          "frr -50",
        ]);
      },
    );

    const schedules = sectionOf(DOC, "5 GET control/schedules, 6 DELETE");
    schedules.rule("an entry has its fields", async () => {
      await ask(CONTROL, schedule());
      expect(await list()).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          ...period("01:00", "02:00"),
          power_kw: -50,
          sku: "frr",
          created_at: at("00:00"),
        },
      ]);
    });
    schedules.rule("a SKU outside its list reads unknown (docs/model/apis.md#v1-view)", async () => {
      await server.call("site-v2", "c", "POST /control/active_power", {
        type: "schedule",
        sku: "compound",
        delta_kw: -50,
        ...period("01:00", "02:00"),
      });
      expect(column(await list(), "sku")).toEqual(["unknown"]);
    });
    schedules.rule("a minute before its start it is deleted", async () => {
      await ask(CONTROL, schedule());
      const [{ id }] = await list();
      await server.advanceTo("00:59");
      const { status: code, body } = await ask(`DELETE /control/schedules?id=${id}`);
      expect([code, body]).toMatchObject([
        200,
        { ems_id: server.idOf("c"), message: expect.any(String), schedule_id: id, timestamp: at("00:59") },
      ]);
      expect(await list()).toEqual([]);
    });
    schedules.rules(
      [
        ["within a minute of its start", "00:59:01"],
        ["executing", "01:00"],
        ["completed", "02:00"],
      ] as const,
      async (_, clock) => {
        await ask(CONTROL, schedule());
        const [{ id }] = await list();
        await server.advanceTo(clock);
        const { status: code, error } = await ask(`DELETE /control/schedules?id=${id}`);
        expect([code, error]).toMatchObject([
          409,
          { message: "Schedule cannot be deleted", schedule_id: id, start_time: at("01:00"), current_time: at(clock) },
        ]);
      },
    );
    schedules.rule("an unknown id is 404 (docs/model/apis.md#schedule-delete), none is 400", async () => {
      expect((await ask("DELETE /control/schedules?id=x")).status).toBe(404);
      expect((await ask("DELETE /control/schedules")).status).toBe(400);
    });

    const history = sectionOf(DOC, "7 POST report/power, 8 POST report/energy");
    history.rule("power has its six fields", async () => {
      await ask(CONTROL, immediate({ baseline_kw: 20 }));
      await server.advanceTo("00:10");
      const { body } = await ask("POST /report/power", { request_id: "r", ...period("00:05", "00:06") });
      expect(body).toMatchObject({ request_id: "r", interval_seconds: 60 });
      expect(body.data).toEqual([
        {
          power_kw: -30,
          baseline_kw: 20,
          delta_kw: -50,
          actual_frequency: 50,
          output_control_limit: 100,
          timestamp: at("00:05"),
        },
      ]);
    });
    history.rule("energy is charged and discharged apart", async () => {
      await ask(CONTROL, immediate({ power_kw: -60 }));
      await server.advanceTo("00:30");
      await ask(CONTROL, immediate({ power_kw: 100 }));
      await server.advanceTo("01:00");
      expect((await ask("POST /report/energy", period("00:00", "01:00"))).body).toMatchObject({
        charge_kwh: 50,
        discharge_kwh: 30,
      });
    });
    history.rules<readonly [string, object, number]>(
      [
        ["3601 s is no interval", { ...period("00:00", "01:00"), interval_seconds: 3601 }, 400],
        ["7 s is one", { ...period("00:00", "01:00"), interval_seconds: 7 }, 200],
        ["an end at the start is 400", period("00:30", "00:30"), 400],
        ["30001 items are 410", { ...period("-2.00:00", "-2.08:20:01"), interval_seconds: 1 }, 410],
        ["31 days and a second are 410", period("-31.00:00", "00:00:01"), 410],
        ["a period without any data is 404 (docs/model/apis.md#history-missing)", period("-1.00:00", "-1.01:00"), 404],
      ],
      async (_, body, code) => {
        await server.advanceTo("01:00");
        expect((await ask("POST /report/power", body)).status).toBe(code);
      },
    );

    const fcr = sectionOf(DOC, "9 GET, 10 POST fcr/config");
    const CONFIG = { freq_ref: 60, up_deadband: 0, low_deadband: 0.2, up_droop: 0.2, low_droop: 10 };
    fcr.rule("what is set is answered and read", async () => {
      const record = { ems_id: server.idOf("c"), ...CONFIG, timestamp: at("00:00") };
      expect((await ask("POST /fcr/config", CONFIG)).body).toEqual({
        ...record,
        message: "FCR configuration updated successfully",
      });
      expect((await ask("GET /fcr/config")).body).toEqual(record);
    });
    fcr.rules<readonly [string, object, string]>(
      [
        ["freq_ref 49.49", { freq_ref: 49.49 }, "freq_ref"],
        ["freq_ref 60.51", { freq_ref: 60.51 }, "freq_ref"],
        ["up_deadband 0.21", { up_deadband: 0.21 }, "up_deadband"],
        ["low_deadband -0.01", { low_deadband: -0.01 }, "low_deadband"],
        ["up_droop 0.199", { up_droop: 0.199 }, "up_droop"],
        ["low_droop 10.001", { low_droop: 10.001 }, "low_droop"],
        ["no low_droop", { low_droop: undefined }, "low_droop"],
      ],
      async (_, given, parameter) => {
        const { status: code, error } = await ask("POST /fcr/config", { ...CONFIG, ...given });
        expect([code, error.parameter]).toEqual([400, parameter]);
      },
    );

    const plan = sectionOf(DOC, "11 GET serviceplan");
    plan.rule("48 half hours from the requested start, contiguous, status 0 or 9", async () => {
      const { body } = await ask(`GET /serviceplan?start_time=${at("05:30")}`, undefined, "rest");
      const plans = rowsOf(body, "plans");
      expect([plans.length, body.start_time, plans[0].start_time]).toEqual([48, at("05:30"), at("05:30")]);
      expect(plans.slice(1).every((slot, k) => slot.start_time === plans[k].end_time)).toBe(true);
      expect(column(plans.slice(0, 4), "status")).toEqual([0, 9, 9, 0]);
      expect(plans[0].baseline_kw).toBe(20);
    });
  });
}
