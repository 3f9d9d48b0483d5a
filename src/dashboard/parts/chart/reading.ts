import type { Texts } from "../../app/preferences.tsx";
import type { TimeFormats } from "../../format/times.ts";
import { type ChartSpec, lastIndexAt } from "./chartSpec.ts";
import { valueText } from "./paintChart.ts";

/** Marks within this share of the period belong to the reading. */
const NEAR_SHARE = 1 / 100;

/** Time, values, causes and marks at an instant, as one line. */
export function readingOf(spec: ChartSpec, atS: number, times: TimeFormats, t: Texts["t"]): string {
  const k = lastIndexAt(spec.times, atS);
  const nearS = (spec.toS - spec.fromS) * NEAR_SHARE;
  const lines = spec.lines.map(({ label, values, unit }) => {
    const value = values[k] ?? null;
    return `${label} ${value === null ? t("chart.no_value") : valueText(value, unit)}`;
  });
  const causes = spec.causes.flatMap(({ label, values }) => {
    const kw = values[k] ?? 0;
    return kw === 0 ? [] : [`${label} ${valueText(kw, spec.unit)}`];
  });
  const blocks = spec.blocks.filter(({ fromS, toS }) => fromS <= atS && atS < toS).map(({ label }) => label);
  const marks = spec.marks.filter((mark) => Math.abs(mark.atS - atS) <= nearS).map(({ text }) => text);
  return [times.clock(1_000 * atS), ...lines, ...causes, ...blocks, ...marks].join(" · ");
}
