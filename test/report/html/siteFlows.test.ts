// The pictures of energy hold what the tables hold, to the thousandth.
import { describe, expect, test } from "vitest";
import { flowChart, selectDrawnFlows } from "../../../src/report/html/charts/flowChart.ts";
import { textsIn } from "../../../src/report/html/page/pageLocale.ts";
import { renderReportHtml } from "../../../src/report/html/page/reportPage.ts";
import { siteFlows } from "../../../src/report/html/sections/siteFlows.ts";
import { dayRecord, reportPageOf, siteRow } from "./reportFixtures.ts";

const campus = dayRecord().sites[5];
const [flows] = siteFlows([campus]);

/** What the rows of one section say, without tags. */
const rowsOf = (page: string, id: string): string[] =>
  [...(page.split(`<section id="${id}"`)[1]?.split("</section>")[0] ?? "").matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(
    ([, row]) =>
      row
        .replace(/<[^>]+>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
  );

describe("flows of a site of several components", () => {
  test("each path is the sum of its components' paths", () => {
    // The roof gives 512.25 + 140.5 + 66.2 kWh; the grid 2,500 to the office and 304.7 to the battery, which gives 380.1.
    expect(flows).toMatchObject({
      generationToLoadKwh: 512.25,
      generationToStorageKwh: 140.5,
      generationToGridKwh: 66.2,
      gridToLoadKwh: 2500,
      gridToStorageKwh: 304.7,
      storageToLoadKwh: 350,
      storageToGridKwh: 30.1,
      storageToStorageKwh: 0,
    });
    expect(flows.gridToLoadKwh + flows.gridToStorageKwh).toBeCloseTo(campus.importKwh, 9);
    expect(flows.generationToGridKwh + flows.storageToGridKwh).toBeCloseTo(campus.exportKwh, 9);
  });

  test("the figure has the energy of each component", () => {
    expect(flowChart(flows, "flow-1", textsIn("en").t)?.altText.replaceAll("\u00a0", " ")).toBe(
      "Energy flows of campus-01: roof 719.0 kWh, From the grid 2,804.7 kWh, bat 445.2 kWh in, 380.1 kWh out, Load 3,362.3 kWh, To the grid 96.3 kWh.",
    );
  });

  test("a site without any flow has no chart", () => {
    const withoutFlows = (campus.components ?? []).map(({ componentId, kind }) => ({
      componentId,
      kind,
      fromGeneratorKwh: 0,
      fromGridKwh: 0,
      toLoadKwh: 0,
      toBatteryKwh: 0,
      toGridKwh: 0,
    }));
    expect(flowChart(siteFlows([{ ...campus, components: withoutFlows }])[0], "flow-1", textsIn("en").t)).toBeNull();
  });

  test("of many sites the six with most energy have a chart, and the table has all", () => {
    const scale = [3, 9, 1, 7, 5, 8, 2, 6];
    const sites = scale.map((factor) => ({
      ...campus,
      site: `campus-${factor}`,
      components: (campus.components ?? []).map((part) => ({
        ...part,
        fromGridKwh: part.fromGridKwh * factor,
        toLoadKwh: part.toLoadKwh * factor,
      })),
    }));
    expect(selectDrawnFlows(siteFlows(sites), 6).map((flow) => flow.site)).toEqual(
      [9, 8, 7, 6, 5, 3].map((factor) => `campus-${factor}`),
    );
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), sites }));
    expect(page.match(/<figure id="flow-\d+"/g)).toHaveLength(6);
    // Two heads, eight sites, 24 components.
    expect(rowsOf(page, "flows")).toHaveLength(2 + 8 + 24);
    expect(page).toContain("The 6 sites with most energy have a chart; the tables have all 8.");
  });
});

describe("curtailed energy", () => {
  const generator = { resourceType: "generator" as const, exportKwh: 400, importKwh: 0 };
  const sites = [
    siteRow({
      ...generator,
      site: "few",
      curtailedKwh: 10.004,
      fitCurtailedKwh: 1,
      nonFirmCurtailedKwh: 2,
      manualCurtailedKwh: 3,
    }),
    siteRow({
      ...generator,
      site: "none",
      curtailedKwh: 0,
      fitCurtailedKwh: 0,
      nonFirmCurtailedKwh: 0,
      manualCurtailedKwh: 0,
    }),
    siteRow({
      ...generator,
      site: "many",
      curtailedKwh: 20,
      fitCurtailedKwh: 20,
      nonFirmCurtailedKwh: 0,
      manualCurtailedKwh: 0,
    }),
  ];

  test("energy without a named reason is Other; sites are sorted by amount, without those of 0", () => {
    const page = renderReportHtml(reportPageOf({ ...dayRecord(), sites }));
    expect(rowsOf(page, "curtailment").slice(1)).toEqual([
      "many 20.0 20.0 0.0 0.0 0.0 400.0",
      "few 10.0 1.0 2.0 3.0 4.0 400.0",
    ]);
    expect(page).toContain('<data value="4.004">4.0</data>');
  });
});

test("the tables of demand response and batteries have their figures", () => {
  const page = renderReportHtml(reportPageOf(dayRecord()));
  expect(rowsOf(page, "reductions")[1]).toBe(
    "factory-01 1 Apr 2026 18:00 1 Apr 2026 20:00 300.0 1,040.5 428.1 612.4 122.3",
  );
  const cycled = siteRow({
    cyclesByDepth: Float64Array.of(12.5, 3, 0, 1, 0),
    minutesAtSocMin: 34,
    minutesAtSocMax: 61,
  });
  const rows = rowsOf(renderReportHtml(reportPageOf({ ...dayRecord(), sites: [cycled] })), "charge");
  expect(rows[1]).toBe("bat-01 1,800.0 0.75 12.5 3.0 0.0 1.0 0.0 12.0 48.0 90.0 50.0 34 61");
});
