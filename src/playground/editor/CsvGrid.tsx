import { useMemo, useState } from "react";
import type { Place } from "../app/playground.ts";
import type { CsvRow } from "./csvTable.ts";

interface CsvGridProps {
  /** Names the table. */
  readonly path: string;
  readonly rows: readonly CsvRow[];
  /** Of the errors of this file. */
  readonly problems: readonly Place[];
}

const ROW_PX = 24;
/** Rows above those in sight, and all that are in the page: more than the tallest screen shows. */
const ROWS_BEFORE = 20;
const ROWS_DRAWN = 150;
const SAMPLE_ROWS = 200;
const WIDTH_MAX_CH = 32;

/** A CSV file as a table; only rows in sight are in the page. */
export function CsvGrid({ path, rows, problems }: CsvGridProps) {
  const [header, ...body] = rows;
  const [topPx, setTopPx] = useState(0);
  const first = Math.max(0, Math.floor(topPx / ROW_PX) - ROWS_BEFORE);
  const drawn = body.slice(first, first + ROWS_DRAWN);
  const gridTemplateColumns = useMemo(() => widthsOf(rows), [rows]);
  const cellsOf = (row: CsvRow, Cell: "th" | "td") => (
    <>
      <th scope={Cell === "td" ? "row" : "col"}>{row.line}</th>
      {row.cells.map((cell, k) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
        <Cell key={k} data-bad={isBad(row, k, problems) ? "" : undefined} title={cell}>
          {cell}
        </Cell>
      ))}
    </>
  );
  return (
    <section
      className="grid"
      data-testid="grid"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
      tabIndex={0}
      aria-label={path}
      onScroll={({ currentTarget }) => setTopPx(currentTarget.scrollTop)}
    >
      <table aria-rowcount={rows.length}>
        <thead>
          {header !== undefined && (
            <tr aria-rowindex={1} style={{ gridTemplateColumns }}>
              {cellsOf(header, "th")}
            </tr>
          )}
        </thead>
        <tbody style={{ height: body.length * ROW_PX }}>
          {drawn.map((row, k) => (
            <tr key={row.line} aria-rowindex={first + k + 2} style={{ gridTemplateColumns, top: (first + k) * ROW_PX }}>
              {cellsOf(row, "td")}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Whether an error stands in a cell: it begins there, or in the row as a whole. */
const isBad = ({ line, starts }: CsvRow, cell: number, problems: readonly Place[]): boolean =>
  problems.some(
    (problem) =>
      problem.line === line &&
      starts[cell] <= problem.column &&
      (cell + 1 === starts.length || problem.column < starts[cell + 1]),
  );

/** By the longest cells of the first rows. */
function widthsOf(rows: readonly CsvRow[]): string {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const columnCount = Math.max(0, ...sample.map(({ cells }) => cells.length));
  const widths = Array.from({ length: columnCount }, (_, k) =>
    Math.min(WIDTH_MAX_CH, Math.max(...sample.map(({ cells }) => cells[k]?.length ?? 0)) + 2),
  );
  return [`${String(rows.length).length + 2}ch`, ...widths.map((width) => `${width}ch`)].join(" ");
}
