// The shortfall of awards before a session opened, apart from that in it.
import { describe, expect, test } from "vitest";
import { MS_PER_MINUTE } from "../../src/base/time.ts";
import { awardStory } from "../../src/session/record/awardStory.ts";
import type { Session } from "../../src/session/session.ts";
import { openTinySession } from "./openTinySession.ts";
import { calmServedScenario, START_MS } from "./tinyScenario.ts";

/** Battery-1 is out from 01:20 on, and the award requests 250 kW from 01:00 to 02:30. */
const served = calmServedScenario("{at: 2026-04-01T01:20:00Z, kind: outage, site: battery-1, duration: PT60M}");

const storyOf = ({ scenario, hosted }: Session) => {
  const { world, record } = hosted;
  const story = awardStory({ scenario, world, record: record! }, "A", "everything")!;
  return { beforeKwh: story.beforeSessionKwh, totalKwh: story.award.shortfallKwh! };
};

describe("a session that opens at 01:40 within an award", () => {
  test("has the shortfall until 01:40 of a session that stands there", async () => {
    const openAtMs = START_MS + 100 * MS_PER_MINUTE;
    const early = await openTinySession({}, served);
    await early.advance(() => openAtMs);
    const atOpening = storyOf(early);
    expect(atOpening.beforeKwh).toBe(0);
    expect(atOpening.totalKwh).toBeGreaterThan(1);
    await early.advance(() => openAtMs + 90 * MS_PER_MINUTE);

    const session = await openTinySession({ openAtMs }, served);
    expect(storyOf(session)).toEqual({ beforeKwh: atOpening.totalKwh, totalKwh: atOpening.totalKwh });
    await session.advance((nowMs) => nowMs + 20 * MS_PER_MINUTE);
    expect(storyOf(session).beforeKwh).toBe(atOpening.totalKwh);
    expect(storyOf(session).totalKwh).toBeGreaterThan(atOpening.totalKwh + 1);
    // The award has ended.
    await session.advance(() => openAtMs + 90 * MS_PER_MINUTE);
    expect(storyOf(session)).toEqual({ beforeKwh: atOpening.totalKwh, totalKwh: storyOf(early).totalKwh });
    await session.reset();
    expect(storyOf(session)).toEqual({ beforeKwh: atOpening.totalKwh, totalKwh: atOpening.totalKwh });
    await Promise.all([early.close(), session.close()]);
  });
});
