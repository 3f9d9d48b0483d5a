import { expect, test } from "vitest";
import type { AwardAccount } from "../../src/accounting/settlement/awardAccount.ts";
import { CAUSES, type Cause } from "../../src/accounting/settlement/causes.ts";
import { topContributors } from "../../src/accounting/settlement/memberShortfalls.ts";
import type { ShortfallAttribution } from "../../src/accounting/settlement/shortfallAttribution.ts";
import type { Site } from "../../src/engine/site/site.ts";

const sites = ["a", "b", "c", "d"].map((name) => ({ spec: { name } })) as unknown as Site[];

/** "b ramp 2": shortfall of a member in a piece whose members are the sites with these indices. */
function piece(members: readonly number[], ...shortfalls: readonly string[]): AwardAccount {
  const memberKwh = new Float64Array(members.length * CAUSES.length);
  for (const shortfall of shortfalls) {
    const [site, cause, kwh] = shortfall.split(" ");
    const member = members.indexOf(sites.findIndex(({ spec }) => spec.name === site));
    memberKwh[member * CAUSES.length + CAUSES.indexOf(cause as Cause)] += Number(kwh);
  }
  const forEachMemberShortfall: ShortfallAttribution["forEachMemberShortfall"] = (visit) => {
    for (const [k, kwh] of memberKwh.entries())
      if (kwh > 0) visit(Math.floor(k / CAUSES.length), k % CAUSES.length, kwh);
  };
  return {
    attribution: { forEachMemberShortfall },
    instruction: { membership: { siteIndices: Int32Array.from(members) } },
  } as unknown as AwardAccount;
}

test.each([
  ["nothing", [piece([0, 1])], []],
  [
    "three of five, largest first",
    [piece([0, 1, 2, 3], "a ramp 1", "a weather 5", "b ramp 3", "c ramp 4", "d ramp 2")],
    ["a weather 5", "c ramp 4", "b ramp 3"],
  ],
  [
    "ties in order of members, then causes",
    [piece([3, 0, 1], "b ramp 1", "a weather 1", "a ramp 1", "d ramp 1")],
    ["d ramp 1", "a ramp 1", "a weather 1"],
  ],
  [
    "sums over pieces with other members",
    [piece([0, 1], "a ramp 2", "b ramp 3"), piece([2, 0], "c ramp 1", "a ramp 2")],
    ["a ramp 4", "b ramp 3", "c ramp 1"],
  ],
  ["a piece without shortfall among others", [piece([0]), piece([1, 0], "a ramp 1")], ["a ramp 1"]],
])("%s", (_, pieces, expected) => {
  expect(topContributors(pieces, sites).map(({ site, cause, kwh }) => `${site} ${cause} ${kwh}`)).toEqual(expected);
});
