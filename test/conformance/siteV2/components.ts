import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import {
  type ApiAnswer,
  at,
  column,
  describeOnServer,
  type JsonBody,
  rowsOf,
  ScenarioServer,
} from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";

const DOC = "Site API 2.2";
const CONTROL = "POST /control/active_power";
const LIST = "GET /control/active_power/schedules";
const period = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });

/** Site campus: battery 100 kW, array that sends 50 kW, load of 300 kW that can shed 40 to 60 kW; 250 kW at the meter. */
export function siteV2ComponentRules(): void {
  const server = new ScenarioServer(FLEET);
  const ask = (line: string, body?: unknown) => server.call("site-v2", "campus", line, body);
  const now = (given: object): Promise<ApiAnswer> =>
    ask(CONTROL, {
      type: "immediate",
      duration_minutes: 30,
      ...("component_id" in given ? {} : { baseline_kw: 250 }),
      ...given,
    });
  const schedule = (given: object): Promise<ApiAnswer> =>
    ask(CONTROL, {
      type: "schedule",
      sku: "frr",
      component_id: "bat",
      delta_kw: -50,
      ...period("01:00", "02:00"),
      ...given,
    });
  const parts = async () => {
    const { body } = await ask("GET /status/details");
    return rowsOf(body.resource_state as JsonBody, "components");
  };
  /** Power of battery, array, load and site. */
  const powers = async () => {
    const own = (await parts()).map(({ active_power }) => (active_power as JsonBody).current_kw);
    return [...own, (await ask("GET /status")).body.current_kw];
  };

  describeOnServer("components of a site", server, () => {
    const control = sectionOf(DOC, "Control of a component");
    control.rule(
      "a battery goes to its baseline and its delta, the others stay, the site's baseline is its own",
      async () => {
        const { status, body } = await now({ component_id: "bat", delta_kw: -50 });
        expect([status, body]).toMatchObject([
          200,
          { scope: "component", component_id: "bat", component_type: "battery", delta_kw: -50, baseline_kw: 0 },
        ]);
        expect(body).not.toHaveProperty("dispatched_components");
        expect(await powers()).toEqual([-50, -50, 300, 200]);
        expect((await ask("GET /status")).body).toMatchObject({
          baseline_kw: 250,
          delta_kw: -50,
          dispatched_delta_kw: -50,
        });
        expect((await parts()).map(({ active_power }) => (active_power as JsonBody).dispatched_delta_kw)).toEqual([
          -50,
          null,
          null,
        ]);
        await now({ component_id: "bat", baseline_kw: 20, delta_kw: 30 });
        expect(await powers()).toEqual([50, -50, 300, 300]);
        await server.advanceTo("00:30");
        expect(await powers()).toEqual([0, -50, 300, 250]);
      },
    );
    control.rule("a load goes down by its delta, with the rules of demand response", async () => {
      expect((await now({ component_id: "line", sku: "rr", delta_kw: -39.9 })).error.error_type).toBe(
        "dr_reduction_below_minimum",
      );
      expect(
        (await now({ component_id: "line", sku: "rr", delta_kw: -50, duration_minutes: 29 })).error.error_type,
      ).toBe("dr_duration_below_minimum");
      expect((await now({ component_id: "line", sku: "rr", delta_kw: -50 })).status).toBe(200);
      expect(await powers()).toEqual([0, -50, 250, 200]);
      expect((await ask("GET /status/details")).body.resource_state).toMatchObject({
        dr_active: 1,
        dr_target_reduction_kw: 50,
        components: [{}, {}, { resource_state: { dr_active: 1, dr_actual_reduction_kw: 50 } }],
      });
      expect((await now({ component_id: "line", sku: "frr", delta_kw: -50 })).error.error_type).toBe(
        "dr_duplicate_dispatch",
      );
      await server.advanceTo("00:31");
      expect((await now({ component_id: "line", sku: "rr", delta_kw: -50 })).error.error_type).toBe(
        "dr_cooldown_active",
      );
      // What the load has to rest from does not bear on the battery.
      expect((await now({ component_id: "bat", sku: "rr", delta_kw: -50 })).status).toBe(200);
    });
    control.rule("a PV plant exports no more than its set-point", async () => {
      await now({ component_id: "pv", baseline_kw: -30, delta_kw: 0 });
      expect(await powers()).toEqual([0, -30, 300, 270]);
      await server.advanceTo("00:30");
      expect(await powers()).toEqual([0, -50, 300, 250]);
    });
    control.rule("a battery answers the frequency by itself", async () => {
      await now({ component_id: "bat", sku: "fcr", fcr_response_kw: 40 });
      expect((await ask("GET /status")).body.fcr_active).toBe(1);
      expect((await parts()).map(({ active_power }) => (active_power as JsonBody).fcr_response_kw)).toEqual([
        40,
        undefined,
        undefined,
      ]);
    });
    control.rules<readonly [string, object, string]>(
      [
        ["a component that is not there is 400", { component_id: "x", delta_kw: 1 }, "component_id"],
        ["a target of the site for a component is 400", { component_id: "bat", site_kw: 1 }, "component_id"],
        ["a PV plant up is 400", { component_id: "pv", delta_kw: 1 }, "delta_kw"],
        ["a load up is 400", { component_id: "line", delta_kw: 50 }, "delta_kw"],
        ["FCR capacity of a load is 400", { component_id: "line", sku: "fcr", fcr_response_kw: 5 }, "fcr_response_kw"],
      ],
      async (_, given, parameter) => {
        const { status, error } = await now(given);
        expect([status, error.error_type, error.parameter]).toEqual([400, "invalid_parameter", parameter]);
      },
    );
    control.rule("beside another product for the site the others carry that one", async () => {
      await now({ component_id: "bat", sku: "frr", delta_kw: -50 });
      await now({ sku: "rr", delta_kw: -60 });
      expect(await powers()).toEqual([-50, -50, 240, 140]);
      expect((await ask("GET /status")).body.dispatched_delta_kw).toBe(-110);
    });
    control.rule(
      "the last registration wins: one for the site takes it all, one for a component takes that",
      async () => {
        await now({ component_id: "bat", sku: "rr", delta_kw: -50 });
        await now({ sku: "rr", delta_kw: -30 });
        expect(await powers()).toEqual([-30, -50, 300, 220]);
        await now({ sku: "rr", delta_kw: -60 });
        await now({ component_id: "bat", sku: "rr", delta_kw: -20 });
        expect(await powers()).toEqual([-20, -50, 240, 170]);
      },
    );
    control.rule("its own schedule takes a component out of the VPP's orders to the site", async () => {
      const { schedule_id } = (await schedule({})).body;
      await server.advanceTo("01:00");
      const kw: Readonly<Record<string, number>> = { coal: -200, plant: 300, campus: 250 };
      const member_baselines = ["store", "sun", "fit", "coal", "lake", "plant", "campus"].map((name) => ({
        ems_id: server.idOf(name),
        baseline_kw: kw[name] ?? 0,
      }));
      for (const name of ["store", "sun", "fit", "coal", "lake", "plant"])
        await server.call("vpp-v1", "mixed", `POST /members/${server.idOf(name)}`, { allocation_weight: 0 });
      const body = { type: "immediate", sku: "rr", delta_kw: -100, duration_minutes: 30, member_baselines };
      const answered = await server.call("vpp-v1", "mixed", CONTROL, body);
      // The load can shed 60 kW; the battery is taken.
      expect([answered.status, answered.body.uncovered_kw]).toEqual([200, -40]);
      expect(await powers()).toEqual([-50, -50, 240, 140]);
      expect(column(rowsOf((await ask(LIST)).body, "schedules"), "schedule_id")).toEqual([schedule_id]);
    });
    control.rule("schedules of different components stand side by side, with their scope", async () => {
      const bat = await schedule({});
      const line = await schedule({ component_id: "line" });
      const site = await schedule({
        component_id: undefined,
        ...period("01:30", "01:40"),
        delta_kw: -1,
        baseline_kw: 250,
      });
      expect([bat.status, line.status, site.status]).toEqual([200, 200, 200]);
      const rows = rowsOf((await ask(LIST)).body, "schedules");
      expect(rows.map(({ component_id, start_time, end_time }) => [component_id, start_time, end_time])).toEqual([
        ["bat", at("01:00"), at("01:30")],
        ["line", at("01:00"), at("01:30")],
        [undefined, at("01:30"), at("01:40")],
        ["bat", at("01:40"), at("02:00")],
        ["line", at("01:40"), at("02:00")],
      ]);
      expect(rows[0]).toMatchObject({ scope: "component", component_type: "battery", baseline_kw: 0, delta_kw: -50 });
      expect(column(rowsOf(site.body, "affected_schedules"), "action")).toEqual([
        "split",
        "split",
        "created",
        "created",
        "created",
      ]);
    });
    control.rule("one for a component leaves the site's schedule its other components", async () => {
      await schedule({ component_id: undefined, delta_kw: -60, baseline_kw: 250 });
      expect(column(rowsOf((await schedule({})).body, "affected_schedules"), "action")).toEqual(["created"]);
      await server.advanceTo("01:10");
      expect(await powers()).toEqual([-50, -50, 240, 140]);
    });
    control.rule("energy and power of the past have it by component", async () => {
      await schedule({});
      await server.advanceTo("02:30");
      const energy = await ask("POST /measurements/energy", period("01:00", "02:00"));
      expect(rowsOf(rowsOf(energy.body, "data")[0], "components")).toMatchObject([
        { component_id: "bat", to_load_kwh: 50, to_grid_kwh: 0 },
        { component_id: "pv" },
        { component_id: "line", from_grid_kwh: 200 },
      ]);
      const power = await ask("POST /measurements/active_power", { ...period("00:59", "01:02"), interval_seconds: 60 });
      expect(
        rowsOf(power.body, "data").map((row) => [row.current_kw, ...column(rowsOf(row, "components"), "current_kw")]),
      ).toEqual([
        [250, 0, -50, 300],
        [200, -50, -50, 300],
        [200, -50, -50, 300],
      ]);
    });
  });
}
