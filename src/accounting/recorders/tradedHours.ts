import { Copyable } from "../../base/copyState.ts";
import type { Bins } from "./envelope.ts";

/** Energy of all sites at their connection points in each hour, and its value at the market price; all at least 0 where prices are. */
export interface TradedHours {
  readonly hours: Bins;
  readonly importKwh: Float64Array;
  readonly exportKwh: Float64Array;
  readonly importJpy: Float64Array;
  readonly exportJpy: Float64Array;
}

const COLUMNS = ["importKwh", "exportKwh", "importJpy", "exportJpy"] as const;

/** Amounts are added as whole millionths, so that their sum does not depend on the order of the sites. */
const PER_UNIT = 1e6;

/** Sums what the sites trade by hour of the readers' zone. */
export class TradedHoursSum extends Copyable {
  private readonly hours: Bins;
  private readonly sums: Readonly<Record<(typeof COLUMNS)[number], Float64Array>>;

  constructor(hours: Bins) {
    super();
    this.hours = hours;
    const column = () => new Float64Array(hours.count);
    this.sums = { importKwh: column(), exportKwh: column(), importJpy: column(), exportJpy: column() };
  }

  /** Adds the energy of a site in an interval within the hour of `atMs`. */
  add(atMs: number, importKwh: number, exportKwh: number, priceJpyPerKwh: number): void {
    const hour = Math.floor((atMs - this.hours.startMs) / this.hours.binMs);
    const { sums } = this;
    sums.importKwh[hour] += Math.round(PER_UNIT * importKwh);
    sums.exportKwh[hour] += Math.round(PER_UNIT * exportKwh);
    sums.importJpy[hour] += Math.round(PER_UNIT * importKwh * priceJpyPerKwh);
    sums.exportJpy[hour] += Math.round(PER_UNIT * exportKwh * priceJpyPerKwh);
  }

  finish(): TradedHours {
    const { hours, sums } = this;
    const [importKwh, exportKwh, importJpy, exportJpy] = COLUMNS.map((name) => sums[name].map((sum) => sum / PER_UNIT));
    return { hours, importKwh, exportKwh, importJpy, exportJpy };
  }
}

/** That of all parts of a world; `null` without a price. */
export function tradedOfParts(parts: readonly (TradedHours | null)[]): TradedHours | null {
  const [first, ...others] = parts;
  if (first === undefined || first === null) return null;
  const sum = (name: (typeof COLUMNS)[number]): Float64Array =>
    first[name].map((value, hour) => {
      const millionths = others.reduce(
        (total, part) => total + Math.round(PER_UNIT * (part?.[name][hour] ?? 0)),
        Math.round(PER_UNIT * value),
      );
      return millionths / PER_UNIT;
    });
  return {
    hours: first.hours,
    importKwh: sum("importKwh"),
    exportKwh: sum("exportKwh"),
    importJpy: sum("importJpy"),
    exportJpy: sum("exportJpy"),
  };
}
