import { expectTypeOf, test } from "vitest";
import type { SiteReads, VppReads } from "../../../src/twin/read/vppReader.ts";

test("the clients of a reader have nothing but reads", () => {
  expectTypeOf<keyof VppReads>().toEqualTypeOf<
    "members" | "statusDetails" | "schedules" | "powerHistory" | "energyHistory" | "accessToken" | "rateLimit"
  >();
  expectTypeOf<keyof SiteReads>().toEqualTypeOf<
    "specifications" | "baseline" | "servicePlan" | "powerHistory" | "accessToken" | "rateLimit"
  >();
});
