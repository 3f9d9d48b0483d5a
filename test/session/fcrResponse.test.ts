import { expect, test } from "vitest";
import { vppPower } from "../../src/api/http/sandbox/reads/vppPower.ts";
import type { VppPower } from "../../src/live/session/sandboxReads.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import { openTinySession } from "./openTinySession.ts";

/** Two batteries of 500 and 2,000 kW with a dead band of 10 mHz and a droop of 1 % (docs/model/frequency-response.md#droop). */
function droopKw(hz: number): number {
  const beyondHz = Math.max(0, Math.abs(hz - 50) - 0.01);
  return (Math.sign(hz - 50) * (2_500 * beyondHz)) / 50 / 0.01;
}

test("the power of a VPP has the frequency and the response while an award of FCR is in force", async () => {
  const session = await openTinySession({}, readServedScenario("scenarios/features/frequency-containment.yaml"));
  const startMs = Date.parse("2026-03-31T15:00:00Z");
  const read = (): VppPower => {
    const { hosted } = session;
    const { world, record } = hosted;
    const window = { fromMs: startMs, toMs: startMs + 3_600_000, stepsMax: 400 };
    return vppPower(hosted, record!, world.vpps[0], { ...window, view: "everything" });
  };
  await session.advance(() => startMs + 600_000);
  const early = read();
  await session.advance(() => startMs + 1_800_000);
  const late = read();
  // 180 steps of ten seconds have passed, and nothing is known of the rest.
  expect(late.frequency_hz.filter((hz) => hz !== null)).toHaveLength(180);
  expect(late.fcr_response_kw.slice(180).every((kw) => kw === null)).toBe(true);
  expect(late.fcr_response_kw.slice(0, 60)).toEqual(early.fcr_response_kw.slice(0, 60));
  const responses = late.fcr_response_kw.slice(0, 180).map((kw, k) => [kw!, droopKw(late.frequency_hz[k]!)] as const);
  for (const [kw, expected] of responses) if (Math.abs(expected) < 400) expect(kw).toBeCloseTo(expected, 2);
  expect(responses.some(([kw]) => kw < -10)).toBe(true);
  expect(responses.some(([kw]) => kw > 10)).toBe(true);
  await session.close();
});

test("without an award of FCR the columns are null", async () => {
  const session = await openTinySession();
  await session.advance(() => Date.parse("2026-04-01T01:30:00Z"));
  const { hosted } = session;
  const { spec, nowMs } = hosted.world;
  const window = { fromMs: spec.startMs, toMs: nowMs, stepsMax: 100 };
  const power = vppPower(hosted, hosted.record!, hosted.world.vpps[0], { ...window, view: "everything" });
  expect(new Set([...power.frequency_hz, ...power.fcr_response_kw])).toEqual(new Set([null]));
  expect(power.frequency_hz).toHaveLength(power.times.length);
  await session.close();
});
