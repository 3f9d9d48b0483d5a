import { expect, test } from "vitest";
import { run } from "../../../bench/pv.ts";

test("the bench of the PV chain gives the known power", () => {
  // In whole watts, far above what engines' sines differ by; another hash is another answer, not another speed.
  expect(run(3).map(({ name, hash }) => [name, hash])).toEqual([
    ["3 days of hours", "7fab8e678c9258bb"],
    ["3 days of minutes", "51d9e259657e7dee"],
  ]);
});
