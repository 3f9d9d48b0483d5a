import { Button, SegmentedControl } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useNowMs, useSession } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";

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

/** Windows of charts, in seconds; `null`: the whole run. */
export const WINDOWS = { "15m": 900, "1h": 3_600, "4h": 14_400, run: null } as const;
type WindowName = keyof typeof WINDOWS;
const WINDOW_NAMES = Object.keys(WINDOWS) as readonly WindowName[];

/** Share of a rolling window that lies before now. */
const PAST_SHARE = 0.75;

/** Period in epoch seconds. */
export interface Period {
  readonly fromS: number;
  readonly toS: number;
}

/** The period of a window about an instant, within the run where it fits. */
export function windowPeriod(name: WindowName, aboutS: number, run: Period): Period {
  const spanS = WINDOWS[name];
  if (spanS === null || run.toS - run.fromS <= spanS) return run;
  const fromS = Math.floor(aboutS - PAST_SHARE * spanS);
  const within = Math.min(Math.max(run.fromS, fromS), run.toS - spanS);
  return { fromS: within, toS: within + spanS };
}

/** `zoom=<from>-<to>` of the address, cut to the run; `null`: none, or a malformed one. */
export function parseZoom(text: string, run: Period): Period | null {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (from === undefined) return null;
  const fromS = Math.max(run.fromS, Number(from));
  const toS = Math.min(run.toS, Number(to));
  return toS - fromS < ZOOM_SECONDS_MIN ? null : { fromS, toS };
}

const ZOOM_SECONDS_MIN = 10;

/** A zoomed period for the address; as wide as the run: the window. */
function formatZoom([fromS, toS]: readonly [number, number]): string {
  return `${Math.max(0, fromS)}-${Math.max(0, toS)}`;
}

/** 15 minutes to the whole run, and back from a zoom. */
export function WindowChoice({ period }: { readonly period: ChartPeriod }) {
  const { t } = useTexts();
  return (
    <>
      {period.isZoomed && <Button onClick={() => period.setZoom(null)}>{t("chart.reset_zoom")}</Button>}
      <SegmentedControl
        aria-label={t("chart.window")}
        data={WINDOW_NAMES.map((name) => ({ value: name, label: t(`chart.window_${name}`) }))}
        value={period.window}
        onChange={period.setWindow}
      />
    </>
  );
}
