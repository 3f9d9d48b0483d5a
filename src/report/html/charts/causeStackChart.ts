import type { AwardRow } from "../../../accounting/runRecord.ts";
import { CAUSES, type Cause } from "../../../accounting/settlement/causes.ts";
import { formatFixed } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { type ColourName, causeColour, colourPlaceholder } from "../page/palette.ts";
import { CAUSE_TEXT } from "../sections/causeText.ts";
import type { CauseTotal } from "../sections/causeTotals.ts";
import {
  axisStyle,
  type ChartSpec,
  horizontalPlotArea,
  horizontalValueAxis,
  plotArea,
  shortenName,
  valueAxis,
} from "./chart.ts";
import type { TimeSpan } from "./timeSpan.ts";

const AWARDS_MAX = 16;

interface Stack {
  readonly label: string;
  readonly byCauseKwh: Float64Array;
}

/** Shortfall by cause: a bar per award if few awards had one, otherwise a bar per interval between two ticks. */
export function causeStackChart(
  awards: readonly AwardRow[],
  totals: readonly CauseTotal[],
  { clock, span }: { clock: LocalClock; span: TimeSpan },
): ChartSpec | null {
  const withShortfall = awards.filter(({ shortfallKwh }) => 0.0005 <= (shortfallKwh ?? 0));
  if (withShortfall.length < 2) return null;
  const byAward = withShortfall.length <= AWARDS_MAX;
  const stacks = byAward
    ? withShortfall.map((award) => ({ label: award.awardId, byCauseKwh: award.shortfallByCauseKwh }))
    : stacksOverTime(withShortfall, clock, span);
  const layers = layersOf(totals);
  const data = layers.map(({ cause }) => stacks.map(({ byCauseKwh }) => byCauseKwh[CAUSES.indexOf(cause)]));
  return {
    id: "cause-stacks",
    title: byAward ? "Shortfall by award" : "Shortfall over time",
    caption: byAward
      ? "Shortfall in kWh by cause, one bar per award with a shortfall, in order of start."
      : `Shortfall in kWh by cause, assigned to the start of its award (${clock.timezone}).`,
    altText: `Shortfall in kWh ${byAward ? "of each award" : "over time"}, split into ${layers.map((layer) => layer.label).join(", ")}. The largest bar is ${formatFixed(largestSum(data), 1)} kWh.`,
    legend: layers.map(({ label, colour }) => ({ label, colour })),
    heightPx: byAward ? 66 + 30 * stacks.length : 300,
    buildOption: (size) => {
      const labels = stacks.map(({ label }) => shortenName(label, size));
      const names = { ...axisStyle, type: "category" as const, data: labels, axisTick: { show: false } };
      const value = {
        ...(byAward ? horizontalValueAxis("Shortfall (kWh)") : valueAxis("Shortfall (kWh)")),
        splitNumber: size.isNarrow ? 3 : 5,
      };
      return {
        grid: byAward ? horizontalPlotArea : plotArea,
        xAxis: byAward ? value : names,
        yAxis: byAward ? { ...names, inverse: true } : value,
        series: layers.map(({ colour }, k) => ({
          type: "bar" as const,
          stack: "shortfall",
          silent: true,
          barMaxWidth: byAward ? 16 : 40,
          barCategoryGap: "15%",
          itemStyle: { color: colourPlaceholder(colour) },
          data: data[k],
        })),
      };
    },
  };
}

interface Layer {
  readonly label: string;
  readonly colour: ColourName;
  readonly cause: Cause;
}

const layersOf = (totals: readonly CauseTotal[]): readonly Layer[] =>
  totals
    .filter(({ shortfallKwh }) => 0 < shortfallKwh)
    .map(({ cause }) => ({ label: CAUSE_TEXT[cause].label, colour: causeColour(cause), cause }));

/** One stack per interval between two ticks of the time axis; the first interval starts with the run. */
function stacksOverTime(awards: readonly AwardRow[], clock: LocalClock, span: TimeSpan): readonly Stack[] {
  const ticks = clock.ticksBetween(span.startMs, span.endMs).filter(({ atMs }) => atMs < span.endMs);
  const stacks = ticks.map(({ label }) => ({ label, byCauseKwh: new Float64Array(CAUSES.length) }));
  for (const { startMs, shortfallByCauseKwh } of awards) {
    const after = ticks.findIndex(({ atMs }) => startMs < atMs);
    const stack = stacks[Math.max(0, (after === -1 ? ticks.length : after) - 1)];
    for (let k = 0; k < CAUSES.length; k++) stack.byCauseKwh[k] += shortfallByCauseKwh[k];
  }
  return stacks;
}

const largestSum = (layers: readonly (readonly number[])[]): number =>
  layers[0].reduce(
    (most, _, k) =>
      Math.max(
        most,
        layers.reduce((sum, layer) => sum + layer[k], 0),
      ),
    0,
  );
