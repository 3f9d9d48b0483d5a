import { Box } from "@mantine/core";
import type { CSSProperties, ReactNode } from "react";
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

const NAME_WIDTH = "6.5rem";
const ROW = { gridTemplateColumns: `${NAME_WIDTH} minmax(0, 1fr)`, borderBottom: "1px solid var(--line)" };
const MARK = { position: "absolute", inset: "0 auto", borderLeft: "1px solid var(--line)" } as const;
const NOW = { borderLeft: "2px solid var(--ink)", zIndex: 2 };
const LABEL = {
  component: "span",
  className: "nowrap",
  pos: "absolute",
  style: { transform: "translateX(-50%)" },
} as const;

/** Rows of bars over one axis. Bars that overlap stand under each other. */
export function TimeLine({ label, window, nowMs, rows, children }: TimeLineProps) {
  const times = useTimes();
  const offsetMs = msOf(`${times.local(1_000 * Math.floor(nowMs / 1_000))}Z`) - 1_000 * Math.floor(nowMs / 1_000);
  const ticks = ticksOf(window, TICKS_MAX, offsetMs);
  const now = placeOf({ startMs: nowMs, endMs: nowMs }, window);
  return (
    <Box component="figure" pos="relative" aria-label={label}>
      {rows.map((row) => (
        <Row key={row.name} row={row} window={window} ticks={ticks} now={now?.left ?? null} />
      ))}
      {children}
      <Box className="time-axis" pos="relative" h="2.5rem" ml={NAME_WIDTH} c="dimmed" fz="xs" aria-hidden="true">
        {ticks.map((atMs) => (
          <Box key={atMs} {...LABEL} left={`${placeOf({ startMs: atMs, endMs: atMs }, window)?.left ?? 0}%`}>
            {times.time(atMs) === "00:00" ? times.shortDay(atMs) : times.time(atMs)}
          </Box>
        ))}
        {/* Under the marks of the axis, so that it hides none. */}
        {now !== null && (
          <Box
            {...LABEL}
            left={`${now.left}%`}
            top="1.25rem"
            px="xs"
            fw={700}
            bdrs="sm"
            bg="var(--ink)"
            c="var(--surface)"
          >
            {times.time(nowMs)}
          </Box>
        )}
      </Box>
    </Box>
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
    <Box display="grid" style={ROW}>
      <Box component="span" pr="sm" c="dimmed" style={{ alignSelf: "center" }}>
        {name}
      </Box>
      <Box
        component="ul"
        className="time-tracks"
        pos="relative"
        h={`${trackCount * TRACK_REM + 0.375}rem`}
        style={{ overflow: "hidden auto" }}
        aria-label={name}
        tabIndex={trackCount < tracks.length ? 0 : undefined}
      >
        {ticks.map((atMs) => (
          <li
            key={atMs}
            aria-hidden="true"
            style={{ ...MARK, left: `${placeOf({ startMs: atMs, endMs: atMs }, window)?.left ?? 0}%` }}
          />
        ))}
        {now !== null && <li aria-hidden="true" style={{ ...MARK, ...NOW, left: `${now}%` }} />}
        {placed.map(({ bar, track }) => (
          <Bar key={bar.id} bar={bar} track={track} window={window} />
        ))}
      </Box>
    </Box>
  );
}

interface BarProps {
  readonly bar: TimeBar;
  readonly track: number;
  readonly window: TimeWindow;
}

/** Share of the width, in percent, from which on a label is to the left of its instant. */
const LABEL_LEFT_FROM = 85;

const BAR: CSSProperties = {
  position: "absolute",
  height: "1.5rem",
  padding: "0 0.375rem",
  border: "1px solid var(--line-strong)",
  borderRadius: 3,
  background: "var(--raised)",
  fontSize: "0.75rem",
  lineHeight: "1.375rem",
};
const DASHED: CSSProperties = {
  border: "2px dashed var(--line-strong)",
  lineHeight: "1.25rem",
  background: "var(--tint)",
};
const STATES: Readonly<Partial<Record<TimeBar["state"], CSSProperties>>> = {
  running: { border: "2px solid var(--ink)", lineHeight: "1.25rem", fontWeight: 600 },
  completed: { background: "var(--tint)", color: "var(--muted)" },
  planned: DASHED,
  // Alone in its track: its label may stand beside it.
  draft: { ...DASHED, overflow: "visible" },
  event: {
    padding: "0 0 0 0.375rem",
    borderWidth: "0 0 0 3px",
    borderColor: "var(--ink)",
    borderRadius: 0,
    background: "none",
    maxWidth: "9rem",
  },
};
const LABEL_LEFT: CSSProperties = {
  padding: "0 0.375rem 0 0",
  borderWidth: "0 3px 0 0",
  transform: "translateX(-100%)",
};

function Bar({ bar, track, window }: BarProps) {
  const place = placeOf(bar, window);
  if (place === null) return null;
  const { left, width } = place;
  const isEvent = bar.state === "event";
  const isAtEnd = LABEL_LEFT_FROM < left && isEvent;
  return (
    <li
      className="time-bar truncate"
      title={bar.title}
      style={{
        ...BAR,
        ...STATES[bar.state],
        ...(isAtEnd ? LABEL_LEFT : {}),
        left: `${left}%`,
        width: isEvent ? undefined : `${width}%`,
        ...(isEvent && !isAtEnd ? { maxWidth: `min(9rem, ${width}%)` } : {}),
        top: `${track * TRACK_REM + 0.25}rem`,
      }}
    >
      <span aria-hidden="true">{bar.label}</span>
      <span className="visually-hidden">{bar.title}</span>
    </li>
  );
}
