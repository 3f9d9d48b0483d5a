import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CAUSES } from "../../src/accounting/settlement/causes.ts";
import { TOKENS } from "../../src/dashboard/app/theme.ts";

const PROJECT = join(import.meta.dirname, "../..");
const palette = readFileSync(join(PROJECT, "src/report/html/page/palette.ts"), "utf8");

/** Values of a token: in the light theme, then in the dark one. */
const valuesOf = (name: string): readonly string[] => Object.entries(TOKENS).find(([key]) => key === name)?.[1] ?? [];

describe("the colours of the page", () => {
  test.each(CAUSES)("have one meaning with those of the report: %s", (cause) => {
    const [, light, dark] = new RegExp(`\\b${cause}: \\["(#\\w+)", "(#\\w+)"\\]`).exec(palette) ?? [];
    expect(valuesOf(`cause-${cause}`)).toEqual([light, dark]);
  });

  test.each([
    ["ink", "surface", 7],
    ["ink", "stale", 7],
    ["muted", "surface", 4.5],
    ["muted", "page", 4.5],
    ["muted", "tint", 4.5],
    ["muted", "stale", 4.5],
    ["accent", "surface", 4.5],
    ["on-accent", "accent", 4.5],
    ["on-alarm-1", "alarm-1", 4.5],
    ["line-strong", "surface", 3],
    ["requested", "surface", 3],
  ])("%s on %s has a contrast of at least %d", (front, back, least) => {
    valuesOf(front).forEach((colour, theme) => {
      expect(contrast(colour, valuesOf(back)[theme])).toBeGreaterThanOrEqual(least);
    });
  });
});

/** Contrast of two colours after WCAG 2.2, 1..21. */
function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((k) => {
    const part = Number.parseInt(colour.slice(k, k + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
