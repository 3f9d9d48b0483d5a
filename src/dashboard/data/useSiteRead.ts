import { useRef } from "react";
import { useNowMs, useResource } from "./hooks.ts";
import type { Resource } from "./reads.ts";

/** Simulated ms between two reads: the site API counts reads of a simulated hour, and others use it too. */
const SIMULATED_PERIOD_MS = 30_000;
const REAL_PERIOD_MS = 2_000;

/** A read of the site API that repeats as the simulated time goes on, and not more often than its rate limit bears. */
export function useSiteRead<T>(key: string, load: () => Promise<T>): Resource<T> {
  const nowMs = useNowMs();
  const last = useRef<{ readonly key: string; readonly atMs: number; readonly value: T } | null>(null);
  return useResource(
    key,
    async () => {
      const known = last.current;
      if (known?.key === key && Math.abs(nowMs - known.atMs) < SIMULATED_PERIOD_MS) return known.value;
      const value = await load();
      last.current = { key, atMs: nowMs, value };
      return value;
    },
    REAL_PERIOD_MS,
  );
}
