import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, column, describeOnServer, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";
import { deltasOf, statusesOf, VppRequests } from "./desk.ts";

const DOC = "VPP API 1.4";
const LIST = "GET /control/active_power/schedules";

export function vppScheduleRules(): void {
  const server = new ScenarioServer(FLEET);
  const desk = new VppRequests(server);
  const id = (name: string) => server.idOf(name);
  const post = async (given: object = {}) => {
    const { status, body, error } = await desk.post(desk.schedule(given));
    expect([status, error]).toEqual([200, {}]);
    return String(body.schedule_id);
  };
  const list = async (query = "") => rowsOf((await server.call("vpp-v1", "east", `${LIST}${query}`)).body, "schedules");
  const remove = (scheduleId: string) =>
    server.call("vpp-v1", "east", `DELETE /control/active_power/schedules?schedule_id=${scheduleId}`);
  const period = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });

  /** "action start end" of each row, with "old" for the id that was there before. */
  async function overlap(old: object, given: object): Promise<readonly string[]> {
    const oldId = await post(old);
    const { body } = await desk.post(desk.schedule(given));
    return rowsOf(body, "affected_schedules").map((row) => {
      const whose = row.schedule_id === oldId ? "old" : row.schedule_id === body.schedule_id ? "new" : "rear";
      return `${whose} ${row.action} ${clockOf(row.start_time)}-${clockOf(row.end_time)}`;
    });
  }

  describeOnServer("schedules of a VPP", server, () => {
    const overlaps = sectionOf(DOC, "Overlap resolution");
    const HOUR = period("01:00", "02:00");
    overlaps.rules(
      [
        ["same period, same SKU: overwritten, the id is kept", {}, HOUR, ["old inherited 01:00-02:00"]],
        [
          "same period, both without SKU: overwritten",
          { sku: null },
          { sku: null, ...HOUR },
          ["old inherited 01:00-02:00"],
        ],
        [
          "same period, none over a market SKU: overwritten (docs/model/overlap.md#resolution)",
          {},
          { sku: null, ...HOUR },
          ["old inherited 01:00-02:00"],
        ],
        [
          "same period, a market SKU over none: overwritten (docs/model/overlap.md#resolution)",
          { sku: null },
          HOUR,
          ["old inherited 01:00-02:00"],
        ],
        [
          "same period, exchange-ttv over exchange-da: overwritten",
          { sku: "exchange-da" },
          { sku: "exchange-ttv", ...HOUR },
          ["old inherited 01:00-02:00"],
        ],
        [
          "same period, exchange-da over exchange-ttv: overwritten",
          { sku: "exchange-ttv" },
          { sku: "exchange-da", ...HOUR },
          ["old inherited 01:00-02:00"],
        ],
        ["same period, frr and rr: both stay", {}, { sku: "rr", ...HOUR }, ["new created 01:00-02:00"]],
        ["same period, frr and compound: both stay", {}, { sku: "compound", ...HOUR }, ["new created 01:00-02:00"]],
        [
          "same period, frr and exchange-da: both stay",
          {},
          { sku: "exchange-da", ...HOUR },
          ["new created 01:00-02:00"],
        ],
        [
          "the middle: front keeps the id, rear gets a new one",
          {},
          period("01:20", "01:40"),
          ["old split 01:00-01:20", "new created 01:20-01:40", "rear created 01:40-02:00"],
        ],
        [
          "the front: the rest keeps the id",
          {},
          period("00:30", "01:30"),
          ["new created 00:30-01:30", "old split 01:30-02:00"],
        ],
        [
          "the rear: the rest keeps the id",
          {},
          period("01:30", "02:30"),
          ["old split 01:00-01:30", "new created 01:30-02:30"],
        ],
        [
          "all of it and more: deleted, with its old times",
          {},
          period("00:30", "02:30"),
          ["new created 00:30-02:30", "old deleted 01:00-02:00"],
        ],
        [
          "its neighbour: untouched, intervals are half-open (docs/model/time.md#event-order)",
          {},
          period("02:00", "02:30"),
          ["new created 02:00-02:30"],
        ],
        [
          "a partial overlap of other SKUs: untouched",
          {},
          { sku: "rr", ...period("01:30", "02:30") },
          ["new created 01:30-02:30"],
        ],
        [
          "a survivor of exactly a minute is left",
          {},
          period("01:01", "02:00"),
          ["old split 01:00-01:01", "new created 01:01-02:00"],
        ],
      ] as const,
      async (_, old, given, rows) => expect(await overlap(old, given)).toEqual(rows),
    );
    overlaps.rules(
      [
        ["a front of 59 s", period("01:00:59", "02:00")],
        ["a rear of 59 s", period("01:00", "01:59:01")],
      ] as const,
      async (rule, given) => {
        const old = await post();
        const { status, error } = await desk.post(desk.schedule(given));
        expect([rule, status, error.error_type]).toEqual([rule, 400, "schedule_split_too_narrow"]);
        expect(await list()).toMatchObject([{ schedule_id: old, ...HOUR }]);
      },
    );
    overlaps.rule("all-or-nothing also over several (docs/model/overlap.md#shortest-piece)", async () => {
      await post(period("01:00", "01:30"));
      await post(period("01:30", "02:00"));
      const before = await list();
      expect((await desk.post(desk.schedule(period("01:10", "01:59:30")))).error.error_type).toBe(
        "schedule_split_too_narrow",
      );
      expect(await list()).toEqual(before);
    });
    overlaps.rule(
      "survivors keep amount, SKU, baselines and created_at (docs/model/apis.md#schedule-list)",
      async () => {
        await post({ delta_kw: -80 });
        await server.advanceTo("00:30");
        await post({ ...period("01:20", "01:40"), delta_kw: -20 });
        expect((await list()).map((row) => [clockOf(row.start_time), row.delta_kw, row.created_at])).toEqual([
          ["01:00", -80, at("00:00")],
          ["01:20", -20, at("00:30")],
          ["01:40", -80, at("00:00")],
        ]);
      },
    );
    overlaps.rule("a running one may be overwritten, its executed part keeps the id", async () => {
      const old = await post();
      await server.advanceTo("01:10");
      const renewed = await post({ ...period("01:30", "03:00"), delta_kw: 40 });
      expect((await list()).map((row) => [row.schedule_id, clockOf(row.start_time), clockOf(row.end_time)])).toEqual([
        [old, "01:00", "01:30"],
        [renewed, "01:30", "03:00"],
      ]);
    });
    overlaps.rule("the last minute before a start may be overwritten, though not deleted", async () => {
      const old = await post();
      await server.advanceTo("00:59:30");
      expect((await remove(old)).status).toBe(409);
      await post(period("01:01", "02:00"));
    });
    overlaps.rule("a completed one takes no part (docs/model/overlap.md#pieces)", async () => {
      const old = await post();
      await server.advanceTo("02:00");
      const { body } = await desk.post(desk.schedule(period("02:01", "03:00")));
      expect(column(rowsOf(body, "affected_schedules"), "schedule_id")).not.toContain(old);
    });

    const states = sectionOf(DOC, "States: schedules and instructions");
    states.rule("a pending one shows planned deltas, uncovered as registered", async () => {
      await post({ delta_kw: -400 });
      const [entry] = await list();
      expect([statusesOf({ body: entry }), deltasOf({ body: entry }), entry.uncovered_kw]).toEqual([
        ["pending", "pending"],
        [-100, -200],
        -100,
      ]);
    });
    states.rule("at its start status and weights are read anew", async () => {
      await post();
      await server.call("vpp-v1", "east", `POST /members/${id("b")}`, { allocation_weight: 100 });
      await server.advanceTo("00:59:59");
      expect(deltasOf({ body: (await list())[0] })).toEqual([-25, -75]);
      await server.advanceTo("01:00");
      const [entry] = await list();
      expect([statusesOf({ body: entry }), deltasOf({ body: entry })]).toEqual([
        ["dispatched", "dispatched"],
        [-50, -50],
      ]);
      expect([await desk.dispatchedDeltaKw("a"), await desk.dispatchedDeltaKw("b")]).toEqual([-50, -50]);
    });
    states.rule("uncovered_kw is a snapshot of the start", async () => {
      await post({ delta_kw: -150 });
      await server.advanceTo("01:10");
      await server.sandbox("/faults", { kind: "outage", site: "b" });
      await server.advanceTo("01:12");
      expect([await desk.dispatchedDeltaKw("a"), (await list())[0].uncovered_kw]).toEqual([-100, 0]);
    });
    states.rule(
      "no member in service at its start: it runs, all uncovered (docs/model/allocation.md#no-dispatchable-members)",
      async () => {
        await post();
        for (const site of ["a", "b"]) await server.sandbox("/faults", { kind: "outage", site, duration: "PT1H10M" });
        await server.advanceTo("01:05");
        expect((await list())[0]).toMatchObject({ uncovered_kw: -100 });
        await server.advanceTo("01:11");
        expect([await desk.dispatchedDeltaKw("a"), await desk.dispatchedDeltaKw("b")]).toEqual([-25, -75]);
      },
    );
    states.rule("an immediate ends by itself after its minutes", async () => {
      await desk.post(desk.immediate());
      await server.advanceTo("00:29:59");
      expect(await desk.dispatchedDeltaKw("a")).toBe(-25);
      await server.advanceTo("00:30");
      expect(await desk.dispatchedDeltaKw("a")).toBeNull();
    });
    states.rule("a schedule's start ends a running immediate for good (docs/model/overlap.md#immediate)", async () => {
      await post(period("00:10", "00:20"));
      await desk.post(desk.immediate({ delta_kw: -40 }));
      expect(await desk.dispatchedDeltaKw("a")).toBe(-10);
      await server.advanceTo("00:10");
      expect(await desk.dispatchedDeltaKw("a")).toBe(-25);
      await server.advanceTo("00:20");
      expect(await desk.dispatchedDeltaKw("a")).toBeNull();
    });
    states.rule(
      "an immediate while a schedule runs is 200, skipped and without effect (docs/model/overlap.md#immediate)",
      async () => {
        await post();
        await server.advanceTo("01:10");
        const answered = await desk.post(desk.immediate({ delta_kw: -40 }));
        expect([answered.status, statusesOf(answered), answered.body.uncovered_kw]).toEqual([
          200,
          ["skipped_incompatible", "skipped_incompatible"],
          -40,
        ]);
        expect(answered.body.message).toContain("schedule is running");
        expect(await desk.dispatchedDeltaKw("a")).toBe(-25);
      },
    );
    states.rule("a new immediate replaces a running one (docs/model/overlap.md#direct-calls)", async () => {
      await desk.post(desk.immediate());
      await desk.post(desk.immediate({ delta_kw: 40 }));
      expect([await desk.dispatchedDeltaKw("a"), await desk.dispatchedDeltaKw("b")]).toEqual([10, 30]);
    });
    states.rule(
      "a member out of service is left out from the next whole minute on, the rest carry its share",
      async () => {
        await desk.post(desk.immediate({ delta_kw: -80 }));
        await server.advanceTo("00:01:30");
        await server.sandbox("/faults", { kind: "outage", site: "a", duration: "PT3M" });
        await server.advanceTo("00:01:59");
        expect(await desk.dispatchedDeltaKw("b")).toBe(-60);
        await server.advanceTo("00:02");
        expect(await desk.dispatchedDeltaKw("b")).toBe(-80);
        await server.advanceTo("00:05");
        expect([await desk.dispatchedDeltaKw("a"), await desk.dispatchedDeltaKw("b")]).toEqual([-20, -60]);
      },
    );
    states.rule("a weight does not touch what runs, a label neither", async () => {
      await desk.post(desk.immediate());
      await server.call("vpp-v1", "east", `POST /members/${id("a")}`, { allocation_weight: 300, label: "x" });
      await server.advanceTo("00:05");
      expect(await desk.dispatchedDeltaKw("a")).toBe(-25);
    });
    states.rule(
      "a direct call to the site takes precedence over its VPP's order, and shows in details only (docs/model/overlap.md#direct-calls)",
      async () => {
        await post();
        await server.advanceTo("01:10");
        await server.call("site-v2", "a", "POST /control/active_power", {
          type: "immediate",
          delta_kw: 15,
          duration_minutes: 10,
        });
        const { body } = await server.call("vpp-v1", "east", "GET /status/details");
        expect(rowsOf(body, "members")[0].active_power).toMatchObject({ dispatched_delta_kw: 15 });
        expect((await list())[0].uncovered_kw).toBe(0);
      },
    );

    const read = sectionOf(DOC, "8 GET schedules");
    read.rule("an entry has every field of its table", async () => {
      const schedule_id = await post();
      expect(Object.keys((await list())[0]).sort()).toEqual(
        [
          "schedule_id",
          "control_type",
          "delta_kw",
          "fcr_response_kw",
          "compound_breakdown",
          "sku",
          "start_time",
          "end_time",
          "created_at",
          "uncovered_kw",
          "members",
        ].sort(),
      );
      expect((await list())[0]).toMatchObject({ schedule_id, control_type: "schedule", created_at: at("00:00") });
    });
    read.rule("frequency response has no delta", async () => {
      await desk.post(desk.fcr());
      expect((await list())[0]).toMatchObject({ delta_kw: null, fcr_response_kw: 60, sku: "fcr" });
    });
    read.rule("the window is on start times, both ends inclusive (docs/model/apis.md#schedule-list)", async () => {
      const [first, second] = [await post(period("01:00", "02:00")), await post(period("03:00", "04:00"))];
      const idsIn = async (from: string, to: string) =>
        column(await list(`?start_time_from=${at(from)}&start_time_to=${at(to)}`), "schedule_id");
      expect(await idsIn("01:00", "03:00")).toEqual([first, second]);
      expect(await idsIn("01:00:01", "03:00")).toEqual([second]);
      expect(await idsIn("01:00", "02:59:59")).toEqual([first]);
    });
    read.rule("executed ones stay in the list", async () => {
      const first = await post();
      await server.advanceTo("02:30");
      expect(column(await list(), "schedule_id")).toEqual([first]);
    });
    read.rules(
      [
        ["30 days back are allowed", `?start_time_from=${at("-30.00:00")}`, 200, undefined],
        [
          "30 days and a second back are not",
          `?start_time_from=${at("-31.23:59:59")}`,
          400,
          "schedule_query_out_of_range",
        ],
        ["90 days ahead are allowed", `?start_time_to=${at("90.00:00")}`, 200, undefined],
        [
          "90 days and a second ahead are not",
          `?start_time_to=${at("90.00:00:01")}`,
          400,
          "schedule_query_out_of_range",
        ],
        [
          "a window that ends before it begins is 400 (docs/model/apis.md#schedule-list)",
          `?start_time_from=${at("02:00")}&start_time_to=${at("01:00")}`,
          400,
          "invalid_parameter",
        ],
        ["a time that is none is 400", "?start_time_from=yesterday", 400, "invalid_parameter"],
      ] as const,
      async (_, query, status, errorType) => {
        const answered = await server.call("vpp-v1", "east", `${LIST}${query}`);
        expect([answered.status, answered.error.error_type]).toEqual([status, errorType]);
      },
    );

    const removal = sectionOf(DOC, "9 DELETE schedules");
    removal.rule(
      "60 s before its start it is deleted, with its member schedules (docs/model/apis.md#schedule-delete)",
      async () => {
        const schedule_id = await post();
        await server.advanceTo("00:59");
        expect((await remove(schedule_id)).body).toEqual({
          vpp_id: id("east"),
          message: "Schedule deleted successfully",
          schedule_id,
          timestamp: at("00:59"),
        });
        expect(await list()).toEqual([]);
        expect((await server.call("site-v2", "a", LIST)).body.schedules).toEqual([]);
        await server.advanceTo("01:00");
        expect(await desk.dispatchedDeltaKw("a")).toBeNull();
      },
    );
    removal.rules(
      [
        ["59 s before its start it is not", "00:59:01"],
        ["running it is not", "01:30"],
        ["completed it is not", "02:00"],
      ] as const,
      async (_, clock) => {
        const schedule_id = await post();
        await server.advanceTo(clock);
        const { status, error } = await remove(schedule_id);
        expect([status, error]).toMatchObject([409, { code: 409, error_type: "schedule_not_deletable", schedule_id }]);
      },
    );
    removal.rule("an unknown id is 404 and named", async () => {
      const { status, error } = await remove("0".repeat(32));
      expect([status, error.error_type, error.schedule_id]).toEqual([404, "schedule_not_found", "0".repeat(32)]);
    });
    removal.rule("schedule_id is required", async () => {
      const { status, error } = await server.call("vpp-v1", "east", "DELETE /control/active_power/schedules");
      expect([status, error.error_type, error.parameter]).toEqual([400, "invalid_parameter", "schedule_id"]);
    });
    removal.rule("another product of the same period stays (docs/model/apis.md#schedule-delete)", async () => {
      const first = await post();
      await post({ sku: "rr", delta_kw: -40 });
      await remove(first);
      await server.advanceTo("01:00");
      expect(await desk.dispatchedDeltaKw("a")).toBe(-10);
    });
  });
}

const clockOf = (instant: unknown): string => String(instant).slice(11, 16);
