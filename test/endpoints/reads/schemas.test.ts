// Every answer to a read satisfies the schema of its row in the endpoint table, in generated worlds.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiName, Route } from "../../../src/api/endpoints/route.ts";
import { ROUTES } from "../../../src/api/endpoints/routes.ts";
import { shapeProblems } from "../../../src/api/endpoints/shared/shapeProblems.ts";
import { wireTime } from "../../../src/api/endpoints/shared/wireTime.ts";
import { mixedWorld } from "../../accounting/history/mixedWorld.ts";
import { runs, seedOr } from "../../depth.ts";
import { FEATURES, randomWorld } from "../../reference/stepper/randomWorld.ts";
import { callApi, type ReadContext, startContext } from "./readContext.ts";

const parameters = { seed: seedOr(4242), numRuns: runs(16) };

const APIS: readonly ApiName[] = ["vpp-v1", "site-v2", "site-v1"];

/** Valid body or query of a read at an instant, where it requires one. */
function given({ api, path }: Route, { world }: ReadContext): { body?: unknown; query?: Record<string, string> } {
  const { startMs } = world.spec;
  const all = api === "vpp-v1" ? { include_components: true } : {};
  const period = { request_id: "r-1", ...all, start_time: wireTime(startMs), end_time: wireTime(world.nowMs) };
  if (path === "/status/details") return { query: { include_components: "true" } };
  if (path.endsWith("/energy")) return { body: api === "site-v1" ? period : { ...period, interval_seconds: 1800 } };
  if (path.endsWith("power") && path !== "/control/active_power") return { body: { ...period, interval_seconds: 60 } };
  return {};
}

describe("answers to reads", () => {
  test("satisfy their schemas in any world at any instant", () => {
    const worlds = fc.record({
      seed: fc.nat(1_000_000),
      features: fc.subarray([...FEATURES]),
      shares: fc.array(fc.double({ min: 0.05, max: 0.99, noNaN: true }), { minLength: 2, maxLength: 3 }),
    });
    fc.assert(
      fc.property(worlds, ({ seed, features, shares }) => {
        const spec = seed % 2 === 0 ? mixedWorld(seed, features) : randomWorld(seed, features);
        const made = startContext(spec);
        for (const share of [...shares].sort((a, b) => a - b)) {
          made.world.runThrough(Math.floor(spec.startMs + (spec.endMs - spec.startMs) * share));
          for (const api of APIS) for (const route of ROUTES[api]) if (!route.isCommand) checkRoute(made, api, route);
        }
      }),
      parameters,
    );
  });
});

function checkRoute(made: ReadContext, api: ApiName, route: Route): void {
  const { world } = made;
  const ids = api === "vpp-v1" ? world.spec.vpps.map(({ vppId }) => vppId) : world.spec.sites.map(({ emsId }) => emsId);
  for (const id of ids) {
    const { status, body } = callApi(made, api, `${route.method} ${route.path}`, { id, ...given(route, made) });
    expect([route.path, status, status === 200 ? "" : body]).toEqual([route.path, 200, ""]);
    expect(shapeProblems(route.answerSchema, body)).toEqual([]);
    expect(JSON.stringify(body)).not.toMatch(/-0[,}]/);
  }
}
