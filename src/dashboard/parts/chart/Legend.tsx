import type { ReactNode } from "react";
import type { ChartLine } from "./chartSpec.ts";

interface LegendProps {
  readonly lines: readonly ChartLine[];
  /** Further entries, as `<li>`. */
  readonly children?: ReactNode;
}

/** What the lines of a chart are. */
export function Legend({ lines, children }: LegendProps) {
  return (
    <ul className="legend">
      {lines.map(({ label, isDashed }) => (
        <li key={label}>
          <i className={isDashed === true ? "key-requested" : "key-delivered"} aria-hidden="true" /> {label}
        </li>
      ))}
      {children}
    </ul>
  );
}
