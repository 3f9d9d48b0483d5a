import { exportFraction, importFraction } from "../battery/batteryCapability.ts";
import type { BatterySpec, TaperPoint } from "../battery/batterySpec.ts";

/** A stored energy within this distance of a corner counts as on it. */
const CORNER_KWH = 1e-9;

/**
 * One linear piece of a battery's power limit over its stored energy E: `interceptKw + slopeKwPerKwh·E` for
 * `lowKwh <= E <= highKwh`. The limit is min(rating × taper, external limit), at least 0, for one direction of power.
 */
export interface PowerCap {
  interceptKw: number;
  slopeKwPerKwh: number;
  lowKwh: number;
  highKwh: number;
}

/**
 * Finds the piece that applies at a stored energy.
 *
 * @param towards  sign of the change of the stored energy. On a corner, > 0 selects the piece above and < 0 the piece
 *   below, both within `CORNER_KWH`; 0 compares exactly, for the value alone
 * @param out  filled in place, to avoid an allocation at every change of target
 */
export function findPowerCap(
  spec: BatterySpec,
  charging: boolean,
  limitKw: number,
  storedKwh: number,
  towards: number,
  out: PowerCap,
): void {
  const ratingKw = charging ? spec.importMaxKw : spec.exportMaxKw;
  const taper = spec.powerTaper;
  out.interceptKw = Math.min(ratingKw, limitKw);
  out.slopeKwPerKwh = 0;
  out.lowKwh = Number.NEGATIVE_INFINITY;
  out.highKwh = Number.POSITIVE_INFINITY;
  if (taper === null || taper.length === 0) return;
  const fractionOf = charging ? importFraction : exportFraction;
  const kwhPerPct = spec.ratedCapKwh / 100;
  let next = 0;
  while (next < taper.length && isPast(taper[next].socPct * kwhPerPct, storedKwh, towards)) next++;
  if (0 < next) out.lowKwh = taper[next - 1].socPct * kwhPerPct;
  if (next < taper.length) out.highKwh = taper[next].socPct * kwhPerPct;
  if (next === 0 || next === taper.length) {
    const end = taper[next === 0 ? 0 : next - 1];
    out.interceptKw = Math.min(ratingKw * fractionOf(end), limitKw);
    return;
  }
  setSlopedPiece(out, taper[next - 1], taper[next], ratingKw, fractionOf);
  limitCap(out, limitKw, storedKwh, towards);
}

function isPast(cornerKwh: number, storedKwh: number, towards: number): boolean {
  if (towards === 0) return cornerKwh <= storedKwh;
  return 0 < towards ? cornerKwh <= storedKwh + CORNER_KWH : cornerKwh < storedKwh - CORNER_KWH;
}

function setSlopedPiece(
  out: PowerCap,
  low: TaperPoint,
  high: TaperPoint,
  ratingKw: number,
  fractionOf: (point: TaperPoint) => number,
): void {
  out.slopeKwPerKwh = (ratingKw * (fractionOf(high) - fractionOf(low))) / (out.highKwh - out.lowKwh);
  out.interceptKw = ratingKw * fractionOf(low) - out.slopeKwPerKwh * out.lowKwh;
}

/** Where the sloping piece exceeds the external limit, the limit applies: one more corner at their crossing. */
function limitCap(out: PowerCap, limitKw: number, storedKwh: number, towards: number): void {
  const { interceptKw, slopeKwPerKwh } = out;
  if (limitKw === Number.POSITIVE_INFINITY) return;
  if (slopeKwPerKwh === 0) {
    out.interceptKw = Math.min(interceptKw, limitKw);
    return;
  }
  const cornerKwh = (limitKw - interceptKw) / slopeKwPerKwh;
  const above = isPast(cornerKwh, storedKwh, towards);
  if (above) out.lowKwh = Math.max(out.lowKwh, cornerKwh);
  else out.highKwh = Math.min(out.highKwh, cornerKwh);
  if (above === 0 < slopeKwPerKwh) {
    out.interceptKw = limitKw;
    out.slopeKwPerKwh = 0;
  }
}
