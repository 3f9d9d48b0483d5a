import { floorToHalfHour, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../../base/time.ts";
import { longestStayMs, undisturbedKwh } from "../../../device/evChargers/undisturbedPlan.ts";
import { Series } from "../../../series/model/series.ts";
import type { EvChargersModel } from "./evChargersModel.ts";

/** Mean power of the undisturbed plan in each half hour from the start of the run on. @see docs/model/ev-chargers.md#baseline */
export function naturalPlanKw(spec: EvChargersModel): Series {
  const { sessions, startMs, endMs } = spec;
  const fromMs = floorToHalfHour(startMs);
  const lastMs = sessions.reduce((latest, { departureMs }) => Math.max(latest, departureMs), endMs);
  // One half hour more, at 0 kW, which holds from then on.
  const count = Math.ceil((lastMs - fromMs) / MS_PER_HALF_HOUR) + 1;
  const timesMs = new Float64Array(count);
  const kw = new Float64Array(count);
  const longestMs = longestStayMs(sessions);
  for (let k = 0; k < count; k++) {
    timesMs[k] = fromMs + k * MS_PER_HALF_HOUR;
    const kwh = undisturbedKwh(spec, longestMs, timesMs[k], timesMs[k] + MS_PER_HALF_HOUR);
    kw[k] = (kwh * MS_PER_HOUR) / MS_PER_HALF_HOUR;
  }
  return new Series(`${spec.componentId}.natural`, timesMs, kw, "step", Number.POSITIVE_INFINITY);
}
