import { describe, expect, test } from "vitest";
import { kpiOf } from "../../../src/accounting/kpis/kpiRegistry.ts";
import type { RunRecord } from "../../../src/accounting/runRecord.ts";
import { CAUSES } from "../../../src/accounting/settlement/causes.ts";
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

const FIGURE_COUNT = 14;
const day = renderReportHtml(reportPageOf(dayRecord()));

/** A page without its program; the data of charts stay. */
const withoutScripts = (page: string): string => page.replace(/<script>[\s\S]*?<\/script>/g, "");

/** The text of a page without tags. */
const textOf = (page: string): string =>
  page
    .replace(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("\u00a0", " ")
    .replace(/\s+/g, " ");

describe("bytes", () => {
  test("the same record gives the same bytes after another page was rendered", () => {
    renderReportHtml(reportPageOf(emptyRecord()));
    expect(renderReportHtml(reportPageOf(dayRecord()))).toBe(day);
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
    expect(page.match(/<\/script>/g)).toHaveLength(page.match(/<script\b/g)?.length ?? 0);
    expect(page).not.toMatch(/="[^"<>]*<img/);
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
  });
});

test("times in warnings are local times", () => {
  const warnings = ["planned maintenance of a from 2026-03-31T16:30:00Z to 2026-03-31T20:00:00.500Z overlaps A <1>"];
  const text = textOf(renderReportHtml(reportPageOf({ ...dayRecord(), warnings })));
  expect(text).toContain("planned maintenance of a from 1 Apr 2026 01:30 to 1 Apr 2026 05:00 overlaps A &lt;1&gt;");
});

describe("numbers of the page equal those of the record", () => {
  const values = (page: string): Set<number> =>
    new Set([...page.matchAll(/<data value="([^"]+)">/g)].map(([, v]) => Number(v)));

  test("every key figure has its value", () => {
    const found = values(day);
    for (const [name, value] of dayRecord().kpis) {
      expect(day).toContain(`<code>${name}</code>`);
      if (typeof value === "number" && kpiOf(name).kind === "number") expect(found, name).toContain(roundTo(value, 3));
    }
  });

  test("a printed number is its exact value, rounded", () => {
    // The account prints amounts that sum as printed (moneySection.test.ts).
    const page = day.replace(/<section id="money"[\s\S]*?<\/section>/, "");
    const cells = [...page.matchAll(/<data value="([^"]+)">([^<]+)<\/data>/g)].filter(([, , shown]) =>
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
      for (const value of [
        row.requestedKw,
        row.uncoveredKwPeak,
        row.requestedKwh,
        row.deliveredKwh,
        row.shortfallKwh,
      ]) {
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
    expect(textOf(day)).toContain("State of charge at its limit 271.1 36.2 % 2 0.0");
    expect(day).toContain("State of charge at its limit 271.1\u00a0kWh (36.2\u00a0%)");
  });
});

describe("causes", () => {
  const occurring = [
    "Out of service",
    "Instruction not received",
    "State of charge at its limit",
    "Delay and ramp",
    "Weather",
  ];
  const positions = (text: string): number[] => occurring.map((label) => text.indexOf(label));
  const part = (from: string, to: string): string => day.slice(day.indexOf(from), day.indexOf(to, day.indexOf(from)));

  test.each([
    ["the bar of requested energy", 'class="share"', "</ul>"],
    ["the bars of the shortfall", 'id="shortfall-bars"', "</figure>"],
    ["the legend of the stacks", 'id="cause-stacks"', "</ul>"],
    ["the table of causes", "Causes that occurred", "</table>"],
  ])("%s has them in the order of CAUSES", (_, from, to) => {
    const found = positions(part(from, to));
    expect(found).not.toContain(-1);
    expect(found).toEqual([...found].sort((a, b) => a - b));
  });

  test("each has one colour of its own, and the same in every chart, legend and table", () => {
    const root = /:root\{[^}]*\}/.exec(day)?.[0] ?? "";
    const colours = CAUSES.map((cause) => new RegExp(`--cause-${cause}:(#[0-9a-f]{6})`).exec(root)?.[1]);
    expect(new Set(colours).size).toBe(CAUSES.length);
    expect(colours).not.toContain(undefined);
    for (const [from, to] of [
      ['class="share"', "</ul>"],
      ['id="shortfall-bars"', "</figure>"],
      ['id="cause-stacks"', "</ul>"],
      ["Causes that occurred", "</table>"],
    ]) {
      expect(part(from, to)).toContain("var(--cause-energy_limit)");
      expect(part(from, to)).toContain("var(--cause-weather)");
    }
  });
});

describe("the first screen summarises the run", () => {
  const text = textOf(day);
  test.each([
    "From Wed 1 Apr 2026, 00:00 to Thu 2 Apr 2026, 00:00 (Asia/Tokyo time, 24 h): 6 sites in 2 virtual power plants .",
    "The shortfall was 748.4 kWh (7.7 %) of the 9,725.0 kWh requested, mainly because sites were out of service (301.0 kWh).",
    "9,725.0 requested − 748.4 shortfall + 12.4 over-delivery = 8,989.0 kWh delivered",
    "Largest uncovered power 640.0 kW A-2 , from 1 Apr 2026 09:30 Largest part of a request that was allocated to no site at any instant, re-dispatches included.",
    "Awards 2 of 5 in band throughout 4 of 7 fully allocated at dispatch 1 refused 80.0 kW of FCR capacity uncovered at most",
    "Awards with the largest shortfall A-2 412.3 kWh (9.2 %) 1 Apr 2026 09:00 to 12:00 Out of service (301.0 kWh) A-4 318.6 kWh (11.8 %)",
    "Sites with the largest shortfall bat-03 301.0 kWh Out of service bat-01 271.1 kWh State of charge at its limit pv-01 80.3 kWh Weather",
    "uncovered power 1 Apr 2026 09:30 First instant",
    "site factory-01 has no baseline: delivery is measured against 0",
    "Delivered as requested 8,976.6 kWh Out of service 301.0 kWh Instruction not received 18.0 kWh State of charge at its limit 271.1 kWh Delay and ramp 17.5 kWh Weather 80.3 kWh Load deviation 60.5 kWh",
  ])("%s", (sentence) => {
    expect(text).toContain(sentence);
  });

  test("an equation that does not close with one decimal has more", () => {
    // Rounded to one decimal 100.0 − 0.1 + 0.1 is not 100.1.
    const kpis = runKpis({ requested_kwh: 100, shortfall_kwh: 0.06, excess_kwh: 0.145, delivered_kwh: 100.085 });
    const page = textOf(renderReportHtml(reportPageOf({ ...dayRecord(), kpis })));
    expect(page).toContain("100.000 requested − 0.060 shortfall + 0.145 over-delivery = 100.085 kWh delivered");
  });

  test("a shortfall above the request is not printed as a percentage of it", () => {
    const award = {
      requestedKwh: 100,
      deliveredKwh: -34.6,
      shortfallKwh: 134.6,
      compliancePct: 0,
      shortfallByCauseKwh: amountsByCause({ ramp: 134.6 }),
    };
    const kpis = runKpis({ requested_kwh: 100, shortfall_kwh: 134.6, excess_kwh: 0, delivered_kwh: -34.6 });
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), kpis, awards: [awardRow(award)] }));
    expect(textOf(page)).not.toContain("134.6 %");
    expect(textOf(page)).toContain("134.6 kWh (all of the 100.0 kWh requested, and 34.6 kWh against the direction");
    expect(textOf(page)).toContain("100.0 requested − 134.6 shortfall + 0.0 over-delivery = −34.6 kWh delivered");
  });

  test("the colour of an award follows its compliance, not its state", () => {
    const awards = [
      awardRow({ awardId: "never", compliancePct: 0 }),
      awardRow({ awardId: "partly", compliancePct: 63.5 }),
      awardRow({ awardId: "always", compliancePct: 100 }),
    ];
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), awards }));
    const table = page.slice(page.indexOf('<section id="awards"'));
    const levels = [...table.matchAll(/class="band ([a-z-]+)"/g)].map(([, level]) => level);
    expect(levels).toEqual(["out-of-band", "partly-in-band", "in-band"]);
    expect(page).not.toMatch(/\.state\.completed/);
  });

  test("awards without a printed shortfall have no row among the largest, and are counted", () => {
    const awards = Array.from({ length: 15 }, (_, k) =>
      awardRow({
        awardId: `A-${k}`,
        uncoveredKw: 0,
        shortfallKwh: k < 12 ? 12 - k : 0.04,
        shortfallByCauseKwh: amountsByCause({ ramp: k < 12 ? 12 - k : 0.04 }),
      }),
    );
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), awards }));
    // The two beyond the ten have 2 + 1 kWh.
    expect(textOf(page)).toContain(
      "The 10 awards with the largest shortfall; the other 2 with a shortfall have 3.0 kWh together; 3 had none",
    );
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

  test("the tiles show the margin, and the section on money its lines", () => {
    const tiles = day.slice(day.indexOf('class="tiles kpis"'), day.indexOf("<details>"));
    const names = [...tiles.matchAll(/<div class="name">([^<]*)</g)].map(([, name]) => name);
    expect(names).toContain("Margin of the aggregator");
    for (const line of ["Revenue", "Energy cost", "Profit"]) expect(names).not.toContain(line);
  });

  test.each(["reductions", "curtailment"])("the value axis of %s has a title", (id) => {
    const section = day.slice(day.indexOf(`<section id="${id}"`));
    expect(textOf(section.slice(0, section.indexOf("</section>")))).toContain("Energy (kWh)");
  });

  test("no frequency response: no tile for it", () => {
    const tiles = (page: string) => page.slice(page.indexOf('class="tiles kpis"'), page.indexOf("<details>"));
    expect(tiles(day)).toContain("Largest uncovered FCR capacity");
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), awards: [awardRow({})] }));
    expect(tiles(page)).not.toContain("Largest uncovered FCR capacity");
  });

  const whole =
    "summary warnings delivery site-chart shortfall chronology frequency reductions charge flows energy-by-site money".split(
      " ",
    );
  const rest = [..."curtailment availability awards refused sites glossary".split(" ")];
  const noStore = { cyclesByDepth: null };
  const zeroTimelines = dayRecord().timelines.map((timeline) => ({
    ...timeline,
    requestedKw: { ...timeline.requestedKw, values: timeline.requestedKw.values.map(() => 0) },
    deliveredKw: { ...timeline.deliveredKw, values: timeline.deliveredKw.values.map(() => 0) },
  }));
  test.each<[string, Partial<RunRecord>, string]>([
    ["none empty", {}, ""],
    ["no awards", { awards: [] }, "shortfall frequency awards refused"],
    ["no shortfall, no refusal", { awards: [awardRow({})] }, "shortfall frequency refused"],
    ["no VPP", { timelines: [] }, "delivery"],
    ["frequency response alone", { timelines: zeroTimelines }, "delivery"],
    ["no warnings", { warnings: [] }, "warnings"],
    ["no outage", { outages: [] }, "availability"],
    ["no price", { kpis: runKpis({}) }, "money"],
    ["no event", { events: [] }, "chronology"],
    ["no reduction", { reductions: [] }, "reductions"],
    ["no sites", { sites: [], outages: [] }, "flows energy-by-site curtailment availability sites"],
    ["no energy", { sites: [siteRow({ importKwh: 0, exportKwh: 0 })] }, "flows energy-by-site curtailment"],
    ["no batteries", { sites: [siteRow(noStore)], soc: { batteries: [] } }, "charge flows curtailment"],
  ])("an empty section is omitted, also from the contents: %s", (_, changes, omitted) => {
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), ...changes }));
    const expected = [...whole, ...rest].filter((id) => !omitted.split(" ").includes(id));
    expect([...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)).toEqual(expected);
    expect([...page.matchAll(/<li><a href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(expected);
    expect(withoutScripts(page)).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("the money section shows the account line by line", () => {
    const section = day.slice(day.indexOf('<section id="money"'));
    const cells = [...section.slice(0, section.indexOf("</section>")).matchAll(/<data value="([^"]+)">/g)];
    expect(cells.map(([, value]) => Number(value))).toEqual([
      200_000, -15_680, -25_000, 10_000, 199_320, 76_200.5, 123_119.5,
    ]);
  });

  test("no page contains NaN or undefined", () => {
    for (const page of [day, renderReportHtml(reportPageOf(emptyRecord()))])
      expect(withoutScripts(page)).not.toMatch(/NaN|undefined|Infinity|\[object/);
  });
});

test("the drawing of a site, its title and its legend are those of the site with the largest shortfall", () => {
  const { siteCurves } = dayRecord();
  const siteShortfalls = [{ site: "pv-01", byCauseKwh: amountsByCause({ weather: 900 }) }];
  const page = renderReportHtml(reportPageOf({ ...dayRecord(), siteCurves, siteShortfalls }));
  const figure = page.slice(page.indexOf('<figure id="site-power"')).split("</figure>")[0];
  expect(figure).toContain('<h3>Power of <span class="drawn-only">pv-01</span>');
  expect(figure.slice(0, figure.indexOf("<svg"))).not.toContain("State of charge (right)");
  expect(figure).toContain('"choose":"Site","first":2,');
});

test("the chart of a single site, which has nothing to choose, names it", () => {
  const siteCurves = dayRecord().siteCurves.slice(0, 1);
  const page = renderReportHtml(reportPageOf({ ...dayRecord(), siteCurves }));
  expect(page).toContain("<h3>Power of bat-01</h3>");
});

test("thousands of small cycles are stated instead of drawn", () => {
  const chartOf = (...counts: readonly number[]): string => {
    const sites = [siteRow({ cyclesByDepth: Float64Array.from(counts) })];
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), sites }));
    return page.slice(page.indexOf('<figure id="cycle-bars"')).split("</figure>")[0];
  };
  expect(chartOf(16_310, 0, 2.5, 0, 0)).toContain("Not drawn: 16,310.0 cycles of up to 20 %; the table has them.");
  expect(chartOf(16_310, 0, 2.5, 0, 0)).not.toContain("16,310.0\u00a0cycles");
  expect(chartOf(12, 0, 2.5, 0, 0)).toContain("12.0\u00a0cycles");
});

test("labels of energy flows stand beside their nodes", () => {
  const figure = day.slice(day.indexOf('<figure id="flow-1"')).split("</svg>")[0];
  // Nodes are filled rectangles; the label of a source ends left of all of them, that of a sink begins right of them.
  expect(figure).toMatch(/text-anchor="end"[^>]*>roof</);
  expect(figure).toMatch(/text-anchor="start"[^>]*>Load</);
  expect(figure).toMatch(/text-anchor="middle"[^>]*>bat</);
});

describe("bars", () => {
  const figureOf = (id: string, page = day): string =>
    page.slice(page.indexOf(`<figure id="${id}"`)).split("</figure>")[0];

  test("what prints as 0.0 has no bar and no entry in the legend", () => {
    const awards = [1, 2].map((k) =>
      awardRow({
        awardId: `A-${k}`,
        shortfallKwh: 10.04,
        shortfallByCauseKwh: amountsByCause({ ramp: 10, power_limit: 0.02 }),
      }),
    );
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), awards }));
    for (const id of ["shortfall-bars", "cause-stacks"]) {
      expect(figureOf(id, page)).toContain("Delay and ramp");
      expect(figureOf(id, page)).not.toContain("Power limit");
      expect(figureOf(id, page)).not.toMatch(/[^\d]0\.0\u00a0kWh/);
    }
  });

  test("the largest uncovered power by award begins with the key figure", () => {
    expect(textOf(figureOf("uncovered-bars"))).toContain("A-2 from 1 Apr 2026 09:30 640.0 kW 0 200 400");
  });

  test("each has its values for the pointer, and its place on the axis", () => {
    // Of 0 to 500 kWh, the axis of the largest bar: 412.3 kWh.
    expect(figureOf("cause-stacks")).toContain(
      'title="A-2, 412.3\u00a0kWh\nOut of service\t301.0\u00a0kWh\nState of charge at its limit\t31.0\u00a0kWh\nWeather\t80.3\u00a0kWh"',
    );
    expect(figureOf("cause-stacks")).toContain('<i style="left:60.2%;width:6.2%;--swatch:var(--cause-energy_limit)">');
  });

  test("import is right of 0, export left", () => {
    const [row] = figureOf("energy").split("pv-01</span>")[1].split("</div>");
    // The axis from −4,000 to 6,000 kWh has its 0 at 40 %.
    expect(row).toContain('<i style="left:8.796%;width:31.204%;--swatch:var(--s5)">');
    expect(row).not.toContain("var(--s1)");
  });
});

test("the awards of a VPP are in the page once, for its chart and for those of its sites", () => {
  const rowsIn = (id: string): readonly { blocks: readonly unknown[] }[] => {
    const figure = day.slice(day.indexOf(`<figure id="${id}"`)).split("</figure>")[0];
    const [, text] = /<script type="application\/json">(.*?)<\/script>/s.exec(figure) ?? [];
    const data = JSON.parse(text);
    return id === "site-power" ? data.charts[0].rows : data.rows;
  };
  expect(rowsIn("delivery-1")[0].blocks).toHaveLength(5);
  // In minutes: A-1 from 02:00 for 3 h, A-2 4 h after its end for 3 h.
  expect(rowsIn("delivery-1")[0].blocks.slice(0, 2)).toEqual([
    [120, 180, 0, "A-1\n600\u00a0kW", "shortfall 17.5\u00a0kWh, mainly delay and ramp"],
    [240, 180, 1, "A-2\n−1,500\u00a0kW", "shortfall 412.3\u00a0kWh, mainly out of service"],
  ]);
  expect(rowsIn("site-power")[0]).toEqual(["delivery-1", 0]);
});

describe("every chart is accessible", () => {
  test("title, unit in the caption, and a text alternative", () => {
    const figures = [...day.matchAll(/<figure[\s\S]*?<\/figure>/g)].map(([figure]) => figure);
    // Two VPPs, power of a site, shortfall by cause and by award, uncovered by award, FCR capacity, reductions, state of charge, cycles,
    // flows of one site, energy, curtailment, outages.
    expect(figures).toHaveLength(FIGURE_COUNT);
    for (const figure of figures) {
      expect(figure).toMatch(/<h3>[^<]+<(\/h3|span)/);
      expect(figure).toMatch(/<figcaption>[^<]*(kWh?|%|time)/);
      const drawings = figure.match(/role="img" aria-label="[^"]{20,}"/g);
      expect(drawings).toHaveLength(figure.includes("<svg") ? (figure.includes("chart-live") ? 2 : 3) : 1);
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
  // 29 Mar 2026 01:00 UTC is 03:00 in Berlin: the clocks change at 02:00.
  expect(text).toContain("29 Mar 2026 03:00 +02:00");
  expect(text).toContain("(UTC+01:00 and UTC+02:00)");
});

describe("a year of 17,520 awards and 100 sites", () => {
  const page = renderReportHtml(reportPageOf(yearRecord()));

  test("is below 2 MB and lists the ten awards with the largest shortfall", () => {
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    const table = page.slice(page.indexOf('<section id="worst"'), page.indexOf('<section id="duration"'));
    expect(table.match(/<tr>/g)).toHaveLength(11);
    // Largest shortfall of the fixture: 4 + 399 kWh cannot occur together with k % 5 = 0, so 399.
    expect(table).toContain('<data value="399">399</data>');
    expect(table.indexOf("A-336<")).toBeLessThan(table.indexOf("A-736<"));
  });

  test("has a band instead of a hundred lines, and the 30 largest sites", () => {
    expect(textOf(page)).toContain("State of charge of 100 batteries");
    expect(textOf(page)).toContain("Shown are the 30 sites with most energy; the other 70 together imported");
  });
});
