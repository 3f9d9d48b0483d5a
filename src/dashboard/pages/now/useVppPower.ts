import { useEffect } from "react";
import type { VppPower } from "../../../api/client/sandboxTypes.ts";
import { useKept, useNowMs, useResource, useStation } from "../../data/hooks.ts";
import type { Resource } from "../../data/reads.ts";
import { isoOf } from "../../format/times.ts";
import type { ChartPeriod } from "../../parts/chart/WindowChoice.tsx";

const POINTS_MAX = 600;
/** A long window changes slowly, and takes the server longer. */
const PERIOD_MS = { "15m": 1_000, "1h": 1_000, "4h": 2_000, run: 5_000 } as const;

/** Power of a VPP in the period of a chart. Panels that show the same share its requests. */
export function useVppPower(vpp: string, { fromS, toS, window, isZoomed }: ChartPeriod): Resource<VppPower> {
  const { calls, reads } = useStation();
  const nowMs = useNowMs();
  const key = `power ${vpp} ${isZoomed ? `${fromS}-${toS}` : window}`;
  const load = () =>
    calls.get<VppPower>(
      `/sandbox/vpps/${encodeURIComponent(vpp)}/power?from=${isoOf(1_000 * fromS)}&to=${isoOf(1_000 * toS)}&max_points=${POINTS_MAX}`,
    );
  const periodMs = PERIOD_MS[window];
  // Read when the clock is: at a high speed, values of another moment end minutes away from the instant that is shown.
  const isWithClock = periodMs <= 1_000;
  const power = useResource(key, load, isWithClock ? UNCLOCKED_PERIOD_MS : periodMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reading of the clock reads the power
  useEffect(() => {
    if (isWithClock) reads.refreshWithClock(key);
  }, [reads, key, isWithClock, nowMs]);
  return useKept(power);
}

/** While the clock stands, others may change what is promised. */
const UNCLOCKED_PERIOD_MS = 5_000;
