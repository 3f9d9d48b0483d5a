/** Whole milliseconds since 1970-01-01T00:00:00Z; a real number only for solved instants inside integrals. */
export type EpochMs = number;

export const MS_PER_SECOND = 1_000;
export const MS_PER_MINUTE = 60_000;
export const MS_PER_HALF_HOUR = 1_800_000;
export const MS_PER_HOUR = 3_600_000;
export const MS_PER_DAY = 86_400_000;

/** The first whole UTC minute at or after an instant. */
export const ceilToMinute = (atMs: EpochMs): EpochMs => Math.ceil(atMs / MS_PER_MINUTE) * MS_PER_MINUTE;

/** The start of the UTC half hour that contains an instant. */
export const floorToHalfHour = (atMs: EpochMs): EpochMs => Math.floor(atMs / MS_PER_HALF_HOUR) * MS_PER_HALF_HOUR;

/** ISO 8601 UTC text ending in Z; milliseconds only when they are not 0. */
export function isoUtc(atMs: EpochMs): string {
  const text = new Date(atMs).toISOString();
  return text.endsWith(".000Z") ? `${text.slice(0, -5)}Z` : text;
}

/** ISO 8601 duration in seconds, such as `PT90S`. */
export const isoDuration = (durationMs: number): string => `PT${durationMs / 1000}S`;
