import { Box, Group } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface PanelProps {
  readonly title: ReactNode;
  /** Beside the title, muted: what the figures are of. */
  readonly note?: ReactNode;
  /** At the right end of the head: buttons and choices. */
  readonly actions?: ReactNode;
  /** Of a card that keeps its height, with a head of one line; absent: as high as its content. */
  readonly height?: string;
  readonly children: ReactNode;
}

/** A card with a heading. */
export function Panel({ title, note, actions, height, children }: PanelProps) {
  const id = useId();
  const isFixed = height !== undefined;
  return (
    <Box
      component="section"
      className="panel"
      display={isFixed ? "flex" : undefined}
      h={height}
      pt="0.625rem"
      pb="md"
      px="md"
      bg="var(--surface)"
      bd="1px solid var(--line)"
      bdrs="md"
      style={{ flexDirection: "column", overflowWrap: "break-word" }}
      aria-labelledby={id}
    >
      <PanelHead actions={actions} wrap={isFixed ? "nowrap" : "wrap"}>
        <h2 id={id} className={isFixed ? "truncate" : undefined}>
          {title}
        </h2>
        {note !== undefined && <span className={isFixed ? "muted nowrap" : "muted"}>{note}</span>}
      </PanelHead>
      {children}
    </Box>
  );
}

interface PanelHeadProps extends Pick<PanelProps, "actions" | "children"> {
  readonly wrap?: "wrap" | "nowrap";
}

/** The head of a card or of a part of it. */
export function PanelHead({ actions, wrap = "wrap", children }: PanelHeadProps) {
  return (
    <Group className="panel-head" gap="0.25rem 0.5rem" wrap={wrap} mih="1.875rem" mb="xs">
      {children}
      {actions !== undefined && (
        <Group gap="xs" wrap="nowrap" ml="auto">
          {actions}
        </Group>
      )}
    </Group>
  );
}

/** What would stand here, and how to get it. */
export function EmptyState({ children }: { readonly children: ReactNode }) {
  return (
    <Box component="p" py="md" c="dimmed">
      {children}
    </Box>
  );
}
