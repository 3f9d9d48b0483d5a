import { expect } from "vitest";
import { RandomStreams } from "../../../src/engine/kernel/randomStreams.ts";
import { sectionOf } from "../ruleSections.ts";
import { at, column, describeOnServer, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { OPTIONS } from "../scenarios.ts";
import { deltasOf, membersOf, statusesOf, VppRequests } from "./desk.ts";

const DOC = "VPP API 1.4";
const LIST = "GET /control/active_power/schedules";

/** What decisions leave to options of a VPP, how links bear on deliveries, and who rules a site. */
export function vppOptionRules(): void {
  const server = new ScenarioServer(OPTIONS);
  const desk = new VppRequests(server);
  const immediate = (vpp: string, delta_kw: number, ...sites: readonly string[]) =>
    desk.post(desk.immediate({ delta_kw, member_baselines: desk.baselines(...sites) }), vpp);
  const schedule = (vpp: string, given: object, ...sites: readonly string[]) =>
    desk.post(desk.schedule({ member_baselines: desk.baselines(...sites), ...given }), vpp);
  const list = async (vpp: string) => rowsOf((await server.call("vpp-v1", vpp, LIST)).body, "schedules");
  const power = async (site: string) => (await server.call("site-v2", site, "GET /status")).body.current_kw;
  const own = (site: string, body: object) => server.call("site-v2", site, "POST /control/active_power", body);
  const HOUR = { start_time: at("01:00"), end_time: at("02:00") };

  describeOnServer("options of a VPP", server, () => {
    const range = sectionOf(DOC, "7 POST control/active_power, validation");
    range.rule(
      "strict_availability_check: loads add nothing to the range of an immediate (docs/model/capability.md#immediate-range)",
      async () => {
        const { status, error } = await immediate("literal", -50, "hall");
        expect([status, error.parameter, error.valid_range]).toEqual([400, "delta_kw", "0.0 to 0.0"]);
        // A schedule is not checked, and the load takes it.
        const answered = await schedule("literal", { sku: "rr", delta_kw: -50 }, "hall");
        expect([answered.status, statusesOf(answered)]).toEqual([200, ["pending"]]);
      },
    );

    const split = sectionOf(DOC, "Allocation exclusions");
    split.rule(
      "a delta above a member's capability is cut and the excess uncovered, or redistributed if the scenario says so (docs/model/allocation.md#delta-excess)",
      async () => {
        const plain = await immediate("plain", -260, "plain-1", "plain-2");
        expect([deltasOf(plain), plain.body.uncovered_kw]).toEqual([[-100, -130], -30]);
        const even = await immediate("even", -260, "even-1", "even-2");
        expect([deltasOf(even), even.body.uncovered_kw]).toEqual([[-100, -160], 0]);
        expect((await immediate("even", -300, "even-1", "even-2")).body.uncovered_kw).toBe(0);
      },
    );
    split.rule(
      "a delivery is tried four times, by the link's own draws (docs/model/allocation.md#delivery)",
      async () => {
        const draws = new RandomStreams(1).getStream("link", "lossy");
        const expected: unknown[] = [];
        const found: unknown[] = [];
        for (let k = 1; k <= 12; k++) {
          let attempts = 1;
          while (attempts <= 4 && draws.nextUniform() < 0.8) attempts++;
          expected.push(attempts <= 4 ? ["dispatched", null] : ["failed", "delivery_failed"]);
          // An amount of its own each time: what a site has already is not sent again.
          const [member] = membersOf(await immediate("thin", -k, "lossy"));
          found.push([member.dispatch_status, member.skip_reason]);
        }
        expect(found).toEqual(expected);
        expect(new Set(expected.map(String)).size).toBe(2);
      },
    );
    split.rule(
      "latency delays the effect at the plant, not the answer (docs/model/connection-point.md#delays)",
      async () => {
        const answered = await immediate("late", -40, "slow");
        expect([statusesOf(answered), await power("slow")]).toEqual([["dispatched"], 0]);
        await server.advanceTo("00:00:01");
        expect(await power("slow")).toBe(0);
        await server.advanceTo("00:00:02");
        expect(await power("slow")).toBe(-40);
      },
    );

    const states = sectionOf(DOC, "States: schedules and instructions");
    states.rule(
      "immediate_overrides_schedule: an immediate ends the schedule that runs, and one to come (docs/model/overlap.md#immediate)",
      async () => {
        await schedule("quick", {}, "swift");
        await schedule("quick", { start_time: at("02:10"), end_time: at("03:00"), delta_kw: -70 }, "swift");
        await server.advanceTo("01:10");
        const answered = await immediate("quick", -30, "swift");
        expect([statusesOf(answered), answered.body.uncovered_kw, await power("swift")]).toEqual([
          ["dispatched"],
          0,
          -30,
        ]);
        await server.advanceTo("01:45");
        expect([await power("swift"), (await list("quick"))[0].end_time]).toEqual([0, at("01:10")]);
        await server.advanceTo("02:00");
        await immediate("quick", 20, "swift");
        await server.advanceTo("02:20");
        expect(await power("swift")).toBe(20);
        await server.advanceTo("02:40");
        expect(await power("swift")).toBe(0);
      },
    );
    states.rule(
      "of products at one time each is planned alone, and the later one gets what the first leaves (docs/model/overlap.md#coexisting)",
      async () => {
        await schedule("alone", { delta_kw: -80 }, "solo");
        await schedule("alone", { sku: "rr", delta_kw: -60 }, "solo");
        expect(column(await list("alone"), "uncovered_kw")).toEqual([0, 0]);
        await server.advanceTo("01:10");
        const rows = await list("alone");
        expect(Object.fromEntries(rows.map((body) => [body.sku, [body.uncovered_kw, ...deltasOf({ body })]]))).toEqual({
          frr: [0, -80],
          rr: [-40, -20],
        });
        expect([await power("solo"), await desk.dispatchedDeltaKw("solo")]).toEqual([-100, -100]);
      },
    );
    states.rule(
      "a direct immediate rules until its end, then the rest of the VPP's schedule resumes (docs/model/overlap.md#direct-calls)",
      async () => {
        await schedule("alone", { delta_kw: -50 }, "solo");
        await server.advanceTo("01:10");
        await own("solo", { type: "immediate", sku: "frr", delta_kw: 20, duration_minutes: 10 });
        expect(await power("solo")).toBe(20);
        await server.advanceTo("01:20");
        expect(await power("solo")).toBe(-50);
      },
    );
    states.rule(
      "a member's schedule ranks by the POST of the VPP's, not by its start (docs/model/overlap.md#direct-calls)",
      async () => {
        await schedule("alone", { delta_kw: -50 }, "solo");
        await own("solo", { type: "schedule", sku: "frr", delta_kw: 10, ...HOUR });
        await server.advanceTo("01:10");
        expect(await power("solo")).toBe(10);
        await server.reset();
        await own("solo", { type: "schedule", sku: "frr", delta_kw: 10, ...HOUR });
        await schedule("alone", { delta_kw: -50 }, "solo");
        await server.advanceTo("01:10");
        expect(await power("solo")).toBe(-50);
      },
    );
    states.rule(
      "a re-dispatch does not take the site back from a later direct call (docs/model/overlap.md#direct-calls)",
      async () => {
        const sites = ["plain-1", "plain-2"];
        await schedule("plain", { delta_kw: -100 }, ...sites);
        await own("plain-1", { type: "schedule", sku: "frr", delta_kw: 10, ...HOUR });
        await server.advanceTo("01:10");
        await server.sandbox("/faults", { kind: "outage", site: "plain-2" });
        await server.advanceTo("01:12");
        // The VPP has given all of it to the member that it believes to follow.
        const [body] = await list("plain");
        expect([statusesOf({ body }), deltasOf({ body })]).toEqual([
          ["dispatched", "skipped_out_of_service"],
          [-100, null],
        ]);
        expect([await power("plain-1"), await desk.dispatchedDeltaKw("plain-1")]).toEqual([10, 10]);
      },
    );
  });
}
