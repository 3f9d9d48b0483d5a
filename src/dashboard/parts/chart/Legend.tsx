import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import type { ChartLine } from "./chartSpec.ts";

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
