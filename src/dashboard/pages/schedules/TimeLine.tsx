import type { ReactNode } from "react";
import { useTimes } from "../../app/preferences.tsx";
import { msOf } from "../../format/times.ts";
import { placeOf, type TimeBar, type TimeWindow, ticksOf, tracksOf } from "./timeLine.ts";

interface TimeLineRow {
  readonly name: string;
  readonly bars: readonly TimeBar[];
  /** Tracks that always have a place; further ones scroll inside the row, so that nothing below it moves. */
  readonly trackCount: number;
}

interface TimeLineProps {
  readonly label: string;
  readonly window: TimeWindow;
  readonly nowMs: number;
  readonly rows: readonly TimeLineRow[];
  /** Shown in place of rows where there are none. */
  readonly children?: ReactNode;
}

const TICKS_MAX = 9;
/** Height of a track. */
const TRACK_REM = 1.75;

/** Rows of bars over one axis. Bars that overlap stand under each other. */
export function TimeLine({ label, window, nowMs, rows, children }: TimeLineProps) {
  const times = useTimes();
  const offsetMs = msOf(`${times.local(1_000 * Math.floor(nowMs / 1_000))}Z`) - 1_000 * Math.floor(nowMs / 1_000);
  const ticks = ticksOf(window, TICKS_MAX, offsetMs);
  const now = placeOf({ startMs: nowMs, endMs: nowMs }, window);
  return (
    <figure className="time-line" aria-label={label}>
      {rows.map((row) => (
        <Row key={row.name} row={row} window={window} ticks={ticks} now={now?.left ?? null} />
      ))}
      {children}
      <div className="time-axis" aria-hidden="true">
        {ticks.map((atMs) => (
          <span key={atMs} style={{ left: `${placeOf({ startMs: atMs, endMs: atMs }, window)?.left ?? 0}%` }}>
            {times.time(atMs) === "00:00" ? times.shortDay(atMs) : times.time(atMs)}
          </span>
        ))}
        {now !== null && (
          <b style={{ left: `${now.left}%` }}>
            <span>{times.time(nowMs)}</span>
          </b>
        )}
      </div>
    </figure>
  );
}

interface RowProps {
  readonly row: TimeLineRow;
  readonly window: TimeWindow;
  readonly ticks: readonly number[];
  readonly now: number | null;
}

function Row({ row: { name, bars, trackCount }, window, ticks, now }: RowProps) {
  const tracks = tracksOf(
    bars.filter((bar) => placeOf(bar, window) !== null),
    trackCount,
  );
  const placed = tracks.flatMap((track, k) => track.map((bar) => ({ bar, track: k })));
  return (
    <div className="time-row">
      <span className="time-name">{name}</span>
      <ul
        className="time-tracks"
        aria-label={name}
        tabIndex={trackCount < tracks.length ? 0 : undefined}
        style={{ height: `${trackCount * TRACK_REM + 0.375}rem` }}
      >
        {ticks.map((atMs) => (
          <li
            key={atMs}
            className="time-tick"
            aria-hidden="true"
            style={{ left: `${placeOf({ startMs: atMs, endMs: atMs }, window)?.left ?? 0}%` }}
          />
        ))}
        {now !== null && <li className="time-now" aria-hidden="true" style={{ left: `${now}%` }} />}
        {placed.map(({ bar, track }) => (
          <Bar key={bar.id} bar={bar} track={track} window={window} />
        ))}
      </ul>
    </div>
  );
}

interface BarProps {
  readonly bar: TimeBar;
  readonly track: number;
  readonly window: TimeWindow;
}

/** Share of the width, in percent, from which on a label is to the left of its instant. */
const LABEL_LEFT_FROM = 85;

function Bar({ bar, track, window }: BarProps) {
  const place = placeOf(bar, window);
  if (place === null) return null;
  const { left, width } = place;
  const isEvent = bar.state === "event";
  const isAtEnd = LABEL_LEFT_FROM < left && isEvent;
  return (
    <li
      className="time-bar"
      data-state={bar.state}
      data-side={isAtEnd ? "left" : "right"}
      title={bar.title}
      style={{
        left: `${left}%`,
        width: isEvent ? undefined : `${width}%`,
        maxWidth: isEvent && !isAtEnd ? `min(9rem, ${width}%)` : undefined,
        top: `${track * TRACK_REM + 0.25}rem`,
      }}
    >
      <span aria-hidden="true">{bar.label}</span>
      <span className="visually-hidden">{bar.title}</span>
    </li>
  );
}
