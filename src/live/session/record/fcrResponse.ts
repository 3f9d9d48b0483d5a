import type { PastSite } from "../../../accounting/history/pastSite.ts";
import type { RunHistory } from "../../../accounting/history/runHistory.ts";
import type { EpochMs } from "../../../base/time.ts";
import { newSegment, segmentKwAt } from "../../../engine/site/components/segment.ts";

const responseOf = ({ site }: PastSite, segment: ReturnType<typeof newSegment>, atMs: EpochMs): number => {
  if (!site.activeOrders.some(({ fcrCapacityKw }) => fcrCapacityKw > 0)) return 0;
  site.segmentWithoutFcrAt(atMs, segment);
  return site.kwAt(atMs) - segmentKwAt(segment, atMs);
};

/**
 * The frequency response of sites at instants of the past: their power less what it would be without the response, in kW, import
 * positive. Values of earlier reads are kept.
 */
export class FcrResponse {
  private readonly history: RunHistory;
  /** By the sites' indices, then by instant. */
  private readonly known = new Map<string, Map<EpochMs, number>>();
  private readonly segment = newSegment();

  constructor(history: RunHistory) {
    this.history = history;
  }

  /** @param timesMs  rising, before now */
  at(sites: readonly number[], timesMs: readonly EpochMs[]): readonly number[] {
    const key = sites.join(" ");
    const known = this.known.get(key) ?? new Map<EpochMs, number>();
    const missing = timesMs.filter((atMs) => !known.has(atMs));
    const found = new Float64Array(missing.length);
    for (const site of missing.length === 0 ? [] : sites) {
      const past = this.history.pastSite(site);
      missing.forEach((atMs, k) => {
        if (past.seek(atMs)) found[k] += responseOf(past, this.segment, atMs);
      });
    }
    const values = new Map(missing.map((atMs, k) => [atMs, found[k]]));
    const kw = timesMs.map((atMs) => known.get(atMs) ?? values.get(atMs) ?? 0);
    this.known.set(key, new Map(timesMs.map((atMs, k) => [atMs, kw[k]])));
    return kw;
  }
}
