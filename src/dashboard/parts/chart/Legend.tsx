import type { ReactNode } from "react";
import type { ChartLine } from "./chartSpec.ts";

interface LegendProps {
  readonly lines: readonly ChartLine[];
  /** Lines of text that have a place; more scroll, so that nothing below moves. */
  readonly rowCount?: number;
  /** Further entries, as `<li>`. */
  readonly children?: ReactNode;
}

/** What the lines of a chart are. */
export function Legend({ lines, rowCount = 1, children }: LegendProps) {
  return (
    <ul className="legend" style={{ height: `${1.5 * rowCount}rem` }}>
      {lines.map(({ label, isDashed }) => (
        <li key={label}>
          <i className={isDashed === true ? "key-requested" : "key-delivered"} aria-hidden="true" /> {label}
        </li>
      ))}
      {children}
    </ul>
  );
}
