import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, describeOnServer, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";
import { deltasOf, membersOf, statusesOf, VppRequests } from "./desk.ts";

const DOC = "VPP API 1.4";

export function vppSkipRules(): void {
  const server = new ScenarioServer(FLEET);
  const desk = new VppRequests(server);
  const id = (name: string) => server.idOf(name);
  const baselines = (...names: readonly string[]) => desk.baselines(...names);
  const schedule = (given: object = {}) => desk.schedule(given);
  const immediate = (given: object = {}) => desk.immediate(given);
  const MIXED = ["store", "sun", "fit", "coal", "lake", "plant", "campus"];
  const kw: Readonly<Record<string, number>> = { sun: -50, fit: -50, coal: -200, plant: 300, campus: 250 };
  const mixed = (given: object) =>
    desk.post(
      schedule({ member_baselines: MIXED.map((name) => ({ ems_id: id(name), baseline_kw: kw[name] ?? 0 })), ...given }),
      "mixed",
    );

  describeOnServer("members that control of a VPP leaves out", server, () => {
    const skips = sectionOf(DOC, "Allocation exclusions");
    skips.rule("weight 0 is skipped_weight_zero, and the rest share", async () => {
      await server.call("vpp-v1", "east", `POST /members/${id("a")}`, { allocation_weight: 0 });
      const answered = await desk.post(schedule());
      expect([statusesOf(answered), deltasOf(answered)]).toEqual([
        ["skipped_weight_zero", "pending"],
        [null, -100],
      ]);
    });
    const width = { sku: "fcr", delta_kw: undefined, fcr_response_kw: 20 };
    skips.rule("fcr skips who is not fcr_capable", async () => {
      expect(statusesOf(await mixed(width)).slice(0, -1)).toEqual([
        "pending",
        ...["sun", "fit", "coal", "lake", "plant"].map(() => "skipped_incompatible"),
      ]);
    });
    skips.rule("fcr goes to a multi_component with an fcr_capable battery", async () => {
      expect(statusesOf(await mixed(width)).at(-1)).toBe("pending");
    });
    skips.rule(
      "up skips photovoltaics and consumers; plants that can, and sites that may import, share (docs/model/allocation.md#compatibility, docs/model/capability.md#multi-component-headroom)",
      async () => {
        expect(statusesOf(await mixed({ sku: null, delta_kw: 100 }))).toEqual([
          "pending",
          "skipped_incompatible",
          "skipped_incompatible",
          "pending",
          "pending",
          "skipped_incompatible",
          "pending",
        ]);
      },
    );
    skips.rule(
      "a market SKU skips a FIT generator, and none does not (docs/model/allocation.md#compatibility)",
      async () => {
        expect(statusesOf(await mixed({ sku: "frr", delta_kw: -70 }))[2]).toBe("skipped_incompatible");
        expect(
          statusesOf(await mixed({ sku: null, delta_kw: -70, start_time: at("03:00"), end_time: at("04:00") }))[2],
        ).toBe("pending");
      },
    );
    skips.rules(
      [
        ["exchange-da to a consumer is skipped", "exchange-da"],
        ["exchange-ttv to a consumer is skipped", "exchange-ttv"],
      ] as const,
      async (_, sku) => {
        const body = schedule({ sku, delta_kw: -50, member_baselines: [{ ems_id: id("hall"), baseline_kw: 300 }] });
        const answered = await desk.post(body, "dr");
        expect([statusesOf(answered), answered.body.uncovered_kw]).toEqual([["skipped_incompatible"], -50]);
      },
    );
    skips.rule(
      "a member's site that refuses is skipped_incompatible with its error_type, and its share uncovered",
      async () => {
        await server.call("vpp-v1", "west", "POST /members", { ems_id: id("narrow"), resource_type: "battery" });
        const answered = await desk.post(
          immediate({ sku: "frr", delta_kw: -80, member_baselines: baselines("w", "narrow") }),
          "west",
        );
        expect(membersOf(answered)[1]).toMatchObject({
          dispatch_status: "skipped_incompatible",
          skip_reason: "sku_not_marketable",
          delta_kw: null,
        });
        expect([deltasOf(answered), answered.body.uncovered_kw]).toEqual([[-40, null], -40]);
      },
    );
    skips.rule("a delivery that fails is failed with delivery_failed, and its share uncovered", async () => {
      await server.sandbox("/faults", { kind: "link_down", site: "a" });
      const answered = await desk.post(immediate());
      expect(membersOf(answered)[0]).toMatchObject({
        dispatch_status: "failed",
        skip_reason: "delivery_failed",
        delta_kw: null,
      });
      expect([deltasOf(answered), answered.body.uncovered_kw]).toEqual([[null, -75], -25]);
    });
    skips.rule(
      "a member that comes into service without a baseline is skipped_baseline_missing (docs/model/baselines.md#baseline-of-an-instruction)",
      async () => {
        const { body: fault } = {
          body: await server.sandbox("/faults", { kind: "outage", site: "a", duration: "PT30M" }),
        };
        expect(fault.fault_id).toBeDefined();
        await desk.post(schedule({ member_baselines: baselines("b") }));
        await server.advanceTo("01:00");
        const { body } = await server.call("vpp-v1", "east", "GET /control/active_power/schedules");
        expect(statusesOf({ body: rowsOf(body, "schedules")[0] })).toEqual(["skipped_baseline_missing", "dispatched"]);
      },
    );
    skips.rule(
      "out of service comes before weight 0, and that before incompatible (docs/model/allocation.md#exclusion)",
      async () => {
        await server.sandbox("/faults", { kind: "outage", site: "plant" });
        for (const name of ["plant", "sun"])
          await server.call("vpp-v1", "mixed", `POST /members/${id(name)}`, { allocation_weight: 0 });
        const found = statusesOf(await mixed({ sku: null, delta_kw: 100 }));
        expect([found[5], found[1], found[2]]).toEqual([
          "skipped_out_of_service",
          "skipped_weight_zero",
          "skipped_incompatible",
        ]);
      },
    );
    skips.rule(
      "all in service but incompatible is 200 with all uncovered (docs/model/allocation.md#no-dispatchable-members)",
      async () => {
        const answered = await desk.post(
          schedule({ delta_kw: 50, member_baselines: [{ ems_id: id("hall"), baseline_kw: 300 }] }),
          "dr",
        );
        expect([answered.status, statusesOf(answered), answered.body.uncovered_kw]).toEqual([
          200,
          ["skipped_incompatible"],
          50,
        ]);
      },
    );
    skips.rule(
      "a VPP of loads takes an immediate down to what they can reduce now (docs/model/capability.md#immediate-range)",
      async () => {
        const member_baselines = [{ ems_id: id("hall"), baseline_kw: 300 }];
        const most = await desk.post(immediate({ delta_kw: -60.1, member_baselines }), "dr");
        expect([most.status, most.error.valid_range]).toEqual([400, "-60.0 to 0.0"]);
        const answered = await desk.post(immediate({ delta_kw: -60, member_baselines }), "dr");
        expect([answered.status, deltasOf(answered)]).toEqual([200, [-60]]);
      },
    );
  });
}
