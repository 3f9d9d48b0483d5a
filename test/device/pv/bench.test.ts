import { expect, test } from "vitest";
import { run } from "../../../bench/pv.ts";

test("the bench of the PV chain gives the known power", () => {
  // In whole watts, far above what engines' sines differ by; another hash is another answer, not another speed.
  expect(run(3).map(({ name, hash }) => [name, hash])).toEqual([
    ["3 days of hours", "05a1ce7d60df8b48"],
    ["3 days of minutes", "5747f722f30e16d4"],
  ]);
});
