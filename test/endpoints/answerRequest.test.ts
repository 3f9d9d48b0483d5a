import { expect, test } from "vitest";
import { answerRequest } from "../../src/api/endpoints/answerRequest.ts";
import { ObserverList } from "../../src/engine/simulation/observerList.ts";
import { World } from "../../src/engine/simulation/world.ts";
import { batterySites, eastVpp, world } from "../simulation/smallWorld.ts";

const sites = batterySites(100);
const context = { world: new World(world(sites, { vpps: [eastVpp(sites, [100])] }), new ObserverList()) };

test("a path that no document has", () => {
  const answer = answerRequest(context, {
    api: "vpp-v1",
    id: "f".repeat(32),
    method: "GET",
    path: "/nothing",
    query: {},
    body: undefined,
  });
  expect(answer.status).toBe(404);
  expect(answer.kind).toBe("endpoint_not_found");
});
