import { AREAS_MAX, type MissingArea } from "../../../accounting/recorders/missingAreas.ts";
import type { Polyline } from "../../../accounting/recorders/polyline.ts";
import type { RunRecord, VppTimeline } from "../../../accounting/runRecord.ts";
import { formatKw } from "../page/format.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";
import { causeColour } from "../page/palette.ts";
import { sessionRows } from "../sections/sessionSection.ts";
import type { ChartSpec } from "./chart.ts";
import { isLong, powerOf, type TimeBand } from "./envelopeData.ts";
import type { Shade } from "./interactiveChart.ts";
import { type BlockRow, limitRows } from "./timeBlocks.ts";
import { captionOf, timeChartSpec } from "./timeChart.ts";

/** Requested and delivered power of one VPP, with the rows of its awards and the outages of its sites. */
export function deliveryChart(
  timeline: VppTimeline,
  record: RunRecord,
  { id, locale, awards }: { id: string; locale: PageLocale; awards: readonly BlockRow[] },
): ChartSpec {
  const { vpp, requestedKw, deliveredKw } = timeline;
  const { t } = locale;
  const sites = new Set(record.sites.filter((row) => row.vpp === vpp).map(({ site }) => site));
  const shades = timeline.missing.map((area) => shadeOf(area, t));
  const { delivered } = timeline;
  const envelope = { ...delivered, ...powerOf(timeline.energy, delivered.bins, record) };
  const band: TimeBand = { ...envelope, label: t("head.delivered"), unit: "kW", kind: "power", names: [vpp] };
  const isBand = isLong(record);
  const shadedKey = shades.length < AREAS_MAX ? "chart.delivery_shaded" : "chart.delivery_shaded_excerpt";
  const chart = {
    id,
    title: t(isBand ? "chart.delivered" : "chart.delivery", { vpp }),
    caption: captionOf(
      [
        t("chart.delivery_caption", { zone: locale.timezone }),
        isBand || shades.length === 0 ? "" : t(shadedKey, { count: AREAS_MAX }),
        isBand ? "" : t("chart.delivery_awards"),
      ],
      t,
    ),
    altText: t("chart.delivery_alt", {
      vpp,
      request: formatKw(largestMagnitude(requestedKw)),
      delivery: formatKw(largestMagnitude(deliveredKw)),
    }),
    locale,
    span: record,
    axisTitle: t("chart.change_axis"),
    curves: [
      { label: t("head.requested"), colour: "neutral", unit: "kW", curve: requestedKw, isFilled: true },
      { label: t("head.delivered"), colour: "s1", unit: "kW", curve: deliveredKw, isFilled: true },
    ],
    bands: isBand ? [band] : [],
    rows: [...sessionRows(record, locale.t), ...(isBand ? [] : [...awards, ...limitRows(record, sites, locale)])],
    shades,
  } as const;
  return timeChartSpec(chart, { kind: "power", bins: delivered.bins, series: [{ ...envelope, name: vpp }] });
}

const shadeOf = ({ cause, startMs, endMs, fromKw, toKw }: MissingArea, t: Translate): Shade => ({
  startMs,
  endMs,
  fromValues: fromKw,
  toValues: toKw,
  colour: causeColour(cause),
  label: t(`cause.${cause}`),
});

/** The value of largest magnitude, with its sign. */
const largestMagnitude = ({ values }: Polyline): number =>
  values.reduce((most, value) => (Math.abs(most) < Math.abs(value) ? value : most), 0);
