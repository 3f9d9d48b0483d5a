import { exp } from "../../base/elementary.ts";
import type { RandomStream } from "./randomStreams.ts";

/**
 * A mean-reverting noise: mean 0, variance 1, correlation exp(-elapsed / timeConstantMs).
 *
 * Exact for any spacing (Ornstein-Uhlenbeck seen at whole steps), so 1 and 5 minutes have the same statistics.
 */
export function meanRevertingNoise(
  count: number,
  { stepMs, timeConstantMs }: { readonly stepMs: number; readonly timeConstantMs: number },
  random: RandomStream,
): Float64Array {
  const kept = exp(-stepMs / timeConstantMs);
  const fresh = Math.sqrt(1 - kept * kept);
  const noise = new Float64Array(count);
  let value = random.nextNormal();
  for (let k = 0; k < count; k++) {
    noise[k] = value;
    value = kept * value + fresh * random.nextNormal();
  }
  return noise;
}
