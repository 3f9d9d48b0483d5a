import { medianSpacingMs } from "../../series/model/alignStamps.ts";
import { Series } from "../../series/model/series.ts";
import type { StampLabel } from "../../series/model/seriesOptions.ts";
import { type PvEquipment, type PvSystem, pvFromPlane, pvModelChain } from "./pvModelChain.ts";
import { type Intervals, sunOverIntervals } from "./sunOverIntervals.ts";

/** Prepared series of one weather record; `null` where the record has no such column. */
export interface WeatherSeries {
  readonly ghiWm2: Series;
  readonly dniWm2: Series | null;
  readonly dhiWm2: Series | null;
  readonly airTemperatureC: Series | null;
  readonly windSpeedMPerS: Series | null;
}

/** Available power and irradiance on the plane, at the timestamps of the global irradiance. */
export interface PvSeries {
  /** AC kW, 0 to the rated output. */
  readonly generationKw: Series;
  readonly irradianceWm2: Series;
}

/**
 * Generation of a PV array from a weather record.
 *
 * The other columns may have other timestamps, as they do where cells are empty. They are sampled in the middle
 * of each interval; their first and last values extend outwards.
 *
 * @param label  as declared for the record; `buildSeries` has already shifted the timestamps accordingly
 * @param name  name of the generation, for messages
 */
export function pvFromWeather(weather: WeatherSeries, label: StampLabel, array: PvSystem, name: string): PvSeries {
  const { ghiWm2 } = weather;
  const intervals = intervalsOf(ghiWm2, label);
  const read = (series: Series | null): Float64Array | null =>
    series === null ? null : intervals.middlesMs.map((atMs) => clampedValue(series, atMs));
  const { acKw, poaWm2 } = pvModelChain(
    sunOverIntervals(intervals, array),
    {
      ghiWm2: ghiWm2.values,
      dniWm2: read(weather.dniWm2),
      dhiWm2: read(weather.dhiWm2),
      airTemperatureC: read(weather.airTemperatureC),
      windSpeedMPerS: read(weather.windSpeedMPerS),
    },
    array,
  );
  const { timesMs, interpolation, untilMs } = ghiWm2;
  return {
    generationKw: new Series(name, timesMs, acKw, interpolation, untilMs),
    irradianceWm2: new Series(`${name} irradiance`, timesMs, poaWm2, interpolation, untilMs),
  };
}

/** Prepared series of irradiance measured in the plane of the modules. */
interface PlaneSeries extends Pick<WeatherSeries, "airTemperatureC" | "windSpeedMPerS"> {
  readonly poaWm2: Series;
}

/**
 * Generation of a PV array from irradiance in its plane, at the timestamps of the irradiance. All of it reaches the cells: the
 * share of the beam, whose angle the glass depends on, is not known.
 */
export function pvFromIrradiance(measured: PlaneSeries, label: StampLabel, array: PvEquipment, name: string): PvSeries {
  const { poaWm2: plane } = measured;
  const { middlesMs } = intervalsOf(plane, label);
  const read = (series: Series | null): Float64Array | null =>
    series === null ? null : middlesMs.map((atMs) => clampedValue(series, atMs));
  const poaWm2 = plane.values.map((wm2) => Math.max(0, wm2));
  const weather = { airTemperatureC: read(measured.airTemperatureC), windSpeedMPerS: read(measured.windSpeedMPerS) };
  const { acKw } = pvFromPlane(poaWm2, poaWm2, weather, array);
  const { timesMs, interpolation, untilMs } = plane;
  return {
    generationKw: new Series(name, timesMs, acKw, interpolation, untilMs),
    irradianceWm2: new Series(`${name} irradiance`, timesMs, poaWm2, interpolation, untilMs),
  };
}

/**
 * Interval that each sample stands for (docs/model/pv.md#sun-instant).
 *
 * A prepared timestamp is the middle of one median spacing. Only with `step` interpolation of means it is the start of the
 * interval, which lasts until the next timestamp; at a gap and at the end it has the median spacing.
 */
export function intervalsOf({ timesMs, interpolation, isFirstRepeated }: Series, label: StampLabel): Intervals {
  const spacingMs = medianSpacingMs(isFirstRepeated ? timesMs.subarray(1) : timesMs);
  if (interpolation === "linear" || label === "instant") {
    const middlesMs = isFirstRepeated ? timesMs.map((atMs, k) => (k === 0 ? timesMs[1] : atMs)) : timesMs;
    return { middlesMs, lengthsMs: new Float64Array(timesMs.length).fill(spacingMs) };
  }
  const lengthsMs = timesMs.map((atMs, k) => {
    const lengthMs = k + 1 < timesMs.length ? timesMs[k + 1] - atMs : spacingMs;
    return lengthMs < 2 * spacingMs ? lengthMs : spacingMs;
  });
  return { middlesMs: timesMs.map((atMs, k) => atMs + lengthsMs[k] / 2), lengthsMs };
}

function clampedValue(series: Series, atMs: number): number {
  return series.valueAt(Math.max(series.startMs, Math.min(series.untilMs, atMs)));
}
