import { expect, test } from "vitest";
import type { AwardBalance, VppPower } from "../../src/client/sandboxTypes.ts";
import { powerSpec } from "../../src/dashboard/pages/now/powerSpec.ts";

const FROM = "2026-01-01T00:00:00Z";
const TO = "2026-01-01T01:00:00Z";

const awardOf = (award_id: string): AwardBalance => ({
  award_id,
  sku: "frr",
  schedule_id: award_id,
  starts_at: FROM,
  ends_at: TO,
  requested_kw: -100,
  dispatched_kw: -100,
  delivered_kw: -100,
  uncovered_kw: 0,
  not_delivered_kw: 0,
  over_kw: 0,
  band_low_kw: -110,
  band_high_kw: -90,
  uncovered_since: null,
  causes: [],
});

const POWER: VppPower = {
  at: "2026-01-01T00:30:00Z",
  vpp: "east",
  from: FROM,
  to: TO,
  times: [],
  requested_kw: [],
  delivered_kw: [],
  uncovered_kw: [],
  causes: {},
  awards: [],
  marks: [],
};

const limitsOf = (awards: readonly AwardBalance[]) =>
  powerSpec(
    POWER,
    awards,
    { fromS: 0, toS: 1 },
    (key) => key,
    () => "",
  ).limits.map(({ value }) => value);

test("the line of the present instant stands where the values end, whatever the clock said at its last reading", () => {
  const { nowS } = powerSpec(
    POWER,
    [],
    { fromS: 0, toS: 1 },
    (key) => key,
    () => "",
  );
  expect(nowS).toBe(Date.parse(POWER.at) / 1_000);
});

test("the chart has the limit of a single award; of several its lines are sums, which no limit fits", () => {
  expect(limitsOf([awardOf("a")])).toEqual([-90]);
  expect(limitsOf([awardOf("a"), awardOf("b")])).toEqual([]);
});
