import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import { clearSky } from "../../../device/pv/clearSky.ts";
import { extraterrestrialWm2 } from "../../../device/pv/extraterrestrial.ts";
import { type GeoLocation, solarPosition } from "../../../device/pv/solarPosition.ts";
import { Series } from "../../../series/model/series.ts";
import type { DayCalendar } from "./dayCalendar.ts";

/** A temperate sky; the shape of a day hardly depends on it. */
const LINKE_TURBIDITY = 3;

/**
 * A PV plant's baseline in every UTC half hour of the run, kW, export negative.
 *
 * Each market day has `pct` of what the rated output would give in its length, spread over the slots in proportion to
 * the light of a cloudless sky on the ground in the middle of each; no slot goes beyond the rated output. A day without
 * sun has nothing.
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
    const { slotMs, lightWm2 } = lightOf(day, place);
    const meanWm2 = lightWm2.reduce((sum, light) => sum + light, 0) / lightWm2.length;
    for (; k < count && timesMs[k] < day.endMs; k++) {
      const light = lightWm2[(timesMs[k] - slotMs) / MS_PER_HALF_HOUR];
      if (light > 0) values[k] = 0 - Math.min(ratedOutputKw, ((pct / 100) * ratedOutputKw * light) / meanWm2);
    }
  }
  return new Series("baseline", timesMs, values, "step", firstMs + count * MS_PER_HALF_HOUR);
}

/** Clear-sky irradiance on the ground, one value per slot that starts in the day; `slotMs` is the first. */
function lightOf({ startMs, endMs }: { startMs: EpochMs; endMs: EpochMs }, place: GeoLocation) {
  const slotMs = Math.ceil(startMs / MS_PER_HALF_HOUR) * MS_PER_HALF_HOUR;
  const count = Math.ceil((endMs - slotMs) / MS_PER_HALF_HOUR);
  const middlesMs = Float64Array.from({ length: count }, (_, k) => slotMs + (k + 0.5) * MS_PER_HALF_HOUR);
  const sun = solarPosition(middlesMs, place);
  const sky = { altitudeM: place.altitudeM, linkeTurbidity: LINKE_TURBIDITY };
  const { ghiWm2 } = clearSky(middlesMs, sun.apparentZenithDeg, extraterrestrialWm2(sun.distanceAu), sky);
  return { slotMs, lightWm2: ghiWm2 };
}
