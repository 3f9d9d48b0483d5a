import type { FileContent, SeriesTable } from "../fileFormat.ts";
import { dayOf } from "../time/parseDate.ts";

/** Roles of weather columns as in the PV model, with their units and the possible values of a sensor. */
export const WEATHER = {
  ghi: { role: "ghi_w_m2", unit: "W/m2", minimum: -50, maximum: 2000 },
  dni: { role: "dni_w_m2", unit: "W/m2", minimum: -50, maximum: 2000 },
  dhi: { role: "dhi_w_m2", unit: "W/m2", minimum: -50, maximum: 2000 },
  temperature: { role: "temp_air_c", unit: "°C", minimum: -90, maximum: 70 },
  wind: { role: "wind_m_s", unit: "m/s", minimum: 0, maximum: 120 },
  humidity: { role: "humidity_pct", unit: "%", minimum: 0, maximum: 110 },
  sunshine: { role: "sunshine_h", unit: "h", minimum: 0, maximum: 24 },
  rain: { role: "rain_mm", unit: "mm", minimum: 0, maximum: 1000 },
} as const;

/** MJ/m² of an hour as mean W/m²: 10^6 / 3600. */
export const MJ_PER_HOUR = { exponent: 6, factor: 1, divisor: 3600 } as const;

/** A table with the location in its file; invalid coordinates count as none. */
export function locatedTable(table: SeriesTable | null, latitude: string, longitude: string): SeriesTable | null {
  const [latitudeDeg, longitudeDeg] = [latitude, longitude].map((text) => Number(text.trim() || Number.NaN));
  const isPlace = Math.abs(latitudeDeg) <= 90 && Math.abs(longitudeDeg) <= 180;
  return table === null || !isPlace ? table : { ...table, location: { latitudeDeg, longitudeDeg } };
}

/**
 * Lays out a typical year, whose months come from different years, in one year: that of the option, or of the first row
 * (docs/model/formats.md#typical-years).
 */
export class TypicalYear {
  private readonly chosen: number | undefined;
  private year: number | null = null;
  private readonly sources = new Set<number>();

  constructor({ options }: FileContent) {
    this.chosen = options.year;
  }

  /** Local midnight of a day in the year; `null` for a day that does not exist there. */
  dayOf(sourceYear: number, month: number, day: number): number | null {
    this.sources.add(sourceYear);
    this.year ??= this.chosen ?? sourceYear;
    return dayOf(this.year, month, day);
  }

  /** A note on the layout for the table; `null` if all rows belong to one year and stay there. */
  get note(): string | null {
    if (this.year === null || (this.sources.size === 1 && this.sources.has(this.year))) return null;
    return `rows of ${[...this.sources].sort((a, b) => a - b).join(", ")} are laid out in ${this.year}`;
  }
}
