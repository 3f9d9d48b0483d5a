// The shortfall of awards before a session opened, apart from that in it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { roundTo } from "../../src/base/rounding.ts";
import { MS_PER_MINUTE } from "../../src/base/time.ts";
import { summaryText } from "../../src/cli/summaryText.ts";
import { awardStory } from "../../src/live/session/record/awardStory.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import type { Session } from "../../src/live/session/session.ts";
import { explainAward } from "../../src/report/explain/explainAward.ts";
import { createPageLocale } from "../../src/report/html/page/pageLocale.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { exportYaml } from "./exportYaml.ts";
import { openTinySession } from "./openTinySession.ts";
import { sessionAndExportReports } from "./sessionAndExportReports.ts";
import { calmServedScenario, START_MS, writeTinyScenario } from "./tinyScenario.ts";

/** Battery-1 is out from 01:20 on, and the award requests 250 kW from 01:00 to 02:30. */
const served = calmServedScenario("{at: 2026-04-01T01:20:00Z, kind: outage, site: battery-1, duration: PT60M}");

const storyOf = ({ scenario, hosted }: Session) => {
  const { world, record } = hosted;
  const story = awardStory({ scenario, world, record: record! }, "A", "everything")!;
  return { beforeKwh: story.beforeSessionKwh, totalKwh: story.award.shortfallKwh! };
};

describe("a session that opens at 01:40 within an award", () => {
  test("has the shortfall until 01:40 of a session at that instant", async () => {
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

/** On disk, with a penalty of 100 JPY/kWh on A, and an award R that no member can take: 100 kW from 01:00 to 02:00. */
function servedWithRefusal() {
  const file = writeTinyScenario(createTemporaryFolder("export"));
  const yaml = readFileSync(file, "utf8")
    .replace(/ {4}outages: .*\n/, "")
    .replace("loss_probability: 0.3, ", "")
    .replace(
      /events:\n.*\n/,
      "events:\n  - {at: 2026-04-01T01:20:00Z, kind: outage, site: battery-1, duration: PT60M}\n",
    )
    .replace(
      "delta_kw: -250}",
      "delta_kw: -250, penalty_jpy_per_kwh: 100}\n  - {award_id: R, vpp: west, sku: frr, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:00:00Z, delta_kw: -100, penalty_jpy_per_kwh: 50}",
    )
    .replace("awards:", "  - {name: west, members: []}\nawards:")
    .replace("formats: [csv]", "formats: [csv, html]");
  writeFileSync(file, yaml);
  return readServedScenario(file);
}

describe("the report of a session that opens at 01:40 within two awards", () => {
  const openAtMs = START_MS + 100 * MS_PER_MINUTE;

  test("has the totals before the session apart from those in it, and so has the report of its export", async () => {
    const session = await openTinySession({ openAtMs }, servedWithRefusal());
    const { beforeKwh } = storyOf(session);
    await session.advance(() => openAtMs + 20 * MS_PER_MINUTE);
    const { totalKwh } = storyOf(session);
    const { own, rerun, scenario } = await sessionAndExportReports(session);
    for (const [name, text] of own) expect(text, name).toBe(rerun.get(name));
    const { session: share, kpis } = JSON.parse(own.get("summary.json")!);
    // Of R, 100 kW for 40 min and for 20 min; of A, 250 kW.
    expect(share.before).toMatchObject({ requested_kwh: 233.333, shortfall_kwh: roundTo(beforeKwh + 66.667, 3) });
    expect(share.within).toMatchObject({
      requested_kwh: 116.667,
      shortfall_kwh: roundTo(totalKwh - beforeKwh + 33.333, 3),
    });
    expect(share.before.penalty_jpy).toBeCloseTo(100 * beforeKwh + 50 * 66.6667, 0);
    expect(share.within.penalty_jpy).toBeCloseTo(100 * (totalKwh - beforeKwh) + 50 * 33.3333, 0);
    for (const [name, before] of Object.entries<number>(share.before))
      expect(roundTo(before + share.within[name], 3), name).toBe(kpis[name]);
    expect(share.opened_at).toBe("2026-04-01T01:40:00Z");
    const withinKwh = roundTo(totalKwh - beforeKwh, 3);
    const inForce = { award_id: "A", shortfall_before_kwh: beforeKwh, shortfall_within_kwh: withinKwh };
    const refused = { shortfall_before_kwh: 66.667, shortfall_within_kwh: 33.333 };
    expect(share.awards_in_force).toMatchObject([
      inForce,
      { award_id: "R", ...refused, causes: [{ cause: "refused", ...refused }] },
    ]);
    const { causes } = share.awards_in_force[0] as { readonly causes: readonly CauseParts[] };
    expect(sumOf(causes, "shortfall_before_kwh")).toBeCloseTo(beforeKwh, 2);
    expect(sumOf(causes, "shortfall_within_kwh")).toBeCloseTo(withinKwh, 2);
    expect(own.get("report.html")).toContain("In the session, from");

    const run = await runScenario(scenario);
    const text = summaryText(scenario, run, createPageLocale("en", "UTC", scenario.world));
    expect(text).toMatch(
      /before the session {2}shortfall [\d.]+ of 233\.3 kWh, penalty [\d,]+ JPY \(1 Apr 2026 00:00 to 01:40\)/,
    );
    expect(text).toMatch(
      /in the session {6}shortfall [\d.]+ of 116\.7 kWh, penalty [\d,]+ JPY \(1 Apr 2026 01:40 to 02:00\)/,
    );
    await session.close();
  });

  test("of one that opens with the scenario has no such division", async () => {
    const session = await openTinySession({}, servedWithRefusal());
    await session.advance(() => openAtMs);
    const { own } = await sessionAndExportReports(session);
    expect(JSON.parse(own.get("summary.json")!)).not.toHaveProperty("session");
    expect(own.get("report.html")).not.toContain("In the session");
    await session.close();
  });
});

interface CauseParts {
  readonly cause: string;
  readonly shortfall_before_kwh: number;
  readonly shortfall_within_kwh: number;
}

const sumOf = (parts: readonly CauseParts[], name: "shortfall_before_kwh" | "shortfall_within_kwh"): number =>
  parts.reduce((sum, part) => sum + part[name], 0);

describe("explain, of the report of a session that opens at 01:40", () => {
  const openAtMs = START_MS + 100 * MS_PER_MINUTE;

  test("divides shortfall, causes and largest uncovered power of an award in force", async () => {
    // The causes until the opening are those of a run that ends there.
    const early = await openTinySession({}, servedWithRefusal());
    await early.advance(() => openAtMs);
    const earlyFolder = createTemporaryFolder("report");
    await early.writeReport(earlyFolder);
    const untilOpening = explainAward(earlyFolder, "A").json;
    expect(untilOpening.session).toBeNull();

    const session = await openTinySession({ openAtMs }, servedWithRefusal());
    await session.advance(() => openAtMs + 60 * MS_PER_MINUTE);
    const folder = createTemporaryFolder("report");
    await session.writeReport(folder);
    const { json, text } = explainAward(folder, "A");
    const parts = json.session!;
    expect(parts).toMatchObject({
      opened_at: "2026-04-01T01:40:00Z",
      shortfall_before_kwh: untilOpening.shortfall_kwh,
      shortfall_within_kwh: roundTo(json.shortfall_kwh! - untilOpening.shortfall_kwh!, 3),
    });
    for (const { cause, amount } of untilOpening.shortfall_causes) {
      const part = parts.causes.find((each) => each.cause === cause)!;
      expect(part.shortfall_before_kwh, cause).toBeCloseTo(amount, 2);
    }
    for (const { cause, amount } of json.shortfall_causes) {
      const part = parts.causes.find((each) => each.cause === cause)!;
      expect(roundTo(part.shortfall_before_kwh + part.shortfall_within_kwh, 3), cause).toBe(amount);
    }
    expect(parts.uncovered_kw_peak_before).toBeGreaterThan(0);
    // The outage of 01:20 lasts when the session opens.
    expect(parts.uncovered_kw_peak_within).toBe(parts.uncovered_kw_peak_before);
    expect(text).toContain("The session opened at 1 Apr 2026 01:40, while the award was in force");
    expect(text).toMatch(/before it +in the session\n/);
    await Promise.all([early.close(), session.close()]);
  });

  test("does not divide an award that was over by then, nor one that starts later", async () => {
    const session = await openTinySession({ openAtMs: START_MS + 30 * MS_PER_MINUTE }, servedWithRefusal());
    await session.advance(() => openAtMs);
    const folder = createTemporaryFolder("report");
    await session.writeReport(folder);
    const { json, text } = explainAward(folder, "A");
    expect(json.session).toBeNull();
    expect(text).not.toContain("The session opened");
    await session.close();
  });
});

describe("an export", () => {
  test("does not call awards that the session has not reached never executed, and has the end of the scenario", async () => {
    const served = servedWithRefusal();
    const session = await openTinySession({}, served);
    await session.advance(() => START_MS + 30 * MS_PER_MINUTE);
    const exported = readExported(session);
    expect(exported.scenario.warnings.filter((text) => text.includes("never executed"))).toEqual([]);
    // An award after the end of the served scenario stays wrong.
    const late = join(createTemporaryFolder("export"), "late.yaml");
    writeFileSync(late, exported.text.replace("scenario_end: 2026-04-01T06", "scenario_end: 2026-04-01T01"));
    expect(readServedScenario(late).scenario.warnings).toContainEqual(expect.stringContaining("never executed"));
    await session.close();
  });

  test("that is served again has one key session, of the later session", async () => {
    const first = await openTinySession({ openAtMs: START_MS + 10 * MS_PER_MINUTE }, servedWithRefusal());
    await first.advance(() => START_MS + 60 * MS_PER_MINUTE);
    const second = await openTinySession({ openAtMs: START_MS + 20 * MS_PER_MINUTE }, readExported(first));
    await second.advance(() => START_MS + 30 * MS_PER_MINUTE);
    const { text, scenario } = readExported(second);
    expect(text.match(/^session:/gm)).toHaveLength(1);
    expect(text).toContain("scenario_end: 2026-04-01T06:00:00Z");
    expect(scenario.sessionOpenedMs).toBe(START_MS + 20 * MS_PER_MINUTE);
    await Promise.all([first.close(), second.close()]);
  });
});

function readExported(session: Session) {
  const file = join(createTemporaryFolder("export"), "export.yaml");
  writeFileSync(file, exportYaml(session));
  return readServedScenario(file);
}
