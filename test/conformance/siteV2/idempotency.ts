import { expect } from "vitest";
import { sectionOf } from "../ruleSections.ts";
import { describeOnServer, ScenarioServer } from "../scenarioServer.ts";
import { FLEET } from "../scenarios.ts";

export function siteV2IdempotencyRules(): void {
  const server = new ScenarioServer(FLEET);
  const headers = { "idempotency-key": "k" };
  describeOnServer("idempotency keys of site API 2.2", server, () => {
    sectionOf("Site API 2.2", "Idempotency").rule(
      "the same key with another body is 409 with key and required_action",
      async () => {
        const post = (delta_kw: number) =>
          server.call(
            "site-v2",
            "a",
            "POST /control/active_power",
            { type: "immediate", delta_kw, duration_minutes: 5 },
            { headers },
          );
        const first = await post(5);
        expect((await post(5)).body).toEqual(first.body);
        const { status, error } = await post(6);
        expect([status, error]).toMatchObject([
          409,
          { error_type: "idempotency_conflict", idempotency_key: "k", required_action: expect.any(String) },
        ]);
      },
    );
  });
}
