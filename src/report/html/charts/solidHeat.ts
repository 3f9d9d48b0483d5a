// Maps of day × hour in place of bands that would be solid blocks.
import { type Envelope, envelope, equalBins } from "../../../accounting/recorders/envelope.ts";
import type { RunRecord, SiteCurves } from "../../../accounting/runRecord.ts";
import { largestOf, smallestOf } from "../../../base/lists.ts";
import { MS_PER_HOUR } from "../../../base/time.ts";
import { formatFixed, formatPct } from "../page/format.ts";
import { localDays } from "../page/localDays.ts";
import { midnightBefore, type PageLocale } from "../page/pageLocale.ts";
import type { ColourName } from "../page/palette.ts";
import { valueTicks } from "./axisTicks.ts";
import type { ChartSpec } from "./chart.ts";
import { isSolid } from "./envelopeData.ts";
import { coloursOf, HEAT_COLOURS, heatMapSpec, quantileBounds, stepLegend, stepOf } from "./heatMap.ts";
import { hourCells } from "./hourSums.ts";

const EXPORT_COLOURS: readonly ColourName[] = ["h2", "h4", "h5"];
const IMPORT_COLOURS: readonly ColourName[] = ["b1", "b2", "b3"];
const STEPS = 3;
/** Smaller powers print as 0.0. */
const KW_MIN = 0.05;

/** Mean power of a site in each hour, if the band of its power would be solid and its curve is known by the hour; else `null`. */
export function sitePowerHeat(
  { site, powerKw }: SiteCurves,
  power: Envelope,
  record: RunRecord,
  locale: PageLocale,
): ChartSpec | null {
  const { min, max } = valueTicks([smallestOf(power.min), largestOf(power.max)], 7);
  if (MS_PER_HOUR < powerKw.thinnedMs || powerKw.thinnedMs > 0 || !isSolid(power, [min, max])) return null;
  const { t } = locale;
  const hours = equalBins(record, MS_PER_HOUR, midnightBefore(record.startMs, locale.timezone));
  const days = localDays(record, locale);
  const cells = hourCells(envelope(powerKw, hours).mean, hours, days, { locale, combine: (a, b) => 0.5 * (a + b) });
  const imported = cells.map(({ value }) => value).filter((kw) => KW_MIN <= kw);
  const exported = cells.map(({ value }) => -value).filter((kw) => KW_MIN <= kw);
  const [imports, exports] = [imported, exported].map((kw) => quantileBounds(kw, STEPS, 0));
  const [importColours, exportColours] = [coloursOf(imports, IMPORT_COLOURS), coloursOf(exports, EXPORT_COLOURS)];
  const colourOf = (kw: number): ColourName | null => {
    if (Math.abs(kw) < KW_MIN) return null;
    return kw > 0 ? importColours[stepOf(kw, imports)] : exportColours[stepOf(-kw, exports)];
  };
  const texts = { unit: "kW", format: (kw: number) => formatFixed(kw, 0), t };
  const legend = [
    ...stepLegend(exports, EXPORT_COLOURS, {
      ...texts,
      first: (to) => t("months.export_up_to", { to, unit: "kW" }),
      largest: largestOf(exported),
    }),
    ...stepLegend(imports, IMPORT_COLOURS, {
      ...texts,
      first: (to) => t("months.import_up_to", { to, unit: "kW" }),
      largest: largestOf(imported),
    }),
  ];
  const title = t("months.power_by_hour", { name: site });
  return heatMapSpec({
    id: "power-heat",
    title,
    caption: t("months.power_heat_caption", { zone: locale.timezone }),
    altText: title,
    days,
    cells,
    colourOf,
    legend,
    linesOf: ({ value }) => [`${formatFixed(value, 1)}\u00a0kW`],
    locale,
  });
}

const SOC_STEPS_PCT = [20, 40, 60, 80];

/** Mean state of charge in each hour, if the band of all batteries would be solid and there are few; else `null`. */
export function socHeat(
  { soc, startMs, endMs }: Pick<RunRecord, "soc" | "startMs" | "endMs">,
  band: Envelope,
  locale: PageLocale,
): ChartSpec | null {
  const hourly = soc.batteries.flatMap(({ hours }) => (hours === null ? [] : [hours]));
  if (hourly.length === 0 || !isSolid(band, [0, 100])) return null;
  const { t } = locale;
  const mean = hourly[0].mean.map((_, k) => hourly.reduce((sum, { mean }) => sum + mean[k], 0) / hourly.length);
  const days = localDays({ startMs, endMs }, locale);
  const [low, high] = [smallestOf(band.min), largestOf(band.max)].map(formatPct);
  const title = t("months.soc_by_hour");
  const caption = t("months.soc_heat_caption", { zone: locale.timezone, low, high });
  return heatMapSpec({
    id: "soc-heat",
    title,
    caption,
    altText: `${title}. ${caption}`,
    days,
    cells: hourCells(mean, hourly[0].bins, days, { locale, combine: (a, b) => 0.5 * (a + b) }),
    colourOf: (pct) => HEAT_COLOURS[stepOf(pct, SOC_STEPS_PCT)],
    legend: HEAT_COLOURS.map((colour, k) => ({ label: `${20 * k}–${20 * (k + 1)}\u00a0%`, colour })),
    linesOf: ({ value }) => [formatPct(value)],
    locale,
  });
}
