import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";

interface FigureProps {
  readonly label: ReactNode;
  /** The formatted value, or a word such as "none". */
  readonly value: string;
  readonly unit?: string;
  /** Before the value: an alarm badge. */
  readonly badge?: ReactNode;
  /** Whether the value is not live. */
  readonly isStale?: boolean;
  /** Size of the value. */
  readonly fz?: string;
  /** Least width, so that a longer value moves no other figure. */
  readonly miw?: string;
}

/** One large figure with its label and unit, as a pair of a `<dl>`. */
export function Figure({ label, value, unit, badge, isStale = false, fz = "1.625rem", miw = "8rem" }: FigureProps) {
  return (
    <Box className="figure" miw={miw} data-stale={isStale || undefined}>
      <Box component="dt" className="truncate muted">
        {label}
      </Box>
      <Group component="dd" align="baseline" gap="0.375rem" wrap="nowrap">
        {badge}
        <Box component="b" fz={fz} fw={700} lh={1.2}>
          {value}
        </Box>
        {unit !== undefined && (
          <Box component="small" c="dimmed" fz="sm">
            {unit}
          </Box>
        )}
      </Group>
    </Box>
  );
}
