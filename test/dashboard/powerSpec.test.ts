import { describe, expect, test } from "vitest";
import type { AwardBalance, VppPower } from "../../src/api/client/sandboxTypes.ts";
import { fcrSpecs } from "../../src/dashboard/pages/now/fcrSpecs.ts";
import { powerSpec, powerUntil } from "../../src/dashboard/pages/now/powerSpec.ts";

const FROM = "2026-01-01T00:00:00Z";
const TO = "2026-01-01T01:00:00Z";

const awardOf = (award_id: string): AwardBalance => ({
  award_id,
  name: award_id,
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
  frequency_hz: [],
  fcr_response_kw: [],
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

test("an answer that is younger than the clock ends at the clock's instant; an older one is as it is", () => {
  const startS = Date.parse(FROM) / 1_000;
  const power = {
    ...POWER,
    times: [startS, startS + 60, startS + 120],
    delivered_kw: [1, 2, 3],
    frequency_hz: [50, 50, 50.01],
    causes: { ramp: [0, 1, 2] },
  };
  const cut = powerUntil(power, startS + 90);
  expect(cut.at).toBe("2026-01-01T00:01:30Z");
  expect([cut.delivered_kw, cut.frequency_hz, cut.causes.ramp]).toEqual([
    [1, 2, null],
    [50, 50, null],
    [0, 1, null],
  ]);
  expect(powerUntil(power, startS + 1_801)).toBe(power);
});

test("frequency and response have charts only while there are values", () => {
  const power = { ...POWER, times: [0, 60], frequency_hz: [49.98, null], fcr_response_kw: [-12, null] };
  const period = { fromS: 0, toS: 60, nowS: Date.parse(POWER.at) / 1_000 };
  const specs = fcrSpecs(power, period, (key) => key);
  expect(specs?.frequency.lines.map(({ values }) => values)).toEqual([[49.98, null]]);
  expect(specs?.frequency.range?.map((hz) => hz.toFixed(3))).toEqual(["49.970", "49.990"]);
  expect(specs?.response.lines.map(({ values }) => values)).toEqual([[-12, null]]);
  expect(fcrSpecs({ ...power, frequency_hz: [null, null] }, period, (key) => key)).toBeNull();
});

test("the chart has the limit of a single award; of several its lines are sums, which no limit fits", () => {
  expect(limitsOf([awardOf("a")])).toEqual([-90]);
  expect(limitsOf([awardOf("a"), awardOf("b")])).toEqual([]);
});

describe("the request after the last value", () => {
  const startS = Date.parse(FROM) / 1_000;
  const promisedOf = (change: Partial<VppPower>, toS: number) => {
    const power = {
      ...POWER,
      times: [startS + 1_790, startS + 1_800],
      requested_kw: [-100, -100],
      delivered_kw: [-90, null],
      causes: { ramp: [10, null] },
      ...change,
    };
    const { times, lines, causes } = powerSpec(
      power,
      [],
      { fromS: startS, toS },
      (key) => key,
      () => "",
    );
    return [times, ...lines.map(({ values }) => values), ...causes.map(({ values }) => values)];
  };

  test("goes on to the edge of a window that has rolled on", () => {
    expect(promisedOf({ awards: [awardOf("a")] }, startS + 2_100)).toEqual([
      [startS + 1_790, startS + 1_800, startS + 2_100],
      [-100, -100, -100],
      [-90, null, null],
      [10, null, null],
    ]);
  });

  test("ends with an award, after which another value holds", () => {
    const [times] = promisedOf({ awards: [awardOf("a")] }, startS + 7_200);
    expect(times.at(-1)).toBe(Date.parse(TO) / 1_000);
  });

  test("is none where all that is shown is past", () => {
    const [times] = promisedOf({ at: TO }, startS + 1_810);
    expect(times).toEqual([startS + 1_790, startS + 1_800]);
  });
});
