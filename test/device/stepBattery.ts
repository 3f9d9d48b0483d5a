import type { BatterySpec, TaperPoint } from "../../src/engine/device/battery/batterySpec.ts";
import type { DevicePlanInput } from "../../src/engine/device/curve/devicePlanInput.ts";

/**
 * The battery of docs/model/battery.md in small steps, as simply as it can be written: the ramp moves the power, rating, taper
 * and limits cut it, the window cuts it once more, and a step's energy is added.
 *
 * @param visit  receives the power of each step and the stored energy at its start
 */
export function stepBattery(
  spec: BatterySpec,
  motion: DevicePlanInput,
  { stepS, steps }: { stepS: number; steps: number },
  visit: (step: number, kw: number, storedKwh: number) => void,
): void {
  const hours = stepS / 3600;
  const rampKw = (spec.rampKwPerS ?? Number.POSITIVE_INFINITY) * stepS;
  const maxKwh = (spec.socOpMaxPct / 100) * spec.ratedCapKwh;
  const minKwh = (spec.socOpMinPct / 100) * spec.ratedCapKwh;
  let storedKwh = motion.storedKwh;
  let kw = motion.inService ? motion.flowingKw : 0;
  for (let step = 0; step < steps; step++) {
    const lost = (spec.selfDischargePctPerDay / 100 / 24) * hours;
    const lostKwh = lost * (1 - lost / 2) * storedKwh;
    const soc = (100 * storedKwh) / spec.ratedCapKwh;
    const roomKw = Math.max(0, (maxKwh - storedKwh + lostKwh) / spec.chargeEfficiency / hours);
    const restKw = Math.max(0, ((storedKwh - minKwh - lostKwh) * spec.dischargeEfficiency) / hours);
    const fraction = taperAt(spec.powerTaper, soc);
    const mostKw = Math.min(spec.importMaxKw * fraction.importFraction, motion.importLimitKw, roomKw);
    const leastKw = -Math.min(spec.exportMaxKw * fraction.exportFraction, motion.exportLimitKw, restKw);
    const targetKwAt = (at: number) => motion.targetKw + motion.targetSlopeKwPerMs * 1000 * stepS * at;
    const moved = (from: number, wanted: number, by: number) =>
      clamp(from + clamp(wanted - from, -by, by), leastKw, mostKw);
    kw = motion.inService
      ? moved(clamp(kw, leastKw, mostKw), targetKwAt(step), step === 0 && rampKw < 1e9 ? 0 : rampKw)
      : 0;
    visit(step, kw, storedKwh);
    const nextKw = motion.inService ? moved(kw, targetKwAt(step + 1), rampKw) : 0;
    const meanKw = (kw + nextKw) / 2;
    storedKwh += hours * (0 < meanKw ? meanKw * spec.chargeEfficiency : meanKw / spec.dischargeEfficiency) - lostKwh;
  }
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

function taperAt(taper: readonly TaperPoint[] | null, socPct: number): Omit<TaperPoint, "socPct"> {
  if (taper === null) return { importFraction: 1, exportFraction: 1 };
  const above = taper.findIndex((point) => socPct < point.socPct);
  if (above === 0) return taper[0];
  if (above < 0) return taper[taper.length - 1];
  const [low, high] = [taper[above - 1], taper[above]];
  const share = (socPct - low.socPct) / (high.socPct - low.socPct);
  return {
    importFraction: low.importFraction + share * (high.importFraction - low.importFraction),
    exportFraction: low.exportFraction + share * (high.exportFraction - low.exportFraction),
  };
}
