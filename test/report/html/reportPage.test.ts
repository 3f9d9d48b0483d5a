import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../../src/accounting/runRecord.ts";
import { roundTo } from "../../../src/base/rounding.ts";
import { MS_PER_DAY, MS_PER_HOUR } from "../../../src/base/time.ts";
import { formatFixed } from "../../../src/report/html/page/format.ts";
import { renderReportHtml } from "../../../src/report/html/page/reportPage.ts";
import {
  amountsByCause,
  awardRow,
  dayRecord,
  emptyRecord,
  reportPageOf,
  runKpis,
  START_MS,
  siteRow,
  yearRecord,
} from "./reportFixtures.ts";

const FIGURE_COUNT = 13;
const day = renderReportHtml(reportPageOf(dayRecord()));

/** The text of a page without tags. */
const textOf = (page: string): string =>
  page
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("\u00a0", " ")
    .replace(/\s+/g, " ");

describe("bytes", () => {
  test("the same record gives the same bytes after another page was rendered", () => {
    renderReportHtml(reportPageOf(emptyRecord()));
    expect(renderReportHtml(reportPageOf(dayRecord()))).toBe(day);
  });

  test("no counters of ECharts and no placeholder colours are left", () => {
    expect(day).not.toMatch(/zr\d+-/);
    expect(day).not.toContain("#c0de");
    expect(day).not.toContain("ecmeta");
  });

  test("ids are unique and every internal link has a target", () => {
    const ids = [...day.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...day.matchAll(/(?:href="#|url\(#)([^")]+)/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe("no external resource is loaded", () => {
  test.each([
    ["a day", day],
    ["an empty record", renderReportHtml(reportPageOf(emptyRecord()))],
  ])("%s", (_, page) => {
    expect(page).not.toMatch(/https?:\/\//);
    expect(page).not.toMatch(/\ssrc=(?!"data:)/);
    expect(page).not.toMatch(/<link|@import|url\((?!#)/);
    expect(page).not.toMatch(/href="(?!#)/);
  });
});

describe("names with markup", () => {
  const malicious = `<img src=x onerror=alert(1)>"'&</script>{a|b}`;
  const record: RunRecord = {
    ...dayRecord(),
    awards: [
      awardRow({
        awardId: malicious,
        vpp: malicious,
        shortfallKwh: 5,
        shortfallByCauseKwh: amountsByCause({ ramp: 5 }),
        overwrittenBy: malicious,
        state: "overwritten",
        topContributors: [{ site: malicious, cause: "ramp", kwh: 5 }],
      }),
      awardRow({ awardId: `${malicious}2`, shortfallKwh: 2, shortfallByCauseKwh: amountsByCause({ weather: 2 }) }),
    ],
    sites: [
      siteRow({
        site: malicious,
        vpp: malicious,
        curtailedKwh: 5,
        components:
          dayRecord().sites[5].components?.map((component) => ({ ...component, componentId: malicious })) ?? null,
      }),
    ],
    timelines: dayRecord().timelines.map((timeline) => ({ ...timeline, vpp: malicious })),
    soc: {
      ...dayRecord().soc,
      batteries: dayRecord().soc.batteries.map((b) => ({ ...b, site: malicious, componentId: malicious })),
    },
    reductions: [{ ...dayRecord().reductions[0], site: malicious }],
    outages: [{ site: malicious, startMs: START_MS, endMs: START_MS + MS_PER_HOUR, planned: false }],
    warnings: [malicious],
  };
  const page = renderReportHtml(reportPageOf(record, { name: malicious, description: malicious, hash: malicious }));

  test("no name becomes a tag or ends an attribute", () => {
    expect(page).not.toContain("<img");
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).not.toMatch(/="[^"<>]*<img/);
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
  });
});

test("times in warnings are local times", () => {
  const warnings = ["planned maintenance of a from 2026-03-31T16:30:00Z to 2026-03-31T20:00:00.500Z meets A <1>"];
  const text = textOf(renderReportHtml(reportPageOf({ ...dayRecord(), warnings })));
  expect(text).toContain("planned maintenance of a from 2026-04-01 01:30 to 2026-04-01 05:00 meets A &lt;1&gt;");
});

describe("numbers of the page equal those of the record", () => {
  const values = (page: string): Set<number> =>
    new Set([...page.matchAll(/<data value="([^"]+)">/g)].map(([, v]) => Number(v)));

  test("every key figure has its value", () => {
    const found = values(day);
    for (const [name, value] of dayRecord().kpis) {
      expect(day).toContain(`<code>${name}</code>`);
      if (value !== null) expect(found, name).toContain(roundTo(value, 3));
    }
  });

  test("a printed number is its exact value, rounded", () => {
    const cells = [...day.matchAll(/<data value="([^"]+)">([^<]+)<\/data>/g)].filter(([, , shown]) =>
      /^[\u22120-9.,]+$/.test(shown),
    );
    expect(cells.length).toBeGreaterThan(100);
    for (const [, value, shown] of cells) {
      expect(formatFixed(Number(value), shown.split(".")[1]?.length ?? 0)).toBe(shown);
    }
  });

  test("awards and sites have all their figures", () => {
    const found = values(day);
    for (const row of dayRecord().awards) {
      for (const value of [row.requestedKw, row.uncoveredKw, row.requestedKwh, row.deliveredKwh, row.shortfallKwh]) {
        if (value !== null) expect(found, row.awardId).toContain(value);
      }
    }
    for (const row of dayRecord().sites) {
      for (const value of [row.importKwh, row.exportKwh, row.socMinPct, row.curtailedKwh, row.drDeliveredKwh]) {
        if (value !== null) expect(found, row.site).toContain(value);
      }
    }
  });

  test("causes are summed over the awards", () => {
    // energy_limit: 31 + 240.1; of 748.4 kWh in all 36.2 %
    expect(textOf(day)).toContain("Battery empty or full 271.1 36.2 % 2 0.0");
    expect(day).toContain("Battery empty or full 271.1\u00a0kWh (36.2\u00a0%)");
  });
});

describe("the first screen summarises the run", () => {
  const text = textOf(day);
  test.each([
    "From Wed 1 Apr 2026, 00:00 to Thu 2 Apr 2026, 00:00 (Asia/Tokyo time, 24 h): 6 sites in 2 virtual power plants .",
    "9,725.0 kWh requested, 8,989.0 kWh delivered.",
    "The shortfall was 748.4 kWh (7.7 %) , mainly because sites were out of service (301.0 kWh).",
    "4 of 7 awards were fully allocated at dispatch; 1 was refused. The largest uncovered FCR capacity was 80.0 kW .",
    "site factory-01 has no baseline: delivery is measured against 0",
    "Delivered 92.3 % Out of service 3.1 % Battery empty or full 2.8 % Weather 0.8 % Other causes 1.0 %",
  ])("%s", (sentence) => {
    expect(text).toContain(sentence);
  });

  test.each([/\basked\b/i, /\bshort\b/i, /\black(s|ed|ing)?\b/i, /\btold\b/i, /\bluck(y|iest)?\b/i, /\bwidths?\b/i])(
    "the page avoids %s",
    (word) => expect(text.replaceAll("widths are proportional", "")).not.toMatch(word),
  );
});

describe("frequency response", () => {
  const section = textOf(day.slice(day.indexOf('<section id="frequency"'), day.indexOf('<section id="reductions"')));
  test.each([
    // A-3 covers 720 of 800 kW; A-6 was refused and has no activated energy.
    "2 awards requested up to 800.0 kW of FCR capacity; largest uncovered FCR capacity 80.0 kW.",
    "Upward activated energy was 10.0 kWh (more import than the baseline), downward 20.0 kWh.",
    "800.0 80.0 Power limit 10.0 20.0 10.0 7.5",
  ])("%s", (text) => expect(section).toContain(text));
});

describe("runs without some kinds of data", () => {
  const cases: readonly (readonly [string, Partial<RunRecord>, string])[] = [
    ["no figures", { kpis: runKpis({}) }, "No energy was requested"],
    ["a figure without a value", { kpis: runKpis({ compliance_pct: null }) }, "Not applicable to this run."],
  ];
  test.each(cases)("%s", (_, changes, text) => {
    expect(textOf(renderReportHtml(reportPageOf({ ...dayRecord(), ...changes })))).toContain(text);
  });

  test("no frequency response: no tile for it", () => {
    const tiles = (page: string) => page.slice(page.indexOf('class="tiles"'), page.indexOf("<details>"));
    expect(tiles(day)).toContain("Largest uncovered FCR capacity");
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), awards: [awardRow({})] }));
    expect(tiles(page)).not.toContain("Largest uncovered FCR capacity");
  });

  const whole = [..."summary warnings delivery shortfall frequency reductions charge flows energy-by-site".split(" ")];
  const rest = [..."curtailment availability awards refused sites glossary".split(" ")];
  const noStore = { cyclesByDepth: null };
  const zeroTimelines = dayRecord().timelines.map((timeline) => ({
    ...timeline,
    requestedKw: timeline.requestedKw.map(() => 0),
    deliveredKw: timeline.deliveredKw.map(() => 0),
  }));
  test.each<[string, Partial<RunRecord>, string]>([
    ["none empty", {}, ""],
    ["no awards", { awards: [] }, "shortfall frequency awards refused"],
    ["no shortfall, no refusal", { awards: [awardRow({})] }, "shortfall frequency refused"],
    ["no VPP", { timelines: [] }, "delivery"],
    ["frequency response alone", { timelines: zeroTimelines }, "delivery"],
    ["no warnings", { warnings: [] }, "warnings"],
    ["no outage", { outages: [] }, "availability"],
    ["no reduction", { reductions: [] }, "reductions"],
    ["no sites", { sites: [], outages: [] }, "flows energy-by-site curtailment availability sites"],
    ["no energy", { sites: [siteRow({ importKwh: 0, exportKwh: 0 })] }, "flows energy-by-site curtailment"],
    [
      "no batteries",
      { sites: [siteRow(noStore)], soc: { atMs: new Float64Array(0), batteries: [] } },
      "charge flows curtailment",
    ],
  ])("an empty section is omitted, also from the contents: %s", (_, changes, omitted) => {
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), ...changes }));
    const expected = [...whole, ...rest].filter((id) => !omitted.split(" ").includes(id));
    expect([...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)).toEqual(expected);
    expect([...page.matchAll(/<li><a href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(expected);
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("a gap in a state of charge interrupts the line", () => {
    const { soc } = dayRecord();
    const batteries = soc.batteries.map((battery) => ({
      ...battery,
      socPct: battery.socPct.map((v, k) => (k % 7 === 0 ? Number.NaN : v)),
    }));
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), soc: { ...soc, batteries } }));
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("no page contains NaN or undefined", () => {
    for (const page of [day, renderReportHtml(reportPageOf(emptyRecord()))])
      expect(page).not.toMatch(/NaN|undefined|Infinity|\[object/);
  });
});

describe("every chart is accessible", () => {
  test("title, unit in the caption, and a text alternative", () => {
    const figures = [...day.matchAll(/<figure[\s\S]*?<\/figure>/g)].map(([figure]) => figure);
    // Two VPPs, shortfall by cause and by award, uncovered by cause, FCR capacity, reductions, state of charge, cycles,
    // flows of one site, energy, curtailment, outages.
    expect(figures).toHaveLength(FIGURE_COUNT);
    for (const figure of figures) {
      expect(figure).toMatch(/<h3>[^<]+<\/h3>/);
      expect(figure).toMatch(/<figcaption>[^<]*(kWh?|%|time)/);
      expect(figure.match(/role="img" aria-label="[^"]{20,}"/g)).toHaveLength(2);
    }
  });
});

test("with a clock change, both offsets are stated and times have their offset", () => {
  const startMs = Date.parse("2026-03-28T23:00:00Z");
  const record = {
    ...emptyRecord(),
    startMs,
    endMs: startMs + MS_PER_DAY - MS_PER_HOUR,
    awards: [awardRow({ startMs: startMs + 2 * MS_PER_HOUR })],
  };
  const text = textOf(renderReportHtml(reportPageOf(record, { timezone: "Europe/Berlin" })));
  // 2026-03-29 01:00 UTC is 03:00 in Berlin: the clocks change at 02:00.
  expect(text).toContain("2026-03-29 03:00 +02:00");
  expect(text).toContain("(UTC+01:00 and UTC+02:00)");
});

describe("a year of 17,520 awards and 100 sites", () => {
  const page = renderReportHtml(reportPageOf(yearRecord()));

  test("is below 2 MB and lists the 50 awards with the largest shortfall", () => {
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    const table = page.slice(page.indexOf('<section id="awards"'), page.indexOf('<section id="sites"'));
    expect(table.match(/<tr>/g)).toHaveLength(51);
    // Largest shortfall of the fixture: 4 + 399 kWh cannot occur together with k % 5 = 0, so 399.
    expect(table).toContain('<data value="399">399.0</data>');
    expect(table.indexOf("A-336<")).toBeLessThan(table.indexOf("A-736<"));
  });

  test("has a band instead of a hundred lines, and the 30 largest sites", () => {
    expect(textOf(page)).toContain("State of charge of 100 batteries");
    expect(textOf(page)).toContain("Shown are the 30 sites with most energy; the other 70 together imported");
  });
});
