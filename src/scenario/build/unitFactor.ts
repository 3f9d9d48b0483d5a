import { isUnclearUnit, printedUnitOf } from "../../formats/generic/units.ts";
import type { SeriesUnit } from "../../series/model/seriesOptions.ts";

/** Powers in kW by their unit. */
const KW_BY_UNIT: Readonly<Record<string, number>> = {
  w: 1e-3,
  kw: 1,
  千kw: 1e3,
  万kw: 1e4,
  百万kw: 1e6,
  億kw: 1e8,
  mw: 1e3,
  gw: 1e6,
};
const ENERGY = /^[千百万億]*[kmg]?wh$/i;

interface UnitFactor {
  /** Unit of the column; empty: unknown. */
  readonly unit: string;
  /** `null`: the unit has no factor, because it is an energy, or a multiple in words, in the place of a power. */
  readonly factor: number | null;
}

/**
 * The factor between the unit of a column and the one that its use needs: 0.001 for a price per MWh in the place of one per kWh.
 *
 * @param stated by the reader of its file; `null`: by the name of the column
 */
export function unitFactor(column: string, stated: string | null, needed: SeriesUnit | undefined): UnitFactor {
  const unit = stated ?? printedUnitOf(column) ?? "";
  if (needed === "per kWh") return { unit, factor: /\/MWh$/i.test(unit) ? 1e-3 : 1 };
  if (needed === "kW")
    return { unit, factor: ENERGY.test(unit) || isUnclearUnit(unit) ? null : (KW_BY_UNIT[unit.toLowerCase()] ?? 1) };
  return { unit, factor: 1 };
}
