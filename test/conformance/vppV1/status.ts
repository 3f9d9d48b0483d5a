import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, column, describeOnServer, type JsonBody, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";
import { VppRequests } from "./desk.ts";

const DOC = "VPP API 1.4";
const KINDS = ["store", "sun", "fit", "coal", "lake", "plant", "campus"] as const;
type Name = (typeof KINDS)[number];

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
];
const POWER = ["current_kw", "baseline_kw", "delta_kw", "dispatched_delta_kw", "fcr_active", "fcr_response_kw"];
const CAPACITY = [
  "import_energy_available",
  "export_energy_available",
  "import_power_available",
  "export_power_available",
];
const DR = ["dr_active", "dr_target_reduction_kw", "dr_actual_reduction_kw"];
const sorted = (keys: readonly string[]) => [...keys].sort();

export function vppStatusRules(): void {
  const server = new ScenarioServer(FLEET);
  const desk = new VppRequests(server);
  const status = async (name = "mixed") => (await server.call("vpp-v1", name, "GET /status")).body;
  const details = async (name = "mixed", query = "") =>
    (await server.call("vpp-v1", name, `GET /status/details${query}`)).body;
  const memberOf = (body: JsonBody, name: string) => {
    const found = rowsOf(body, "members").find((row) => row.ems_id === server.idOf(name));
    if (found === undefined) throw new Error(`no member ${name}`);
    return found;
  };
  const immediate = (given: object = {}) => desk.post(desk.immediate(given));

  describeOnServer("status of a VPP", server, () => {
    const summary = sectionOf(DOC, "5 GET status");
    summary.rule("the top level has its fields, and no resource_type", async () => {
      expect(sorted(Object.keys(await status()))).toEqual(
        sorted([
          "vpp_id",
          "status",
          "fcr_active",
          "dr_active",
          ...CAPACITY,
          "current_kw",
          "baseline_kw",
          "delta_kw",
          "dispatched_delta_kw",
          "has_warning",
          "members",
          "timestamp",
        ]),
      );
    });
    summary.rules(
      [
        ["fields of a battery", "store", [...CAPACITY, "output_control_limit"]],
        ["fields of photovoltaics", "sun", ["export_power_available", "output_control_limit"]],
        ["fields of a thermal plant", "coal", ["export_power_available", "output_control_limit"]],
        ["fields of pumped storage", "lake", ["export_power_available", "output_control_limit"]],
        ["fields of a consumer", "plant", ["dr_active", "import_power_available"]],
        ["fields of several components", "campus", [...CAPACITY, "dr_active", "output_control_limit"]],
      ] as const,
      async (_, name, more) =>
        expect(sorted(Object.keys(memberOf(await status(), name)))).toEqual(sorted([...SUMMARY, ...more])),
    );
    summary.rules(
      [
        // A battery holds 500 of 1000 kWh and uses 100 to 900.
        [
          "numbers of a battery",
          "store",
          {
            current_kw: 0,
            import_energy_available: 400,
            export_energy_available: 400,
            import_power_available: 100,
            export_power_available: 100,
            output_control_limit: 100,
          },
        ],
        [
          "numbers of photovoltaics: sending is negative",
          "sun",
          { current_kw: -50, baseline_kw: 0, delta_kw: -50, export_power_available: 50 },
        ],
        [
          "numbers of a thermal plant on its baseline",
          "coal",
          { current_kw: -200, baseline_kw: -200, delta_kw: 0, export_power_available: 300 },
        ],
        [
          "numbers of a consumer: no import is counted in a VPP (docs/model/capability.md#available-power)",
          "plant",
          { current_kw: 300, baseline_kw: 300, delta_kw: 0, import_power_available: 0, dr_active: 0 },
        ],
        [
          "numbers of several components",
          "campus",
          { current_kw: 250, baseline_kw: 250, import_energy_available: 400, export_power_available: 0 },
        ],
      ] as const,
      async (_, name, numbers) =>
        expect(memberOf(await status(), name)).toMatchObject({
          status: 0,
          has_warning: 0,
          dispatched_delta_kw: null,
          measure_timestamp: at("00:00"),
          ...numbers,
        }),
    );
    summary.rule("the top level sums members in service", async () => {
      const body = await status();
      const members = rowsOf(body, "members");
      for (const key of ["current_kw", "baseline_kw", "delta_kw", ...CAPACITY])
        expect([key, body[key]]).toEqual([
          key,
          members.reduce((sum, row) => Math.round(10 * (sum + Number(row[key] ?? 0))) / 10, 0),
        ]);
      // 0 - 50 - 50 - 200 + 0 + 300 + 250.
      expect(body.current_kw).toBe(250);
    });
    summary.rule(
      "a member out of service: nulls, zeros, a warning, its last measurement (docs/model/members.md#sums)",
      async () => {
        await server.advanceTo("00:10:30");
        await server.sandbox("/faults", { kind: "outage", site: "store" });
        await server.advanceTo("00:20");
        const body = await status();
        expect(memberOf(body, "store")).toMatchObject({
          status: 9,
          current_kw: null,
          delta_kw: null,
          dispatched_delta_kw: null,
          has_warning: 1,
          measure_timestamp: at("00:10:30"),
          import_energy_available: 0,
          export_energy_available: 0,
          import_power_available: 0,
          export_power_available: 0,
        });
        expect(body).toMatchObject({ status: 0, has_warning: 1, current_kw: 250 });
      },
    );
    summary.rule("dispatched_delta_kw sums what is not null, and is null when all are", async () => {
      expect((await status("east")).dispatched_delta_kw).toBeNull();
      await immediate();
      expect((await status("east")).dispatched_delta_kw).toBe(-100);
      await server.advanceTo("00:30");
      expect((await status("east")).dispatched_delta_kw).toBeNull();
    });
    summary.rule("in frequency response fcr_active is 1 and dispatched_delta_kw null", async () => {
      await immediate({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 40 });
      expect(await status("east")).toMatchObject({ fcr_active: 1, dispatched_delta_kw: null });
    });
    summary.rule("a device that does not respond shows fcr_active 0 (docs/model/members.md#fcr-fields)", async () => {
      await immediate({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 40 });
      await server.sandbox("/faults", { kind: "fcr_fault", site: "a" });
      expect(column(rowsOf(await status("east"), "members"), "fcr_active")).toEqual([0, 1]);
      expect(memberOf(await details("east"), "a").active_sku).toBe("fcr");
    });
    summary.rule("include_components is of no effect", async () => {
      const { body } = await server.call("vpp-v1", "mixed", "GET /status?include_components=true");
      expect(memberOf(body, "campus")).not.toHaveProperty("components");
    });

    const states = sectionOf(DOC, "States: status of a VPP");
    states.rule("no members: 9, sums 0, dispatched null (docs/model/apis.md#direct-control)", async () => {
      await server.call("vpp-v1", "west", `DELETE /members/${server.idOf("w")}`);
      expect(await status("west")).toMatchObject({
        status: 9,
        members: [],
        current_kw: 0,
        baseline_kw: 0,
        delta_kw: 0,
        dispatched_delta_kw: null,
      });
    });
    states.rule("one member in service is enough for 0, none is 9", async () => {
      await server.sandbox("/faults", { kind: "outage", site: "a" });
      expect((await status("east")).status).toBe(0);
      await server.sandbox("/faults", { kind: "outage", site: "b" });
      expect((await status("east")).status).toBe(9);
    });
    states.rule("status 0 with all weights 0 still refuses control with 503", async () => {
      for (const name of ["a", "b"])
        await server.call("vpp-v1", "east", `POST /members/${server.idOf(name)}`, { allocation_weight: 0 });
      expect((await status("east")).status).toBe(0);
      expect((await immediate()).status).toBe(503);
    });
    states.rule("planned maintenance is status 9 in its slots (docs/model/apis.md#service-plan)", async () => {
      const statusOf = async () => (await server.call("site-v2", "rest", "GET /status")).body.status;
      await server.advanceTo("05:59:59");
      expect(await statusOf()).toBe(0);
      await server.advanceTo("06:00");
      expect(await statusOf()).toBe(9);
      await server.advanceTo("07:00");
      expect(await statusOf()).toBe(0);
    });

    const blocks = sectionOf(DOC, "6 GET status/details");
    blocks.rule("the top level has its blocks, and neither reactive_power nor tso_dispatch_detail", async () => {
      const body = await details();
      expect(sorted(Object.keys(body))).toEqual(
        sorted([
          "vpp_id",
          "status",
          "active_sku",
          "has_warning",
          "timestamp",
          "active_power",
          "capacity",
          "resource_state",
          "members",
        ]),
      );
      expect(sorted(Object.keys(body.active_power as JsonBody))).toEqual(sorted(POWER));
      expect(sorted(Object.keys(body.capacity as JsonBody))).toEqual(sorted(CAPACITY));
      expect(body.resource_state).toEqual({ dr_active: 0 });
    });
    const state: Readonly<Record<Name, readonly string[]>> = {
      store: ["soc"],
      sun: ["irradiance_w_m2"],
      fit: ["irradiance_w_m2"],
      coal: [],
      lake: [],
      plant: DR,
      campus: DR,
    };
    blocks.rules<readonly [string, Name]>(
      KINDS.map((name) => [`blocks of ${name}`, name] as const),
      async (_, name) => {
        const member = memberOf(await details(), name);
        expect(sorted(Object.keys(member))).toEqual(
          sorted([
            "ems_id",
            "label",
            "allocation_weight",
            "status",
            "has_warning",
            "active_sku",
            "last_dispatch_status",
            "measure_timestamp",
            "active_power",
            "capacity",
            "resource_state",
          ]),
        );
        expect(sorted(Object.keys(member.active_power as JsonBody))).toEqual(
          sorted([...POWER, "output_control_limit", "output_control_reason"]),
        );
        expect(sorted(Object.keys(member.capacity as JsonBody))).toEqual(sorted(CAPACITY));
        expect(sorted(Object.keys(member.resource_state as JsonBody))).toEqual(sorted(state[name]));
      },
    );
    blocks.rules(
      [
        [
          "what does not apply to a generator is 0 kW and null kWh (docs/model/apis.md#status-fields)",
          "sun",
          {
            import_energy_available: null,
            export_energy_available: null,
            import_power_available: 0,
            export_power_available: 50,
          },
        ],
        [
          "what does not apply to a consumer is 0 kW and null kWh (docs/model/apis.md#status-fields)",
          "plant",
          {
            import_energy_available: null,
            export_energy_available: null,
            import_power_available: 0,
            export_power_available: 0,
          },
        ],
      ] as const,
      async (_, name, capacity) => expect(memberOf(await details(), name).capacity).toEqual(capacity),
    );
    blocks.rule("soc is 50 % of a half full battery; without response the reductions are null", async () => {
      const body = await details();
      expect(memberOf(body, "store").resource_state).toEqual({ soc: 50 });
      expect(memberOf(body, "plant").resource_state).toEqual({
        dr_active: 0,
        dr_target_reduction_kw: null,
        dr_actual_reduction_kw: null,
      });
    });
    blocks.rule("components[] come on request, of several components alone", async () => {
      const body = await details("mixed", "?include_components=true");
      expect(KINDS.filter((name) => "components" in memberOf(body, name))).toEqual(["campus"]);
      expect(rowsOf(memberOf(body, "campus"), "components")).toMatchObject([
        { component_id: "bat", component_type: "battery", status: 0, resource_state: { soc: 50 } },
        { component_id: "pv", component_type: "generator", active_power: { current_kw: -50 } },
        { component_id: "line", component_type: "consumer", active_power: { current_kw: 300 } },
      ]);
    });
    blocks.rule("include_components must be true or false", async () => {
      expect((await server.call("vpp-v1", "mixed", "GET /status/details?include_components=yes")).status).toBe(400);
    });
    blocks.rule(
      "active_sku: null without, the common one, mixed where they differ (docs/model/members.md#active-sku)",
      async () => {
        expect((await details("east")).active_sku).toBeNull();
        await immediate({ sku: "rr" });
        const body = await details("east");
        expect([body.active_sku, memberOf(body, "a").active_sku]).toEqual(["rr", "rr"]);
        await server.call("site-v2", "a", "POST /control/active_power", {
          type: "immediate",
          sku: "frr",
          delta_kw: 1,
          duration_minutes: 5,
        });
        expect((await details("east")).active_sku).toBe("mixed");
      },
    );
    blocks.rule("fcr_response_kw is the capacity held while the SKU is fcr, else null", async () => {
      expect((await details("east")).active_power).toMatchObject({ fcr_response_kw: null, fcr_active: 0 });
      await immediate({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 40 });
      const body = await details("east");
      expect(body.active_power).toMatchObject({ fcr_response_kw: 40, fcr_active: 1, dispatched_delta_kw: null });
      expect(memberOf(body, "b").active_power).toMatchObject({ fcr_response_kw: 30 });
    });
    blocks.rule(
      "last_dispatch_status is null before any instruction and stays after its end (docs/model/members.md#last-dispatch-status)",
      async () => {
        expect(column(rowsOf(await details("east"), "members"), "last_dispatch_status")).toEqual([null, null]);
        await server.sandbox("/faults", { kind: "link_down", site: "a", duration: "PT1M" });
        await immediate();
        await server.advanceTo("01:00");
        expect(column(rowsOf(await details("east"), "members"), "last_dispatch_status")).toEqual([
          "failed",
          "dispatched",
        ]);
      },
    );
    blocks.rule("output control shows its limit and reason, of a battery its limit alone", async () => {
      for (const site of ["sun", "store"])
        await server.sandbox("/faults", { kind: "output_control", site, limit_pct: 40, reason: "fit_curtailment" });
      const body = await details();
      expect(memberOf(body, "sun").active_power).toMatchObject({
        output_control_limit: 40,
        output_control_reason: "fit_curtailment",
        current_kw: -40,
      });
      expect(memberOf(body, "store").active_power).toMatchObject({
        output_control_limit: 40,
        output_control_reason: null,
      });
      expect(memberOf(body, "store").capacity).toMatchObject({ export_power_available: 40 });
    });
    blocks.rule("a reduction: target as dispatched, actual = baseline - current", async () => {
      const member_baselines = [{ ems_id: server.idOf("hall"), baseline_kw: 300 }];
      await desk.post(desk.immediate({ delta_kw: -60, duration_minutes: 60, member_baselines }), "dr");
      const body = await details("dr");
      expect(memberOf(body, "hall")).toMatchObject({
        active_power: { current_kw: 240, dispatched_delta_kw: -60 },
        resource_state: { dr_active: 1, dr_target_reduction_kw: 60, dr_actual_reduction_kw: 60 },
      });
      expect(body.resource_state).toEqual({ dr_active: 1 });
    });
    blocks.rule("a dead link freezes what was measured, not the status (docs/model/members.md#link-down)", async () => {
      await server.advanceTo("00:10");
      await server.sandbox("/faults", { kind: "link_down", site: "store" });
      await server.advanceTo("00:20");
      expect(memberOf(await details(), "store")).toMatchObject({ status: 0, measure_timestamp: at("00:10") });
    });
    blocks.rule(
      "a battery that ran empty keeps status 0, warns and is not re-dispatched (docs/model/capability.md#power-only)",
      async () => {
        // 400 kWh at 100 kW last four hours.
        const member_baselines = desk.baselines("w");
        await desk.post(desk.immediate({ delta_kw: -100, duration_minutes: 300, member_baselines }), "west");
        await server.advanceTo("04:00:01");
        expect(memberOf(await status("west"), "w")).toMatchObject({
          status: 0,
          has_warning: 1,
          current_kw: 0,
          dispatched_delta_kw: -100,
          export_energy_available: 0,
        });
      },
    );
  });
}
