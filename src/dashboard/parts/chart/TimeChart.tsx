import { Box, Group, Table } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import uPlot from "uplot";
import { type Texts, useTexts, useTimes } from "../../app/preferences.tsx";
import type { TimeFormats } from "../../format/times.ts";
import { type ChartHandlers, chartData, chartOptions } from "./chartOptions.ts";
import { type ChartLine, type ChartSpec, lastIndexAt } from "./chartSpec.ts";
import { chartPx, formatIn, headPx, valueText } from "./paintChart.ts";

interface TimeChartProps {
  readonly spec: ChartSpec;
  /** Accessible name: what the chart shows. */
  readonly label: string;
  /** Height of the plot under one row of blocks, in CSS pixels. */
  readonly heightPx: number;
  /** Shown theme: a change draws the chart anew. */
  readonly scheme: string;
  /** An instant to read at first; `null`: none. */
  readonly readAtS: number | null;
  /** A person chose a period; `null`: the window as it rolls. */
  readonly onZoom: (period: readonly [number, number] | null) => void;
  /** The legend, under the plot. */
  readonly children: ReactNode;
}

/** Share of the period that one press of an arrow key moves. */
const STEPS = 200;

/** A time chart on a canvas with zoom, reading line, and a table of its values. */
export function TimeChart({ spec, label, heightPx, scheme, readAtS, onZoom, children }: TimeChartProps) {
  const { t } = useTexts();
  const times = useTimes();
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [chosenS, setChosenS] = useState<number | null>(readAtS);
  const handlers: ChartHandlers = {
    spec: useEffectEvent(() => spec),
    onRead: useEffectEvent((atS: number) => setChosenS(atS)),
    onZoom: useEffectEvent((period: readonly [number, number] | null) => onZoom(period)),
  };
  const makePlot = useEffectEvent((element: HTMLDivElement) => {
    const size = { width: element.clientWidth, height: chartPx(spec, heightPx) };
    return new uPlot(chartOptions(spec, size, times, handlers), chartData(spec), element);
  });
  const structure = `${scheme} ${times.zone} ${spec.lines.map((line) => line.label).join()} ${headPx(spec)}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another structure or theme makes a new chart
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const made = makePlot(element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: made.height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [structure]);
  const showSpec = useEffectEvent((next: ChartSpec) => {
    const u = plot.current;
    u?.batch(() => {
      u.setData(chartData(next), false);
      u.setScale("x", { min: next.fromS, max: next.toS });
    });
    placeCursor(u, chosenS);
  });
  useEffect(() => showSpec(spec), [spec]);
  useEffect(() => {
    setChosenS(readAtS);
    placeCursor(plot.current, readAtS);
  }, [readAtS]);

  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event.key, spec, chosenS ?? spec.nowS);
    if (action === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if ("zoom" in action) onZoom(action.zoom);
    else {
      setChosenS(action.readS);
      placeCursor(plot.current, action.readS);
    }
  };
  const reading = chosenS === null ? t("chart.hint") : readingOf(spec, chosenS, times, t);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a chart that is read with the arrow keys is no fieldset */}
      <div
        ref={holder}
        className="chart"
        style={{ width: "100%" }}
        role="group"
        aria-label={label}
        data-now-s={spec.nowS}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read the chart
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
      {children}
      <Box
        component="p"
        className="chart-reading"
        mih="2.8em"
        mt="xs"
        c={chosenS === null ? "dimmed" : undefined}
        role="status"
      >
        {reading}
      </Box>
      <ChartTable spec={spec} />
    </>
  );
}

function placeCursor(u: uPlot | null, atS: number | null): void {
  if (u !== null && atS !== null) u.setCursor({ left: u.valToPos(atS, "x"), top: 1 }, false);
}

type KeyAction = { readonly readS: number } | { readonly zoom: readonly [number, number] | null };

/** What a key does: arrows read, `+` and `-` zoom about the reading line, `0` shows the window again. */
function keyAction(key: string, { fromS, toS, times }: ChartSpec, atS: number): KeyAction | null {
  const spanS = toS - fromS;
  const stepS = Math.max(1, Math.round(spanS / STEPS));
  const within = (readS: number) => ({ readS: Math.min(toS, Math.max(fromS, readS)) });
  const zoom = (factor: number): KeyAction => ({
    zoom: [Math.round(atS - (atS - fromS) * factor), Math.round(atS + (toS - atS) * factor)],
  });
  switch (key) {
    case "ArrowLeft":
      return within(atS - stepS);
    case "ArrowRight":
      return within(atS + stepS);
    case "Home":
      return within(fromS);
    case "End":
      return within(times[lastIndexAt(times, toS)] ?? toS);
    case "+":
      return spanS < 60 ? null : zoom(0.5);
    case "-":
      return zoom(2);
    case "0":
    case "Escape":
      return { zoom: null };
    default:
      return null;
  }
}

/** Marks within this share of the period belong to the reading. */
const NEAR_SHARE = 1 / 100;

/** Time, values, causes and marks at an instant, as one line. */
function readingOf(spec: ChartSpec, atS: number, times: TimeFormats, t: Texts["t"]): string {
  const k = lastIndexAt(spec.times, atS);
  const nearS = (spec.toS - spec.fromS) * NEAR_SHARE;
  const lines = spec.lines.map(({ label, values, unit }) => {
    const value = values[k] ?? null;
    return `${label} ${value === null ? t("chart.no_value") : valueText(value, unit)}`;
  });
  const causes = spec.causes.flatMap(({ label, values }) => {
    const kw = values[k] ?? 0;
    return kw === 0 ? [] : [`${label} ${valueText(kw, spec.unit)}`];
  });
  const blocks = spec.blocks.filter(({ fromS, toS }) => fromS <= atS && atS < toS).map(({ label }) => label);
  const marks = spec.marks.filter((mark) => Math.abs(mark.atS - atS) <= nearS).map(({ text }) => text);
  return [times.clock(1_000 * atS), ...lines, ...causes, ...blocks, ...marks].join(" · ");
}

/** Rows of the table; a longer period is shown at equal steps. */
const ROWS_MAX = 200;

/** The values of the period as a table, on demand. */
function ChartTable({ spec }: { readonly spec: ChartSpec }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <Box component="details" className="chart-table" mb="md" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Box component="summary" c="var(--accent)">
        {t("chart.table")}
      </Box>
      {isOpen && <Values spec={spec} />}
    </Box>
  );
}

function Values({ spec }: { readonly spec: ChartSpec }) {
  const { t } = useTexts();
  const times = useTimes();
  const columns = [...spec.lines.map((line) => ({ ...line, unit: line.unit })), ...spec.causes].map((column) => ({
    label: column.label,
    unit: "unit" in column ? column.unit : spec.unit,
    values: column.values,
  }));
  return (
    <Table.ScrollContainer minWidth={300} mah="24rem" type="native">
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("chart.time")}</Table.Th>
            {columns.map(({ label, unit }) => (
              <Table.Th key={label} className="num">
                {label} {unit}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rowIndices(spec).map((k) => (
            <Table.Tr key={spec.times[k]}>
              <Table.Td>{times.clock(1_000 * spec.times[k])}</Table.Td>
              {columns.map(({ label, unit, values }) => (
                <Table.Td key={label} className="num">
                  {formatOrDash(values[k] ?? null, unit)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const formatOrDash = (value: number | null, unit: string): string => (value === null ? "–" : formatIn(value, unit));

/** Indices of the period, at most `ROWS_MAX` in equal steps. */
function rowIndices({ times, fromS, toS }: ChartSpec): number[] {
  const first = Math.max(0, lastIndexAt(times, fromS));
  const count = lastIndexAt(times, toS) - first + 1;
  const step = Math.max(1, Math.ceil(count / ROWS_MAX));
  return Array.from({ length: Math.ceil(count / step) }, (_, k) => first + k * step);
}

interface LegendProps {
  readonly lines: readonly ChartLine[];
  /** Lines of text that have a place; more scroll, so that nothing below moves. */
  readonly rowCount?: number;
  /** Further entries, as `<li>`. */
  readonly children?: ReactNode;
}

const LEGEND = { alignContent: "start", overflowY: "auto" } as const;
const KEY = { display: "inline-block", width: "1.5rem", borderTop: "2px solid var(--delivered)", verticalAlign: 4 };
const DASHED = { borderTop: "2px dashed var(--requested)" };

/** What the lines of a chart are. */
export function Legend({ lines, rowCount = 1, children }: LegendProps) {
  return (
    <Group component="ul" align="stretch" gap="0 1rem" h={`${1.5 * rowCount}rem`} lh="1.5rem" style={LEGEND}>
      {lines.map(({ label, isDashed }) => (
        <li key={label}>
          <i style={isDashed === true ? { ...KEY, ...DASHED } : KEY} aria-hidden="true" /> {label}
        </li>
      ))}
      {children}
    </Group>
  );
}
