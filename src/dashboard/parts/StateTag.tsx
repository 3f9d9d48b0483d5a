import { Badge } from "@mantine/core";
import type { ReactNode } from "react";

interface StateTagProps {
  /** Whether the state requires attention or is in force. */
  readonly isStrong: boolean;
  readonly children: ReactNode;
}

/** A state in a frame; filled where it is strong. */
export function StateTag({ isStrong, children }: StateTagProps) {
  return (
    <Badge
      variant="default"
      radius="sm"
      h="auto"
      px="0.375rem"
      lh="inherit"
      fw={isStrong ? 600 : 400}
      tt="none"
      lts={0}
      c={isStrong ? "var(--surface)" : "inherit"}
      bg={isStrong ? "var(--ink)" : "transparent"}
      bd={`1px solid ${isStrong ? "var(--ink)" : "var(--line-strong)"}`}
    >
      {children}
    </Badge>
  );
}
