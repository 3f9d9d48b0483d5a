import { expect, test } from "vitest";
import { answerRequest } from "../../src/endpoints/answerRequest.ts";
import { World } from "../../src/simulation/world.ts";
import { batteriesOf, eastOf, world } from "../simulation/tinyWorld.ts";
import { silent } from "./silent.ts";

const sites = batteriesOf(100);
const context = { world: new World(world(sites, { vpps: [eastOf(sites, [100])] }), silent()) };

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
