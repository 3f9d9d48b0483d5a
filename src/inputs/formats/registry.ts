import { elexon } from "./europe/elexon.ts";
import { entsoe } from "./europe/entsoe.ts";
import { smard } from "./europe/smard.ts";
import type { FileFormat, FileSample } from "./fileFormat.ts";
import { meterDays } from "./generic/meterDays.ts";
import { awardRecords, eventRecords, memberRecords } from "./generic/records.ts";
import { genericTable } from "./generic/table.ts";
import { eprxAwards } from "./japan/eprx/eprxAwards.ts";
import { eprxRequirements } from "./japan/eprx/eprxRequirements.ts";
import { eprxResources } from "./japan/eprx/eprxResources.ts";
import { eprxResults } from "./japan/eprx/eprxResults.ts";
import { eprxTieLines } from "./japan/eprx/eprxTieLines.ts";
import { areaSupply } from "./japan/grid/areaSupply.ts";
import { imbalancePrice } from "./japan/grid/imbalancePrice.ts";
import { powerUsage } from "./japan/grid/powerUsage.ts";
import { reserveMargin } from "./japan/grid/reserveMargin.ts";
import { jepxBidCurves } from "./japan/jepx/jepxBidCurves.ts";
import { jepxIntraday } from "./japan/jepx/jepxIntraday.ts";
import { jepxReference } from "./japan/jepx/jepxReference.ts";
import { jepxSpot } from "./japan/jepx/jepxSpot.ts";
import { jepxVirtualPrice } from "./japan/jepx/jepxVirtualPrice.ts";
import { bpMeter } from "./japan/meter/bpMeter.ts";
import { greenButton } from "./meter/greenButton.ts";
import { nem12 } from "./meter/nem12.ts";
import { normaliseName } from "./text/normaliseText.ts";
import { epw } from "./weather/epw.ts";
import { jmaHourly } from "./weather/jmaHourly.ts";
import { metpv20 } from "./weather/metpv20.ts";
import { nsrdb } from "./weather/nsrdb.ts";
import { pvgis } from "./weather/pvgis.ts";
import { tmy3 } from "./weather/tmy3.ts";

/** Formats of series, which a scenario can read. */
const SERIES_FORMATS: readonly FileFormat[] = [
  jepxSpot,
  jepxIntraday,
  jepxReference,
  jepxVirtualPrice,
  eprxResults,
  eprxResources,
  eprxTieLines,
  eprxRequirements,
  imbalancePrice,
  areaSupply,
  powerUsage,
  reserveMargin,
  bpMeter,
  meterDays,
  greenButton,
  nem12,
  jmaHourly,
  metpv20,
  epw,
  tmy3,
  nsrdb,
  pvgis,
  smard,
  entsoe,
  elexon,
  genericTable,
];

/** Formats of rows: points of bid curves, awards, events and members. */
const RECORD_FORMATS: readonly FileFormat[] = [jepxBidCurves, eprxAwards, awardRecords, eventRecords, memberRecords];

/** Every format; `--detect` and errors list them in this order. */
export const FORMATS: readonly FileFormat[] = [...SERIES_FORMATS, ...RECORD_FORMATS];

export const FORMAT_IDS: readonly string[] = FORMATS.map(({ id }) => id);
export const SERIES_FORMAT_IDS: readonly string[] = SERIES_FORMATS.map(({ id }) => id);

export const formatById = (id: string): FileFormat | null => FORMATS.find((format) => format.id === id) ?? null;

/** Detects the format of a file: formats with a score above 0, the best first. */
export function detectFormats(
  name: string,
  text: string,
): readonly { readonly format: FileFormat; readonly score: number }[] {
  const sample: FileSample = { name, text, head: headOf(text) };
  return FORMATS.map((format) => ({ format, score: format.detect(sample) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

const HEAD_LINES = 40;
const HEAD_CHARACTERS = 40_000;

/** The first lines without width, blanks and quotes. */
const headOf = (text: string): string =>
  text
    .slice(0, HEAD_CHARACTERS)
    .split(/\r?\n/, HEAD_LINES)
    .map((line) => normaliseName(line).replaceAll('"', ""))
    .join("\n");
