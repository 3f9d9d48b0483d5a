import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, column, describeOnServer, type JsonBody, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { FLEET, LONG } from "../scenarios.ts";
import { VppRequests } from "./desk.ts";

const DOC = "VPP API 1.4";
const POWER = "POST /measurements/active_power";
const ENERGY = "POST /measurements/energy";
const period = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });
const keysOf = (row: JsonBody) => Object.keys(row).sort();

export function vppHistoryRules(): void {
  const server = new ScenarioServer(FLEET);
  const desk = new VppRequests(server);
  const ask = (line: string, body: unknown, name = "east") => server.call("vpp-v1", name, line, body);
  const data = async (line: string, body: unknown, name = "east") => rowsOf((await ask(line, body, name)).body, "data");
  const memberIn = (row: JsonBody, name: string) =>
    rowsOf(row, "members").find(({ ems_id }) => ems_id === server.idOf(name)) ?? {};

  describeOnServer("history of a VPP", server, () => {
    const power = sectionOf(DOC, "10 POST measurements/active_power");
    power.rule(
      "answers samples at start + k intervals, an hour of minutes by default (docs/model/apis.md#power-history)",
      async () => {
        await server.advanceTo("02:00");
        const { body } = await ask(POWER, period("00:00", "01:00"));
        expect(keysOf(body)).toEqual([
          "data",
          "end_time",
          "interval_seconds",
          "request_id",
          "start_time",
          "timestamp",
          "vpp_id",
        ]);
        expect(body).toMatchObject({
          request_id: null,
          interval_seconds: 60,
          ...period("00:00", "01:00"),
          timestamp: at("02:00"),
        });
        expect(column(rowsOf(body, "data"), "timestamp")).toEqual(
          Array.from({ length: 60 }, (_, k) => at(`00:${String(k).padStart(2, "0")}`)),
        );
      },
    );
    power.rule("request_id is echoed", async () => {
      await server.advanceTo("01:00");
      expect(
        (await ask(POWER, { request_id: "r", ...period("00:00", "01:00"), interval_seconds: 3600 })).body.request_id,
      ).toBe("r");
    });
    power.rule(
      "records and members have every field of their tables, whatever the kind (docs/model/apis.md#power-history)",
      async () => {
        await server.advanceTo("00:30");
        const [row] = await data(POWER, { ...period("00:00", "00:30"), interval_seconds: 1800 }, "mixed");
        const common = [
          "active_sku",
          "baseline_kw",
          "compound_breakdown",
          "current_kw",
          "delta_kw",
          "dispatched_delta_kw",
          "fcr_response_kw",
        ];
        expect(keysOf(row)).toEqual([...common, "members", "timestamp"].sort());
        const member = [
          ...common,
          "ems_id",
          "output_control_limit",
          "soc",
          "dr_active",
          "dr_target_reduction_kw",
          "dr_actual_reduction_kw",
          "irradiance_w_m2",
          "actual_frequency",
        ].sort();
        for (const each of rowsOf(row, "members")) expect(keysOf(each)).toEqual(member);
        expect(memberIn(row, "store")).toMatchObject({ soc: 50, dr_active: null, actual_frequency: 50 });
        expect(memberIn(row, "plant")).toMatchObject({ soc: null, dr_active: 0, output_control_limit: null });
      },
    );
    power.rule(
      "totals are sums over members in service; one that is out is listed with nulls (docs/model/apis.md#status-fields)",
      async () => {
        await server.sandbox("/faults", { kind: "outage", site: "plant" });
        await server.advanceTo("00:30");
        const [row] = await data(POWER, { ...period("00:00", "00:30"), interval_seconds: 1800 }, "mixed");
        // 0 - 50 - 50 - 200 + 0 + 250, without the plant's 300.
        expect(row).toMatchObject({ current_kw: -50 });
        expect(memberIn(row, "plant")).toMatchObject({ current_kw: null, delta_kw: null });
      },
    );
    power.rule("delta_kw is null in frequency response (docs/model/members.md#delta-fields)", async () => {
      await desk.post(desk.immediate({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 40 }));
      await server.advanceTo("00:10");
      const [row] = await data(POWER, { ...period("00:05", "00:06"), interval_seconds: 60 });
      expect(row).toMatchObject({ delta_kw: null, active_sku: "fcr", fcr_response_kw: 40, dispatched_delta_kw: null });
    });
    power.rule("ems_ids selects, and what is not registered is 400 (docs/model/apis.md#history-periods)", async () => {
      await server.advanceTo("00:30");
      const with_ = (ems_ids: unknown) => ask(POWER, { ...period("00:00", "00:30"), interval_seconds: 1800, ems_ids });
      expect(column(rowsOf(rowsOf((await with_([server.idOf("b")])).body, "data")[0], "members"), "ems_id")).toEqual([
        server.idOf("b"),
      ]);
      expect((await with_([server.idOf("c")])).error.error_type).toBe("invalid_parameter");
      expect((await with_([])).error.error_type).toBe("invalid_parameter");
    });
    power.rule("a gap of a link is left out, not padded", async () => {
      await server.advanceTo("00:10");
      await server.sandbox("/faults", { kind: "link_down", site: "w", duration: "PT10M" });
      await server.advanceTo("00:30");
      const rows = await data(POWER, { ...period("00:00", "00:30"), interval_seconds: 60 }, "west");
      expect(
        column(rows, "timestamp").filter((atTime) => at("00:10") <= String(atTime) && String(atTime) < at("00:20")),
      ).toEqual([]);
      expect(rows.length).toBe(20);
    });
    power.rule("a member is absent before its registration", async () => {
      await server.advanceTo("00:10");
      await ask("POST /members", { ems_id: server.idOf("c"), resource_type: "battery" });
      await server.advanceTo("00:20");
      const rows = await data(POWER, { ...period("00:09", "00:12"), interval_seconds: 60 });
      expect(rows.map((row) => rowsOf(row, "members").length)).toEqual([2, 3, 3]);
    });
    power.rule("components[] come on request", async () => {
      await server.advanceTo("00:30");
      const one = async (more: object) =>
        memberIn(
          (await data(POWER, { ...period("00:00", "00:30"), interval_seconds: 1800, ...more }, "mixed"))[0],
          "campus",
        );
      expect(await one({})).not.toHaveProperty("components");
      expect(await one({ include_components: true })).toHaveProperty("components");
    });

    const energy = sectionOf(DOC, "11 POST measurements/energy");
    energy.rule(
      "at the very start all that was before is 0, on each of the three APIs (docs/model/apis.md#history-missing)",
      async () => {
        const body = period("-1.00:00", "00:00");
        for (const name of ["east", "mixed", "dr"]) {
          const [row] = await data(ENERGY, { ...body, include_components: true }, name);
          expect(row).toMatchObject({ import_kwh: 0, export_kwh: 0 });
        }
        for (const name of ["a", "coal", "plant", "campus"]) {
          const answered = await server.call("site-v2", name, ENERGY, body);
          expect(rowsOf(answered.body, "data")).toMatchObject([{ import_kwh: 0 }]);
          expect((await server.call("site-v2", name, POWER, body)).body.data).toEqual([]);
          expect((await server.call("site-v1", name, "POST /report/energy", body)).status).toBe(404);
        }
      },
    );
    energy.rule("one record for the whole period without an interval, and none is echoed", async () => {
      await server.advanceTo("02:00");
      const { body } = await ask(ENERGY, { request_id: "r", ...period("00:10", "01:40") });
      expect(keysOf(body)).toEqual([
        "data",
        "dr_dispatched_count",
        "dr_total_dispatched_minutes",
        "end_time",
        "request_id",
        "start_time",
        "timestamp",
        "vpp_id",
      ]);
      expect(rowsOf(body, "data")).toMatchObject([period("00:10", "01:40")]);
    });
    energy.rule("one record per interval from start_time, the last cut at end_time", async () => {
      await server.advanceTo("02:00");
      const rows = await data(ENERGY, { ...period("00:10", "01:20"), interval_seconds: 1800 });
      expect(rows).toMatchObject([period("00:10", "00:40"), period("00:40", "01:10"), period("01:10", "01:20")]);
    });
    energy.rule("records have their sums, members the fields of their kind", async () => {
      await server.advanceTo("01:00");
      const [row] = await data(ENERGY, period("00:00", "01:00"), "mixed");
      const base = ["ems_id", "import_kwh", "export_kwh", "baseline_kwh"];
      const curtailed = ["curtailed_kwh", "fit_curtailed_kwh", "non_firm_curtailed_kwh", "manual_curtailed_kwh"];
      const load = ["self_consumed_kwh", "grid_to_load_kwh", "consumption_kwh", "dr_delivered_kwh"];
      const fields: Readonly<Record<string, readonly string[]>> = {
        store: base,
        sun: [...base, ...curtailed, "non_subsidized_export_kwh"],
        fit: [...base, ...curtailed, "fit_export_kwh", "imbalance_kwh"],
        coal: [...base, ...curtailed, "non_subsidized_export_kwh"],
        plant: [...base, ...load],
        campus: [...base, ...load, ...curtailed, "non_subsidized_export_kwh"],
      };
      for (const [name, keys] of Object.entries(fields))
        expect([name, keysOf(memberIn(row, name))]).toEqual([name, [...keys].sort()]);
      for (const key of [
        "import_kwh",
        "export_kwh",
        "self_consumed_kwh",
        "dr_delivered_kwh",
        "curtailed_kwh",
        "imbalance_kwh",
      ])
        expect([key, row[key]]).toEqual([
          key,
          rowsOf(row, "members").reduce((sum, member) => Math.round(10 * (sum + Number(member[key] ?? 0))) / 10, 0),
        ]);
      expect([row.import_kwh, row.export_kwh]).toEqual([550, 300]);
      expect(memberIn(row, "campus")).toMatchObject({
        import_kwh: 250,
        self_consumed_kwh: 50,
        grid_to_load_kwh: 250,
        consumption_kwh: 300,
      });
    });
    energy.rule("intervals add up to the whole period, field by field, at one decimal", async () => {
      // 33.3 kW of 133.2 kW: every half hour has a part below a tenth.
      await desk.post(desk.immediate({ delta_kw: -133.3, duration_minutes: 100 }));
      await server.advanceTo("03:00");
      const asked = period("00:07", "02:33");
      const [whole] = await data(ENERGY, asked);
      const parts = await data(ENERGY, { ...asked, interval_seconds: 1800 });
      for (const key of ["import_kwh", "export_kwh"])
        expect([key, Math.round(10 * parts.reduce((sum, row) => sum + Number(row[key]), 0)) / 10]).toEqual([
          key,
          whole[key],
        ]);
      expect(Number(whole.export_kwh)).toBeGreaterThan(200);
    });
    energy.rule("an outage counts 0, its intervals are there (docs/model/apis.md#energy-outage)", async () => {
      await server.sandbox("/faults", { kind: "outage", site: "plant", duration: "PT1H" });
      await server.advanceTo("02:00");
      const rows = await data(ENERGY, { ...period("00:00", "02:00"), interval_seconds: 3600 }, "mixed");
      expect(rows.map((row) => memberIn(row, "plant").import_kwh)).toEqual([0, 300]);
    });
    energy.rule("the counters are the VPP's, at the top alone: instructions and members' minutes", async () => {
      const member_baselines = [{ ems_id: server.idOf("hall"), baseline_kw: 300 }];
      await desk.post(desk.immediate({ delta_kw: -60, duration_minutes: 60, member_baselines }), "dr");
      await server.advanceTo("02:00");
      const { body } = await ask(ENERGY, period("00:00", "02:00"), "dr");
      expect(body).toMatchObject({ dr_dispatched_count: 1, dr_total_dispatched_minutes: 60 });
      const [row] = rowsOf(body, "data");
      expect(row).toMatchObject({ import_kwh: 540, dr_delivered_kwh: 60 });
      expect(memberIn(row, "hall")).not.toHaveProperty("dr_dispatched_count");
    });

    for (const [section, line, cases] of [
      [
        power,
        POWER,
        [
          ["7 s is no interval", { interval_seconds: 7 }],
          ["an interval of 1 s is one", { interval_seconds: 1 }],
          ["1800 s is one", { interval_seconds: 1800 }],
          ["86400 s is one", { interval_seconds: 86_400 }],
        ],
      ],
      [
        energy,
        ENERGY,
        [
          ["60 s is no interval", { interval_seconds: 60 }],
          ["1800 s is one", { interval_seconds: 1800 }],
          ["3600 s is one", { interval_seconds: 3600 }],
          ["86400 s is one", { interval_seconds: 86_400 }],
        ],
      ],
    ] as const) {
      section.rules<readonly [string, object]>(cases, async (rule, given) => {
        await server.advanceTo("01:00");
        const answered = await ask(line, { ...period("00:00", "00:30"), ...given });
        expect([answered.status, answered.error.parameter]).toEqual(
          rule.includes(" no ") ? [400, "interval_seconds"] : [200, undefined],
        );
      });
      section.rules(
        [
          ["no start_time is 400", { end_time: at("00:30") }, 400, "invalid_parameter"],
          ["no end_time is 400", { start_time: at("00:00") }, 400, "invalid_parameter"],
          ["an end before the start is 400", period("00:30", "00:00"), 400, "invalid_parameter"],
          [
            "an end after now is answered up to now (docs/model/apis.md#history-periods)",
            period("00:00", "01:00:01"),
            200,
            undefined,
          ],
          [
            "a start after now is 400 (docs/model/apis.md#history-periods)",
            period("01:00:01", "02:00:01"),
            400,
            "invalid_parameter",
          ],
          ["an end now is allowed", { ...period("00:00", "01:00") }, 200, undefined],
          [
            "31 days and a second are 410",
            { ...period("-31.00:59:59", "01:00"), interval_seconds: 86_400 },
            410,
            "period_too_long",
          ],
          [
            "a period too long and too early is 410 (docs/model/apis.md#check-order)",
            { ...period("-800.00:00", "00:00") },
            410,
            "period_too_long",
          ],
        ] as const,
        async (_, body, status, errorType) => {
          await server.advanceTo("01:00");
          const answered = await ask(line, body);
          expect([answered.status, answered.error.error_type]).toEqual([status, errorType]);
        },
      );
    }
    power.rule("44641 points are 410 before 404 (docs/model/apis.md#check-order)", async () => {
      const { status, error } = await ask(POWER, { ...period("-100.00:00", "-100.12:24:01"), interval_seconds: 1 });
      expect([status, error.error_type]).toEqual([410, "data_points_exceeded"]);
    });
    energy.rule("59 s are too short, 60 s are not", async () => {
      await server.advanceTo("01:00");
      expect((await ask(ENERGY, period("00:00", "00:00:59"))).status).toBe(400);
      expect((await ask(ENERGY, period("00:00", "00:01"))).status).toBe(200);
    });
  });

  const long = new ScenarioServer(LONG);
  describeOnServer("history of a long run", long, () => {
    const section = sectionOf(DOC, "Limits: retention");
    section.rules(
      [
        ["kW of exactly 60 days ago are kept", POWER, "60.00:00", 200],
        ["kW of a second more are not", POWER, "60.00:00:01", 404],
        ["kWh of exactly 365 days ago are kept", ENERGY, "365.00:00", 200],
        ["kWh of a second more are not", ENERGY, "365.00:00:01", 404],
      ] as const,
      async (_, line, now, status) => {
        await long.advanceTo(now);
        const headers = { authorization: `Bearer ${await long.newToken("east")}` };
        const answered = await long.call(
          "vpp-v1",
          "east",
          line,
          { ...period("00:00", "01:00"), interval_seconds: 3600 },
          { headers },
        );
        expect([answered.status, answered.error.error_type]).toEqual([
          status,
          status === 200 ? undefined : "data_not_available",
        ]);
        // It charged 100 kW in that hour.
        if (status === 200)
          expect(rowsOf(answered.body, "data")[0]).toMatchObject(
            line === POWER ? { current_kw: 100 } : { import_kwh: 100 },
          );
      },
    );
    sectionOf(DOC, "Limits: periods").rules(
      [
        ["kW of exactly 31 days are one answer", POWER],
        ["kWh of exactly 31 days are one answer", ENERGY],
      ] as const,
      async (_, line) => {
        await long.advanceTo("31.00:00");
        const headers = { authorization: `Bearer ${await long.newToken("east")}` };
        const body = { ...period("00:00", "31.00:00"), interval_seconds: 86_400 };
        const answered = await long.call("vpp-v1", "east", line, body, { headers });
        expect([answered.status, rowsOf(answered.body, "data").length]).toEqual([200, 31]);
      },
    );
  });
}
