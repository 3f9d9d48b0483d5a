import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { at, describeOnServer, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";
import { VppRequests } from "./desk.ts";

export function vppIdempotencyRules(): void {
  const server = new ScenarioServer(FLEET);
  describeOnServer("idempotency keys", server, () => keys(server));
}

function keys(server: ScenarioServer): void {
  const rules = sectionOf("VPP API 1.4", "Idempotency");
  const desk = new VppRequests(server);
  const key = (text: string) => ({ "idempotency-key": text });
  const listed = async () =>
    ((await server.call("vpp-v1", "east", "GET /control/active_power/schedules")).body.schedules as unknown[]).length;
  rules.rule("the same key and body give the stored answer, and nothing is done again", async () => {
    const first = await desk.post(desk.schedule({ sku: "frr" }), "east", key("k"));
    await server.advanceTo("00:05");
    const second = await desk.post(desk.schedule({ sku: "frr" }), "east", key("k"));
    expect(second.body).toEqual(first.body);
    expect(second.body.timestamp).toBe(at("00:00"));
    expect(await listed()).toBe(1);
  });
  rules.rule("a body with its keys in another order is the same (docs/model/apis.md#idempotency)", async () => {
    const body = desk.schedule();
    const first = await desk.post(body, "east", key("k"));
    const turned = Object.fromEntries(Object.entries(body).reverse());
    expect((await desk.post(turned, "east", key("k"))).body).toEqual(first.body);
  });
  rules.rule("another body is 409 with the key", async () => {
    await desk.post(desk.schedule(), "east", key("k"));
    const { status, error } = await desk.post(desk.schedule({ delta_kw: -101 }), "east", key("k"));
    expect([status, error]).toMatchObject([409, { error_type: "idempotency_conflict", idempotency_key: "k" }]);
  });
  rules.rule("keys are kept 24 hours", async () => {
    const body = desk.immediate();
    const first = await desk.post(body, "east", key("k"));
    await server.advanceTo("23:59:59");
    expect((await desk.post(body, "east", key("k"))).body).toEqual(first.body);
    await server.advanceTo("1.00:00");
    expect((await desk.post(body, "east", key("k"))).body.timestamp).toBe(at("1.00:00"));
  });
  rules.rule("a key is of one VPP", async () => {
    await desk.post(desk.schedule(), "east", key("k"));
    const elsewhere = await desk.post(desk.schedule({ member_baselines: desk.baselines("w") }), "west", key("k"));
    expect([elsewhere.status, elsewhere.body.vpp_id]).toEqual([200, server.idOf("west")]);
  });
  rules.rule("a refused request leaves its key free (docs/model/apis.md#idempotency)", async () => {
    expect((await desk.post(desk.schedule({ delta_kw: undefined }), "east", key("k"))).status).toBe(400);
    expect((await desk.post(desk.schedule(), "east", key("k"))).status).toBe(200);
  });
  rules.rule("a replay costs one of the control bucket (docs/model/apis.md#idempotency)", async () => {
    const left = async () =>
      Number((await desk.post(desk.schedule(), "east", key("k"))).headers.get("x-ratelimit-remaining"));
    expect([await left(), await left()]).toEqual([199, 198]);
  });
  rules.rules(
    [
      ["128 characters are taken", "x".repeat(128), 200],
      ["- _ . are taken", "a-b_c.d", 200],
      ["129 characters are 400", "x".repeat(129), 400],
      ["what is not ASCII is 400", "schl\u00fcssel", 400],
    ] as const,
    async (_, text, status) => {
      const answered = await desk.post(desk.schedule(), "east", key(text));
      expect([answered.status, answered.error.parameter]).toEqual([
        status,
        status === 200 ? undefined : "Idempotency-Key",
      ]);
    },
  );
}
