// Axes and drawings against values by hand.
import { describe, expect, test } from "vitest";
import { rangeTicks, valueTicks } from "../../../src/report/html/charts/axisTicks.ts";
import { deliveryChart } from "../../../src/report/html/charts/deliveryChart.ts";
import { drawTimeChart } from "../../../src/report/html/charts/timeDrawing.ts";
import { drawXyPlot } from "../../../src/report/html/charts/xyDrawing.ts";
import { createPageLocale } from "../../../src/report/html/page/pageLocale.ts";
import { causeColour } from "../../../src/report/html/page/palette.ts";
import { dayRecord } from "./reportFixtures.ts";

test.each<[readonly number[], number, readonly string[]]>([
  [[217.1], 6, ["0", "50", "100", "150", "200", "250"]],
  [[0.3], 6, ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"]],
  [[-1900, 1000], 7, ["−2,000", "−1,500", "−1,000", "−500", "0", "500", "1,000"]],
  [[-20], 6, ["−20", "−15", "−10", "−5", "0"]],
  [[0], 6, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]],
])("ticks of %j in at most %i steps", (values, stepsMax, labels) => {
  expect(valueTicks(values, stepsMax).ticks.map(({ label }) => label)).toEqual(labels);
});

test.each<[readonly number[], readonly string[]]>([
  [
    [1, 3.5],
    ["1", "2", "3", "4"],
  ],
  [
    [1, 16.5],
    ["0", "5", "10", "15", "20"],
  ],
  [
    [1, 170],
    ["0", "25", "50", "75", "100", "125", "150", "175"],
  ],
])("whole ticks of ranks %j", (values, labels) => {
  expect(rangeTicks(values, 7, 1).ticks.map(({ label }) => label)).toEqual(labels);
});

test("a range need not include 0", () => {
  expect(rangeTicks([101, 108], 4)).toMatchObject({ min: 100, max: 108 });
});

describe("a time chart", () => {
  const span = { startMs: 0, endMs: 3_600_000 };
  const chart = {
    id: "x",
    title: "x",
    altText: "",
    caption: "",
    axisTitle: "Power (kW)",
    locale: createPageLocale("en", "UTC", span),
    span,
    curves: [
      {
        label: "Power",
        colour: "s1",
        unit: "kW",
        // 0, a jump to 100 at half past, then down to 50 at the end.
        curve: {
          atMs: Float64Array.of(0, 1_800_000, 1_800_000, 3_600_000),
          values: Float64Array.of(0, 0, 100, 50),
          thinnedMs: 0,
        },
      },
    ],
    rows: [],
    shades: [{ startMs: 0, endMs: 1_800_000, fromValues: [100, 100], toValues: [100, 0], colour: "s2", label: "Ramp" }],
  } as const;
  const drawing = drawTimeChart(chart, { widthPx: 860, isNarrow: false });

  test("has its curve in pixels", () => {
    // The plot is 96 to 836 wide and 12 to 262 high; its axis ends at 100 kW.
    expect(drawing).toContain('<path d="M96 262h370v-250l370 125" stroke="var(--s1)"');
  });

  test("has its shades between two lines", () => {
    expect(drawing).toContain('<path d="M96 12L466 12V262L96 12z" fill="var(--s2)"');
  });

  test("has titles and labels on both axes", () => {
    expect(drawing).toContain(">Power (kW)</text>");
    expect(drawing).toContain(">00:30</text>");
    expect(drawing).toContain(">100</text>");
  });

  test("is one path where points change no pixel", () => {
    const atMs = Float64Array.from({ length: 900 }, (_, k) => k);
    const dense = {
      ...chart,
      shades: [],
      curves: [{ ...chart.curves[0], curve: { atMs, values: atMs.map(() => 5), thinnedMs: 0 } }],
    };
    expect(drawTimeChart(dense, { widthPx: 860, isNarrow: false })).toMatch(/<path d="M96 \d+h\.2"/);
  });
});

test("missing power is shaded in the colour of its cause, also where it was allocated", () => {
  const record = dayRecord();
  const { startMs } = record;
  const endMs = startMs + 1_800_000;
  const [timeline] = record.timelines;
  const missing = [{ cause: "ramp", startMs, endMs, fromKw: [-80, -80], toKw: [-40, -80] }] as const;
  const locale = createPageLocale("en", "UTC", record);
  const chart = deliveryChart({ ...timeline, missing }, record, { id: "d", locale, awards: [] });
  expect(chart.interactive?.charts[0].shades).toEqual([
    {
      startMs,
      endMs,
      fromValues: [-80, -80],
      toValues: [-40, -80],
      colour: causeColour("ramp"),
      label: "Delay and ramp",
    },
  ]);
  expect(chart.caption).toContain("Shaded in the colour of its cause: requested power that was not delivered.");
});

test("a label lies beside its mark, on no other mark or label", () => {
  const axis = { title: "", ...rangeTicks([0, 100], 5) };
  const dot = (x: number, y: number) => ({ x, y, colour: "s1", shape: "dot", title: "" }) as const;
  const placeOf = (others: readonly (readonly [number, number])[], x = 50) => {
    const points = [{ ...dot(x, 50), label: "as written" }, ...others.map(([atX, atY]) => dot(atX, atY))];
    const drawing = drawXyPlot(
      { x: axis, y: axis, points, lines: [], heightPx: 362 },
      { widthPx: 860, isNarrow: false },
    );
    return /<text x="([\d.]+)" y="([\d.]+)">as written/.exec(drawing)?.slice(1).map(Number);
  };
  // The mark is at 466, 164; the label is 65 wide; 1 of x is 7.4 wide, 1 of y is 3 high.
  expect(placeOf([])).toEqual([506.5, 154]);
  expect(placeOf([[55, 54]])).toEqual([425.5, 154]);
  expect(
    placeOf([
      [55, 54],
      [45, 54],
    ]),
  ).toEqual([506.5, 184]);
  expect(
    placeOf([
      [55, 54],
      [45, 54],
      [55, 46],
    ]),
  ).toEqual([425.5, 184]);
  // At the right side there is room left of the mark alone.
  expect(placeOf([], 100)).toEqual([795.5, 154]);
});

test("points and lines over two axes", () => {
  const axis = { title: "kWh <each>", ...rangeTicks([0, 10], 5) };
  const drawing = drawXyPlot(
    {
      x: axis,
      y: axis,
      points: [{ x: 10, y: 0, colour: "s1", shape: "dot", title: "a & b\nx\t10" }],
      lines: [
        {
          colour: "s2",
          points: [
            [0, 0],
            [10, 10],
          ],
        },
      ],
      heightPx: 200,
    },
    { widthPx: 860, isNarrow: false },
  );
  // 96 to 836 wide, 14 to 152 high.
  expect(drawing).toContain('<circle cx="836" cy="152" r="3.5" fill="var(--s1)"><title>a &amp; b\nx\t10</title>');
  expect(drawing).toContain('<path d="M96 152L836 14" stroke="var(--s2)"');
  expect(drawing).toContain("kWh &lt;each&gt;");
});
