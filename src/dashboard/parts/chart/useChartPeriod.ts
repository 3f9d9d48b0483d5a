import { useQueryState } from "../../app/route.ts";
import { useNowMs, useSession } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { formatZoom, type Period, parseZoom, WINDOW_NAMES, type WindowName, windowPeriod } from "./chartWindow.ts";

export interface ChartPeriod extends Period {
  readonly nowS: number;
  readonly window: WindowName;
  readonly isZoomed: boolean;
  /** The moment to read, of a link from an event; `null`: none. */
  readonly readAtS: number | null;
  readonly setWindow: (name: string) => void;
  readonly setZoom: (period: readonly [number, number] | null) => void;
}

/** What the charts of a page show: a rolling window, a zoomed period, or the surroundings of a moment. */
export function useChartPeriod(): ChartPeriod {
  const { starts_at, ends_at } = useSession().scenario;
  const run = { fromS: msOf(starts_at) / 1_000, toS: msOf(ends_at) / 1_000 };
  const nowS = Math.floor(useNowMs() / 1_000);
  const [windowText, setWindow] = useQueryState("window", "1h");
  const [zoomText, setZoom] = useQueryState("zoom", "");
  const [atText, setAt] = useQueryState("at", "");
  const window = WINDOW_NAMES.find((name) => name === windowText) ?? "1h";
  const zoom = parseZoom(zoomText, run);
  const atS = Number.isNaN(Date.parse(atText)) ? null : Date.parse(atText) / 1_000;
  const period = zoom ?? windowPeriod(window, atS ?? nowS, run);
  return {
    ...period,
    nowS,
    window,
    isZoomed: zoom !== null || atS !== null,
    readAtS: atS,
    setWindow: (name) => {
      setWindow(name);
      setZoom(null);
      setAt(null);
    },
    setZoom: (chosen) => {
      setZoom(chosen === null ? null : formatZoom(chosen));
      if (chosen === null) setAt(null);
    },
  };
}
