import type { SeriesTable } from "../fileFormat.ts";

/** A table with the location in its file; invalid coordinates count as none. */
export function locatedTable(table: SeriesTable | null, latitude: string, longitude: string): SeriesTable | null {
  const [latitudeDeg, longitudeDeg] = [latitude, longitude].map((text) => Number(text.trim() || Number.NaN));
  const isPlace = Math.abs(latitudeDeg) <= 90 && Math.abs(longitudeDeg) <= 180;
  return table === null || !isPlace ? table : { ...table, location: { latitudeDeg, longitudeDeg } };
}
