import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";

const LINE = { borderTop: "1px solid var(--line)" };
const COLUMNS = { gridTemplateColumns: "4.5rem minmax(0, 1fr)", gap: "0 0.5rem", overflowWrap: "anywhere" } as const;

interface RowProps {
  /** A time, then what it is of. */
  readonly children: ReactNode;
}

/** A row of a list with its time in a column. */
export function TimedRow({ children }: RowProps) {
  return (
    <Box component="li" display="grid" py="xs" style={{ ...LINE, ...COLUMNS }}>
      {children}
    </Box>
  );
}

/** The same with the text right after the time. */
export function EventLine({ children }: RowProps) {
  return (
    <Group component="li" align="start" wrap="nowrap" py="xs" style={LINE}>
      {children}
    </Group>
  );
}
