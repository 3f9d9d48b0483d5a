import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { type ApiAnswer, at, column, describeOnServer, rowsOf, ScenarioServer } from "../scenarioServer.ts";
import { CROWD, FLEET } from "../scenarios.ts";

const DOC = "VPP API 1.4";

export function vppMemberRules(): void {
  const server = new ScenarioServer(FLEET);
  const vpp = (line: string, body?: unknown, name = "east") => server.call("vpp-v1", name, line, body);
  const id = (name: string) => server.idOf(name);
  const register = (body: object) => vpp("POST /members", body);
  const kind = ({ status, error }: ApiAnswer) => [status, error.code, error.error_type];

  describeOnServer("members of a VPP", server, () => {
    const list = sectionOf(DOC, "1 GET members");
    list.rule("lists the records in order of registration", async () => {
      const { body } = await vpp("GET /members");
      const record = { label: "", resource_type: "battery", registered_at: at("00:00") };
      expect(body).toEqual({
        vpp_id: id("east"),
        members: [
          { ems_id: id("a"), allocation_weight: 100, ...record },
          { ems_id: id("b"), allocation_weight: 300, ...record },
        ],
        total_count: 2,
        timestamp: at("00:00"),
      });
    });
    list.rule("an empty list is 200", async () => {
      await vpp(`DELETE /members/${id("w")}`, undefined, "west");
      expect(await vpp("GET /members", undefined, "west")).toMatchObject({
        status: 200,
        body: { members: [], total_count: 0 },
      });
    });

    const post = sectionOf(DOC, "2 POST members");
    post.rule("registers with the defaults, and answers the whole record", async () => {
      await server.advanceTo("00:10");
      const { status, body } = await register({ ems_id: id("c"), resource_type: "battery" });
      expect([status, body]).toEqual([
        200,
        {
          vpp_id: id("east"),
          message: "EMS registered successfully",
          ems_id: id("c"),
          label: "",
          resource_type: "battery",
          allocation_weight: 100,
          registered_at: at("00:10"),
          timestamp: at("00:10"),
        },
      ]);
    });
    post.rules(
      [
        ["a label of 64 characters is taken", "c", { resource_type: "battery", label: "x".repeat(64) }],
        ["a weight of 0 is taken", "c", { resource_type: "battery", allocation_weight: 0 }],
        ["a weight of 999999.9 is taken", "c", { resource_type: "battery", allocation_weight: 999_999.9 }],
        ["one component of type consumer is a consumer", "shop", { resource_type: "consumer" }],
      ] as const,
      async (_, name, body) => {
        const answered = await register({ ems_id: id(name), ...body });
        expect([answered.status, answered.body]).toMatchObject([200, body]);
      },
    );
    post.rules(
      [
        ["an id in capitals is 400", () => ({ ems_id: id("c").toUpperCase() }), 400, "invalid_parameter"],
        ["an id of 31 characters is 400", () => ({ ems_id: id("c").slice(1) }), 400, "invalid_parameter"],
        ["no id is 400", () => ({}), 400, "invalid_parameter"],
        ["no resource_type is 400", () => ({ ems_id: id("c"), resource_type: undefined }), 400, "invalid_parameter"],
        ["a baseline cannot be given", () => ({ ems_id: id("c"), baseline_kw: 0 }), 400, "invalid_parameter"],
        [
          "a label of 65 characters is 400",
          () => ({ ems_id: id("c"), label: "x".repeat(65) }),
          400,
          "invalid_parameter",
        ],
        ["a weight of -0.1 is 400", () => ({ ems_id: id("c"), allocation_weight: -0.1 }), 400, "invalid_parameter"],
        ["a weight of 1000000 is 400", () => ({ ems_id: id("c"), allocation_weight: 1e6 }), 400, "invalid_parameter"],
        [
          "measurement_point cannot be set",
          () => ({ ems_id: id("c"), measurement_point: "grid" }),
          400,
          "invalid_parameter",
        ],
        ["an unknown resource_type", () => ({ ems_id: id("c"), resource_type: "car" }), 400, "invalid_resource_type"],
        [
          "another type than the EMS has",
          () => ({ ems_id: id("c"), resource_type: "consumer" }),
          400,
          "resource_type_mismatch",
        ],
        [
          "two or more components are multi_component, a battery",
          () => ({ ems_id: id("c"), resource_type: "multi_component" }),
          400,
          "resource_type_mismatch",
        ],
        ["an EMS that does not exist", () => ({ ems_id: "f".repeat(32) }), 400, "ems_not_found"],
        ["an EMS that is a member already", () => ({ ems_id: id("a") }), 409, "ems_already_registered"],
        ["an EMS of another VPP", () => ({ ems_id: id("w") }), 409, "ems_registered_to_other_vpp"],
      ] as const,
      async (_, body, status, errorType) => {
        const sent: { readonly ems_id?: string; readonly resource_type?: string } = {
          resource_type: "battery",
          ...body(),
        };
        const answered = await register(sent);
        expect(kind(answered)).toEqual([status, status, errorType]);
        expect(Object.keys(answered.body)).toEqual(["vpp_id", "error", "timestamp"]);
        if (status === 409 || errorType === "ems_not_found") expect(answered.error.ems_id).toBe(sent.ems_id);
        expect((await vpp("GET /members")).body.total_count).toBe(2);
      },
    );

    const update = sectionOf(DOC, "3 POST members/{ems_id}");
    update.rule("changes what is given, and leaves the rest", async () => {
      const record = {
        vpp_id: id("east"),
        message: "Member updated successfully",
        ems_id: id("a"),
        resource_type: "battery",
        timestamp: at("00:00"),
      };
      const first = await vpp(`POST /members/${id("a")}`, { allocation_weight: 7.5 });
      expect(first.body).toEqual({ ...record, label: "", allocation_weight: 7.5 });
      const second = await vpp(`POST /members/${id("a")}`, { label: "north" });
      expect(second.body).toEqual({ ...record, label: "north", allocation_weight: 7.5 });
    });
    update.rule("an empty body changes nothing and is 200 (docs/model/apis.md#resource-type)", async () => {
      expect(await vpp(`POST /members/${id("a")}`, {})).toMatchObject({
        status: 200,
        body: { allocation_weight: 100 },
      });
    });
    update.rules(
      [
        ["ems_id cannot be changed", () => id("a"), { ems_id: "f".repeat(32) }, 400, "invalid_parameter"],
        ["resource_type cannot be changed", () => id("a"), { resource_type: "consumer" }, 400, "invalid_parameter"],
        [
          "the retired default_baseline_kw is refused",
          () => id("a"),
          { default_baseline_kw: 0 },
          400,
          "invalid_parameter",
        ],
        [
          "an id in capitals is 400 (docs/model/apis.md#resource-type)",
          () => id("a").toUpperCase(),
          {},
          400,
          "invalid_parameter",
        ],
        ["a site outside the VPP", () => id("c"), {}, 404, "member_not_found"],
        ["a site that does not exist", () => "f".repeat(32), {}, 404, "member_not_found"],
      ] as const,
      async (_, target, body, status, errorType) => {
        const answered = await vpp(`POST /members/${target()}`, body);
        expect(kind(answered)).toEqual([status, status, errorType]);
        if (status === 404) expect(answered.error.ems_id).toBe(target());
      },
    );

    const remove = sectionOf(DOC, "4 DELETE members/{ems_id}");
    remove.rule("removes the member from the VPP only", async () => {
      const { body } = await vpp(`DELETE /members/${id("a")}`);
      expect(body).toEqual({
        vpp_id: id("east"),
        message: "EMS removed successfully",
        ems_id: id("a"),
        timestamp: at("00:00"),
      });
      expect(column(rowsOf((await vpp("GET /members")).body, "members"), "ems_id")).toEqual([id("b")]);
      expect((await server.call("site-v2", "a", "GET /status")).status).toBe(200);
    });
    remove.rule("a site that is no member is 404 and named", async () => {
      const answered = await vpp(`DELETE /members/${id("c")}`);
      expect([kind(answered), answered.error.ems_id]).toEqual([[404, 404, "member_not_found"], id("c")]);
    });
    remove.rule(
      "a member in a running instruction stays in it until its end, and cannot be registered until then (docs/model/members.md#removal)",
      async () => {
        const member_baselines = [id("a"), id("b")].map((ems_id) => ({ ems_id, baseline_kw: 0 }));
        await vpp("POST /control/active_power", {
          type: "immediate",
          delta_kw: -40,
          duration_minutes: 30,
          member_baselines,
        });
        await vpp(`DELETE /members/${id("a")}`);
        expect((await server.call("site-v2", "a", "GET /status")).body.dispatched_delta_kw).toBe(-10);
        const again = { ems_id: id("a"), resource_type: "battery" };
        expect(kind(await register(again))).toEqual([409, 409, "ems_already_registered"]);
        expect(kind(await vpp("POST /members", again, "west"))).toEqual([409, 409, "ems_registered_to_other_vpp"]);
        await server.advanceTo("00:30");
        expect((await register(again)).status).toBe(200);
      },
    );
  });

  const crowd = new ScenarioServer(CROWD);
  describeOnServer("a VPP of a hundred members", crowd, () => {
    sectionOf(DOC, "Limits: members").rule("the 101st is refused", async () => {
      const body = { ems_id: crowd.idOf("last"), resource_type: "battery" };
      expect(kind(await crowd.call("vpp-v1", "full", "POST /members", body))).toEqual([
        400,
        400,
        "member_limit_exceeded",
      ]);
    });
    const combined = sectionOf(DOC, "Limits: history times members");
    combined.rules(
      [
        // 1.24 hours are 4464 s: times 100 members exactly the limit of 446400.
        [
          "4464 points of 100 members are taken",
          "active_power",
          { start_time: at("00:00"), end_time: at("01:14:24"), interval_seconds: 1 },
          200,
          undefined,
        ],
        [
          "4465 points of 100 members are too many",
          "active_power",
          { start_time: at("00:00"), end_time: at("01:14:25"), interval_seconds: 1 },
          410,
          "data_points_exceeded",
        ],
        // 446 half hours end at 02:00; times 100 members they are 44600 of 44640.
        [
          "446 records of 100 members are taken",
          "energy",
          { start_time: at("-10.19:00"), end_time: at("02:00"), interval_seconds: 1800 },
          200,
          undefined,
        ],
        [
          "447 records of 100 members are too many",
          "energy",
          { start_time: at("-10.18:30"), end_time: at("02:00"), interval_seconds: 1800 },
          410,
          "data_points_exceeded",
        ],
      ] as const,
      async (_, path, body, status, errorType) => {
        await crowd.advanceTo("02:00");
        if (status === 200) {
          expect(await crowd.statusOf("vpp-v1", "full", `/measurements/${path}`, body)).toBe(200);
          return;
        }
        const answered = await crowd.call("vpp-v1", "full", `POST /measurements/${path}`, body);
        expect([answered.status, answered.error.error_type]).toEqual([status, errorType]);
      },
    );
  });
}
