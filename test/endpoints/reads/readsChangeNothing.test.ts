// Reads of a VPP's status leave the world as it is.
import { expect, test } from "vitest";
import type { VppStatus } from "../../../src/api/endpoints/schemas/vppSchemas.ts";
import { at, consumer, eastVpp, flat, losslessBattery, parseAwards, site, world } from "../../simulation/smallWorld.ts";
import { callApi, contextAt, type ReadContext } from "./readContext.ts";

const bat = () => site("bat", losslessBattery({ fcrCapable: true }));
const load = () => site("load", consumer(flat(600), { contractKw: 800 }), { baseline: { method: "perfect" } });

const status = (host: ReadContext) => callApi<VppStatus>(host, "vpp-v1", "GET /status").body;

test("reading changes nothing: the record does not depend on the number of reads", () => {
  const spec = world([bat(), load()], {
    vpps: [eastVpp([bat(), load()], [1, 1])],
    awards: parseAwards("00:00-01:00 -120 frr"),
  });
  const [readWorld, unreadWorld] = [contextAt(spec, at("00:00")), contextAt(spec, at("00:00"))];
  for (let minute = 1; minute < 90; minute++) {
    readWorld.world.runThrough(at("00:00") + minute * 60_000 + 123);
    for (const path of ["/status", "/status/details"]) callApi(readWorld, "vpp-v1", `GET ${path}`);
  }
  unreadWorld.world.runThrough(readWorld.world.nowMs);
  expect(status(readWorld)).toEqual(status(unreadWorld));
  expect(readWorld.history.pastSite(1).registersAt(readWorld.world.nowMs)).toEqual(
    unreadWorld.history.pastSite(1).registersAt(unreadWorld.world.nowMs),
  );
});
