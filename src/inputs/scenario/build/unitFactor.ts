import type { SeriesUnit } from "../../../engine/series/model/seriesOptions.ts";
import { conversionOf, isUnclearUnit, printedUnitOf } from "../../formats/generic/units.ts";

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
  if (needed === "kW") {
    const conversion = conversionOf(unit);
    if (conversion === null ? isUnclearUnit(unit) : conversion.isEnergy) return { unit, factor: null };
    if (conversion?.unit === "kW") return { unit, factor: 10 ** conversion.scale.exponent };
  }
  return { unit, factor: 1 };
}
