// What the page has of the quickstart and of hand-made events: commands, faults and notices in order.
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/accounting/runRecord.ts";
import { CAUSES } from "../../../src/accounting/settlement/causes.ts";
import { loadScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import { renderReportHtml } from "../../../src/report/html/page/reportPage.ts";
import { PROJECT } from "../../cli/runVppsim.ts";
import { runWorld } from "../../runWorld.ts";
import { dayRecord, reportPageOf, START_MS } from "./reportFixtures.ts";

/** Rows of the chronology without tags. */
function chronologyRows(page: string): string[] {
  const section = page.split('<section id="chronology"')[1]?.split("</section>")[0] ?? "";
  return [...section.matchAll(/<tr data-group="[^"]*">([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    row
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

describe("the quickstart", () => {
  const { world } = loadScenario(`${PROJECT}/scenarios/quickstart/scenario.yaml`);
  const record = runWorld(world, { intervalMs: 1_800_000, chronology: true });
  const rows = chronologyRows(renderReportHtml(reportPageOf(record)));

  test("lists the outage of the morning in order", () => {
    const morning = rows.filter((row) => row.startsWith("20 May 2026 07") || row.startsWith("20 May 2026 08:1"));
    expect(morning).toEqual([
      "20 May 2026 07:00 Command morning-reserve starts, −1,900.0 kW requested, allocated in full",
      "20 May 2026 07:00 Device factory load reduction begins, 214.3 kW",
      "20 May 2026 07:00 Device cold-store load reduction begins, 114.3 kW",
      "20 May 2026 07:40:20 Fault battery-large goes out of service (scripted outage)",
      "20 May 2026 07:41 Notice battery-large detected: out of service, during morning-reserve",
      "20 May 2026 07:41 Notice morning-reserve re-dispatched, −231.3 kW uncovered",
      "20 May 2026 08:10:20 Recovery battery-large back in service",
      "20 May 2026 08:11 Notice battery-large detected: back in service, during morning-reserve",
      "20 May 2026 08:11 Notice morning-reserve re-dispatched, allocated in full",
    ]);
  });

  test("each award starts and ends once", () => {
    for (const { awardId } of record.awards) {
      const own = record.events.filter(({ subject }) => subject === awardId).map(({ kind }) => kind);
      expect(
        own.filter((kind) => kind === "started" || kind === "ended"),
        awardId,
      ).toEqual(["started", "ended"]);
    }
  });

  test("the shortfalls of the sites add up to those of the awards, cause by cause", () => {
    for (let cause = 0; cause < CAUSES.length; cause++) {
      const ofSites = record.siteShortfalls.reduce((sum, { byCauseKwh }) => sum + byCauseKwh[cause], 0);
      const ofAwards = record.awards.reduce((sum, { shortfallByCauseKwh }) => sum + shortfallByCauseKwh[cause], 0);
      expect(ofSites, CAUSES[cause]).toBeCloseTo(ofAwards, 9);
    }
    expect(record.siteShortfalls.length).toBeGreaterThan(3);
  });
});

test("without the option a record has no events", () => {
  const { world } = loadScenario(`${PROJECT}/scenarios/features/overlap.yaml`);
  expect(runWorld(world, { intervalMs: 1_800_000 }).events).toEqual([]);
});

describe("hand-made events", () => {
  test("a refusal has its reason in words, an end its shortfall", () => {
    const rows = chronologyRows(renderReportHtml(reportPageOf(dayRecord())));
    expect(rows).toHaveLength(10);
    expect(rows).toContain(
      "1 Apr 2026 21:00 Command A-6 refused: no dispatchable member was in service (no_dispatchable_members)",
    );
    expect(rows).toContain("1 Apr 2026 12:00 Command A-2 ends with a shortfall of 412.3 kWh");
  });

  test("the end of a fault is a recovery, and reasons are in words", () => {
    const details: readonly (readonly [string, string])[] = [
      ["output_control", "40 %, non_firm_congestion"],
      ["output_control", "lifted"],
      ["link", "down"],
      ["link", "up"],
      ["maintenance", "ends"],
      ["warning", "off"],
      ["fcr_fault", "off"],
    ];
    const events = details.map(([kind, detail], k): RunEvent => {
      return { atMs: START_MS + 60_000 * k, kind, subject: "pv-01", detail };
    });
    const rows = chronologyRows(renderReportHtml(reportPageOf({ ...dayRecord(), events })));
    expect(rows.map((row) => row.slice("1 Apr 2026 00:00 ".length))).toEqual([
      "Fault pv-01 output limited to 40 % of rated power, congestion at a non-firm connection",
      "Recovery pv-01 output limit lifted",
      "Fault pv-01 unreachable, link down",
      "Recovery pv-01 reachable again",
      "Recovery pv-01 planned maintenance ends",
      "Recovery pv-01 warning cleared",
      "Recovery pv-01 frequency response restored",
    ]);
  });

  test("a re-dispatch with more than requested is described as such", () => {
    const [award] = dayRecord().awards;
    const kw = award.requestedKw < 0 ? 20 : -20;
    const event = { atMs: START_MS, kind: "redispatch", subject: award.awardId, detail: `${kw} kW uncovered` };
    const [row] = chronologyRows(renderReportHtml(reportPageOf({ ...dayRecord(), events: [event] })));
    expect(row).toContain("re-dispatched, 20.0\u00a0kW more than requested".replace("\u00a0", " "));
  });

  test("a long one omits routine events, states that, and is folded", () => {
    const many: RunEvent[] = Array.from({ length: 400 }, (_, k) => ({
      atMs: START_MS + 60_000 * k,
      kind: k % 5 === 0 ? "outage_start" : "schedule_created",
      subject: k % 5 === 0 ? "bat-01" : `X-${k}`,
      detail: k % 5 === 0 ? "stochastic" : "schedule",
    }));
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), events: many }));
    expect(chronologyRows(page)).toHaveLength(80);
    expect(page).toContain("80 of 400\u00a0events in the order in which they occurred");
    expect(page).toContain("left out: registrations. The events and awards tables have all");
    expect(page).toContain("<summary>Show 80\u00a0events</summary>");
  });

  test("more than fit without routine ones: the first, and the caption says that later ones are missing", () => {
    const many: RunEvent[] = Array.from({ length: 400 }, (_, k) => ({
      atMs: START_MS + 60_000 * k,
      kind: "link",
      subject: "bat-01",
      detail: k % 2 === 0 ? "down" : "up",
    }));
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), events: many }));
    expect(chronologyRows(page)).toHaveLength(300);
    expect(page).toContain("left out: all after the last one shown");
  });
});
