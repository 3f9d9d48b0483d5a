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
import { VppRequests } from "../vppV1/desk.ts";

const DOC = "Site API 2.2";
const CONTROL = "POST /control/active_power";
const LIST = "GET /control/active_power/schedules";
const period = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });

/** A site's owner beside the VPP that the site belongs to, and beside what the owner registered before. */
export function siteV2OwnerRules(): void {
  const server = new ScenarioServer(FLEET);
  const desk = new VppRequests(server);
  const ask = (name: string, line: string, body?: unknown) => server.call("site-v2", name, line, body);
  const list = async (name: string) => rowsOf((await ask(name, LIST)).body, "schedules");
  const remove = (name: string, id: unknown) =>
    ask(name, `DELETE /control/active_power/schedules?schedule_id=${String(id)}`);
  const deliver = async (given: object = {}) =>
    (await desk.post(desk.schedule({ delta_kw: -50, member_baselines: desk.baselines("w"), ...given }), "west")).body;
  const member = async () => rowsOf((await server.call("vpp-v1", "west", "GET /status/details")).body, "members")[0];

  describeOnServer("a site's owner", server, () => {
    const schedules = sectionOf(DOC, "Schedules");
    schedules.rule("what its VPP delivered is listed and may be deleted; the VPP does not notice", async () => {
      const { schedule_id } = await deliver();
      expect(column(await list("w"), "schedule_id")).toEqual([schedule_id]);
      await server.advanceTo("00:59");
      expect((await remove("w", schedule_id)).body).toMatchObject({
        message: "Schedule deleted successfully",
        schedule_id,
      });
      expect([await list("w"), (await remove("w", schedule_id)).status]).toEqual([[], 404]);
      await server.advanceTo("01:10");
      const [entry] = rowsOf((await server.call("vpp-v1", "west", LIST)).body, "schedules");
      expect(entry).toMatchObject({
        schedule_id,
        uncovered_kw: 0,
        members: [{ dispatch_status: "dispatched", delta_kw: -50 }],
      });
      // The comparison that the VPP document names: instructed against dispatched.
      expect(await member()).toMatchObject({
        last_dispatch_status: "dispatched",
        active_power: { current_kw: 0, dispatched_delta_kw: null },
      });
      expect(await list("w")).toEqual([]);
    });
    schedules.rule("the rear piece of a deleted one stays deleted, a new registration does not", async () => {
      const { schedule_id } = await deliver();
      await remove("w", schedule_id);
      await deliver({ sku: "frr", ...period("01:20", "01:40"), delta_kw: -30 });
      expect((await list("w")).map(({ start_time, delta_kw }) => [start_time, delta_kw])).toEqual([[at("01:20"), -30]]);
      await server.advanceTo("01:50");
      expect((await member()).active_power).toMatchObject({ current_kw: 0, dispatched_delta_kw: null });
    });
    schedules.rules(
      [
        ["its VPP's within a minute of its start is not deletable", "00:59:01"],
        ["its VPP's running is not deletable", "01:10"],
        ["its VPP's completed is not deletable", "02:00"],
      ] as const,
      async (_, clock) => {
        const { schedule_id } = await deliver();
        await server.advanceTo(clock);
        const { status, error } = await remove("w", schedule_id);
        expect([status, error]).toMatchObject([409, { schedule_id, start_time: at("01:00"), current_time: at(clock) }]);
      },
    );
    schedules.rule("another site's is unknown", async () => {
      const { schedule_id } = await deliver();
      expect((await remove("c", schedule_id)).status).toBe(404);
    });
    schedules.rule("one that never ruled, behind a later registration, is still listed when it is over", async () => {
      const own = await ask("w", CONTROL, { type: "schedule", sku: "frr", delta_kw: 10, ...period("01:00", "02:00") });
      const delivered = await deliver();
      const ids = [own.body.schedule_id, delivered.schedule_id];
      await server.advanceTo("01:30");
      expect((await ask("w", "GET /status")).body.dispatched_delta_kw).toBe(-50);
      await server.advanceTo("02:30");
      expect(new Set(column(await list("w"), "schedule_id"))).toEqual(new Set(ids));
    });

    const plan = sectionOf(DOC, "Service plan");
    plan.rule("maintenance that began in the sandbox is planned until its end, or until it is ended", async () => {
      const planned = async () => {
        const plans = rowsOf((await ask("a", "GET /serviceplan")).body, "plans");
        return plans.filter((slot) => slot.status === 9).map((slot) => slot.start_time);
      };
      expect(await planned()).toEqual([]);
      const { fault_id } = await server.sandbox("/faults", { kind: "maintenance", site: "a", duration: "PT50M" });
      expect(await planned()).toEqual([at("00:00"), at("00:30")]);
      await fetch(`${server.baseUrl}/sandbox/faults/${String(fault_id)}`, { method: "DELETE" });
      expect(await planned()).toEqual([]);
    });

    const control = sectionOf(DOC, "Control");
    const shed = (name: string, start: string, end: string, given: object = {}): Promise<ApiAnswer> =>
      ask(name, CONTROL, {
        type: "schedule",
        sku: "rr",
        delta_kw: -50,
        baseline_kw: 300,
        ...period(start, end),
        ...given,
      });
    const verdict = ({ status, error }: ApiAnswer): unknown =>
      status === 200 ? 200 : `${status} ${error.error_type} ${error.required_action ?? ""}`.trim();
    control.rule("negawatts without a baseline are refused for that, before a target below 0", async () => {
      const given = { sku: "negawatt-spot", delta_kw: -50, baseline_kw: undefined };
      expect(verdict(await shed("shop", "01:00", "02:00", given))).toBe(
        "422 baseline_not_configured Register it by POST baseline",
      );
      // Without the product it is the target that is wrong.
      expect(verdict(await shed("shop", "01:00", "02:00", { ...given, sku: null }))).toBe(
        "422 reverse_power_flow_forbidden",
      );
    });
    control.rule("what d152 knows comes in one order: product, baseline, direction, size, length", async () => {
      const kinds: unknown[] = [];
      let body: JsonBody = { sku: "frr", delta_kw: -39, baseline_kw: 0 };
      const fixes: readonly JsonBody[] = [{}, { baseline_kw: 300 }, { delta_kw: -50 }, { end_time: at("01:30") }];
      for (const fix of fixes) {
        body = { ...body, ...fix };
        kinds.push(verdict(await shed("hall", "01:00", "01:29", body)));
      }
      expect(kinds).toEqual([
        "422 reverse_power_flow_forbidden",
        "400 dr_reduction_below_minimum",
        "400 dr_duration_below_minimum",
        200,
      ]);
    });
    control.rule(
      "a reduction before the load has rested from a registered one is refused when it is posted (docs/model/consumer.md#contiguous)",
      async () => {
        expect(verdict(await shed("hall", "01:00", "02:00"))).toBe(200);
        expect(verdict(await shed("hall", "02:59", "03:30"))).toBe(
          `422 dr_cooldown_active Try again from ${at("03:00")}`,
        );
        expect(verdict(await shed("hall", "03:00", "03:30"))).toBe(200);
        // Of the same product, and where the other ends: one reduction that goes on.
        expect(verdict(await shed("hall", "02:00", "02:30"))).toBe(200);
      },
    );
    control.rule("nor before it has rested from the last one", async () => {
      await ask("hall", CONTROL, {
        type: "immediate",
        sku: "rr",
        delta_kw: -50,
        baseline_kw: 300,
        duration_minutes: 30,
      });
      expect(verdict(await shed("hall", "01:29", "02:00"))).toBe(
        `422 dr_cooldown_active Try again from ${at("01:30")}`,
      );
      await server.advanceTo("00:40");
      expect(verdict(await shed("hall", "01:29", "02:00"))).toBe(
        `422 dr_cooldown_active Try again from ${at("01:30")}`,
      );
      expect(verdict(await shed("hall", "01:30", "02:00"))).toBe(200);
    });
    control.rule(
      "another product at the time of a registered reduction is 409 when it is posted (docs/model/overlap.md#dr-duplicate)",
      async () => {
        expect(verdict(await shed("hall", "01:00", "02:00"))).toBe(200);
        expect(verdict(await shed("hall", "01:30", "02:30", { sku: "frr" }))).toBe(
          "409 dr_duplicate_dispatch Wait for its end",
        );
      },
    );
    control.rule(
      "an immediate reduction of the same product replaces the one that runs (docs/model/overlap.md#direct-calls)",
      async () => {
        const body = { type: "immediate", sku: "rr", baseline_kw: 300, duration_minutes: 30 };
        await ask("hall", CONTROL, { ...body, delta_kw: -50 });
        await server.advanceTo("00:10");
        expect((await ask("hall", CONTROL, { ...body, delta_kw: -40 })).status).toBe(200);
        expect((await ask("hall", "GET /status")).body).toMatchObject({ dispatched_delta_kw: -40, current_kw: 260 });
        await server.advanceTo("00:35");
        expect((await ask("hall", "GET /status")).body).toMatchObject({ dispatched_delta_kw: -40, current_kw: 260 });
      },
    );
  });
}
