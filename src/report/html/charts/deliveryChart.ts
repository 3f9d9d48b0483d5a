import type { Polyline } from "../../../accounting/recorders/polyline.ts";
import type { AwardRow, RunRecord, VppTimeline } from "../../../accounting/runRecord.ts";
import { causesBySize } from "../../awardSentence.ts";
import { formatKw } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { causeColour } from "../page/palette.ts";
import { CAUSE_TEXT } from "../sections/causeText.ts";
import { sessionRows } from "../sections/sessionSection.ts";
import type { ChartSpec } from "./chart.ts";
import type { Shade } from "./interactiveChart.ts";
import { type BlockRow, limitRows } from "./timeBlocks.ts";
import { timeChartSpec } from "./timeChart.ts";

const SHADES_MAX = 400;

/** Requested and delivered power of one VPP, with the rows of its awards and the outages of its sites. */
export function deliveryChart(
  timeline: VppTimeline,
  record: RunRecord,
  { id, clock, awards }: { id: string; clock: LocalClock; awards: readonly BlockRow[] },
): ChartSpec {
  const { vpp, requestedKw, deliveredKw } = timeline;
  const sites = new Set(record.sites.filter((row) => row.vpp === vpp).map(({ site }) => site));
  const shades = uncoveredShades(timeline, record.awards);
  return timeChartSpec({
    id,
    title: `${vpp}: requested and delivered power`,
    caption: `Change of power in kW, ${clock.timezone}. Above zero: more import; below zero: more export.${shades.length > 0 ? " Shaded in the colour of its cause: requested power that was not allocated." : ""} Each award has the colour of its main cause of shortfall, grey if it had none.`,
    altText: `Requested and delivered power of ${vpp} over time in kW. The largest request was ${formatKw(largestMagnitude(requestedKw))}, the largest delivery ${formatKw(largestMagnitude(deliveredKw))}.`,
    clock,
    span: record,
    axisTitle: "Change of power (kW)",
    curves: [
      { label: "Requested", colour: "neutral", unit: "kW", curve: requestedKw, isFilled: true },
      { label: "Delivered", colour: "s1", unit: "kW", curve: deliveredKw, isFilled: true },
    ],
    rows: [...sessionRows(record), ...awards, ...limitRows(record, sites)],
    shades,
  });
}

/** Uncovered power, measured from the request towards 0, in the colour of its cause. */
function uncoveredShades({ vpp, requestedKw, uncoveredKw }: VppTimeline, awards: readonly AwardRow[]): Shade[] {
  const causes = awards
    .filter((award) => award.vpp === vpp && !award.isFcr && award.executedMinutes > 0)
    .flatMap(({ startMs, endMs, uncoveredByCauseKw, shortfallByCauseKwh }) => {
      const [main] = [...causesBySize(uncoveredByCauseKw), ...causesBySize(shortfallByCauseKwh)];
      return main === undefined ? [] : [{ startMs, endMs, cause: main.cause }];
    })
    .sort((a, b) => a.startMs - b.startMs);
  const shades: Shade[] = [];
  const { atMs, values } = uncoveredKw;
  let next = 0;
  let running: typeof causes = [];
  for (let k = 1; k < atMs.length; k++) {
    const [startMs, endMs] = [atMs[k - 1], atMs[k]];
    if (values[k] === 0 || values[k - 1] === 0 || startMs === endMs) continue;
    const middleMs = 0.5 * (startMs + endMs);
    while (next < causes.length && causes[next].startMs <= middleMs) running.push(causes[next++]);
    running = running.filter((award) => middleMs < award.endMs);
    const cause = running[0]?.cause;
    const fromValue = valueAt(requestedKw, middleMs);
    const toValue = fromValue - 0.5 * (values[k - 1] + values[k]);
    const look =
      cause === undefined
        ? { colour: "s8" as const, label: "cause not recorded" }
        : { colour: causeColour(cause), label: CAUSE_TEXT[cause].label };
    shades.push({ startMs, endMs, fromValue, toValue, ...look });
  }
  return largest(shades);
}

/** The largest ones in order of time, if they are too many. */
function largest(shades: readonly Shade[]): Shade[] {
  const area = ({ startMs, endMs, fromValue, toValue }: Shade) => (endMs - startMs) * Math.abs(toValue - fromValue);
  return shades
    .map((shade, k) => ({ shade, k }))
    .sort((a, b) => area(b.shade) - area(a.shade) || a.k - b.k)
    .slice(0, SHADES_MAX)
    .sort((a, b) => a.k - b.k)
    .map(({ shade }) => shade);
}

/** Value on the line between two points. */
function valueAt({ atMs, values }: Polyline, instantMs: number): number {
  let [low, high] = [0, atMs.length - 1];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (atMs[middle] <= instantMs) low = middle;
    else high = middle;
  }
  const spanMs = atMs[high] - atMs[low];
  return spanMs === 0 ? values[high] : values[low] + ((values[high] - values[low]) * (instantMs - atMs[low])) / spanMs;
}

/** The value of largest magnitude, with its sign. */
const largestMagnitude = ({ values }: Polyline): number =>
  values.reduce((most, value) => (Math.abs(most) < Math.abs(value) ? value : most), 0);
