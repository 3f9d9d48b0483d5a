/** Windows of charts, in seconds; `null`: the whole run. */
export const WINDOWS = { "15m": 900, "1h": 3_600, "4h": 14_400, run: null } as const;
export type WindowName = keyof typeof WINDOWS;
export const WINDOW_NAMES = Object.keys(WINDOWS) as readonly WindowName[];

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
export function formatZoom([fromS, toS]: readonly [number, number]): string {
  return `${Math.max(0, fromS)}-${Math.max(0, toS)}`;
}
