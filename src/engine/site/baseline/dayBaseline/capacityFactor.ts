import { meanOf } from "../../../../base/lists.ts";
import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../../../base/time.ts";
import { clearSky } from "../../../device/pv/clearSky.ts";
import { extraterrestrialWm2 } from "../../../device/pv/extraterrestrial.ts";
import { type GeoLocation, solarPosition } from "../../../device/pv/solarPosition.ts";
import { Series } from "../../../series/model/series.ts";
import type { DayCalendar } from "./dayCalendar.ts";

/** A temperate climate; the shape of a day depends on it only slightly. */
const LINKE_TURBIDITY = 3;

/**
 * A PV plant's baseline in every UTC half hour of the run, kW, export negative.
 *
 * The energy of each market day is `pct` of rated output times the length of the day. It is divided among the slots in
 * proportion to the clear-sky global horizontal irradiance in the middle of each slot; no slot exceeds the rated output. A day
 * without sun has 0 kW.
 *
 * @param pct capacity factor, 0..100
 */
export function capacityFactorPlan(
  { pct, ratedOutputKw, place }: { readonly pct: number; readonly ratedOutputKw: number; readonly place: GeoLocation },
  { calendar, startMs, endMs }: { readonly calendar: DayCalendar; readonly startMs: EpochMs; readonly endMs: EpochMs },
): Series {
  const firstMs = floorToHalfHour(startMs);
  const count = Math.ceil((endMs - firstMs) / MS_PER_HALF_HOUR);
  const timesMs = Float64Array.from({ length: count }, (_, k) => firstMs + k * MS_PER_HALF_HOUR);
  const values = new Float64Array(count);
  for (let k = 0; k < count; ) {
    const day = calendar.days[calendar.dayIndexAt(timesMs[k])];
    const { slotMs, clearSkyWm2 } = clearSkyOf(day, place);
    const meanWm2 = meanOf(clearSkyWm2);
    for (; k < count && timesMs[k] < day.endMs; k++) {
      const irradianceWm2 = clearSkyWm2[(timesMs[k] - slotMs) / MS_PER_HALF_HOUR];
      if (irradianceWm2 > 0)
        values[k] = 0 - Math.min(ratedOutputKw, ((pct / 100) * ratedOutputKw * irradianceWm2) / meanWm2);
    }
  }
  return new Series("baseline", timesMs, values, "step", firstMs + count * MS_PER_HALF_HOUR);
}

/** Clear-sky irradiance on the ground, one value per slot that starts in the day; `slotMs` is the first. */
function clearSkyOf({ startMs, endMs }: { startMs: EpochMs; endMs: EpochMs }, place: GeoLocation) {
  const slotMs = Math.ceil(startMs / MS_PER_HALF_HOUR) * MS_PER_HALF_HOUR;
  const count = Math.ceil((endMs - slotMs) / MS_PER_HALF_HOUR);
  const middlesMs = Float64Array.from({ length: count }, (_, k) => slotMs + (k + 0.5) * MS_PER_HALF_HOUR);
  const sun = solarPosition(middlesMs, place);
  const sky = { altitudeM: place.altitudeM, linkeTurbidity: LINKE_TURBIDITY };
  const { ghiWm2 } = clearSky(middlesMs, sun.apparentZenithDeg, extraterrestrialWm2(sun.distanceAu), sky);
  return { slotMs, clearSkyWm2: ghiWm2 };
}
