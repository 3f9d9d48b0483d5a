import { expect, test } from "vitest";
import { run } from "../../bench/kernel.ts";

test("the bench pops in the known order, with any number pending", () => {
  // The order is a matter of the seed alone; another hash means another order, not another speed.
  expect(run(2_000).map(({ pending, orderHash }) => [pending, orderHash])).toEqual([
    [200, "ae0da408334ac990"],
    [1_000, "8eac7a82c038c3b6"],
    [100_000, "fb7919070b4053b0"],
  ]);
});
