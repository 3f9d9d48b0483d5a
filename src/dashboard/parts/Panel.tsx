import { Badge, Box, Group } from "@mantine/core";
import { type CSSProperties, type ReactNode, useId } from "react";
import { useTexts } from "../app/preferences.tsx";
import type { Resource } from "../data/reads.ts";
import { Refusal } from "./Refusal.tsx";

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

interface ColumnsProps {
  /** As `grid-template-columns`; on a narrow screen they stand under each other. */
  readonly template: string;
  readonly children: ReactNode;
}

/** Columns of cards: what one looks at, and what one needs beside it. */
export function Columns({ template, children }: ColumnsProps) {
  const style: CSSProperties & { readonly "--columns": string } = { "--columns": template };
  return (
    <div className="columns" style={style}>
      {children}
    </div>
  );
}

/** What one looks at, and a narrow column beside it. */
export const BESIDE = "minmax(0, 1fr) var(--side)";
/** Two of nearly one width. */
export const HALVES = "minmax(0, 1.1fr) minmax(0, 1fr)";

interface ScrollWindowProps {
  /** Accessible name: what it shows. */
  readonly label: string;
  /** CSS height, which stays as the content grows. */
  readonly height: string;
  readonly children: ReactNode;
}

/** A part of a panel of one height that scrolls inside, so that nothing below it moves. The arrow keys scroll it. */
export function ScrollWindow({ label, height, children }: ScrollWindowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: content that scrolls is no fieldset
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className="scroll-window" role="group" aria-label={label} tabIndex={0} style={{ height, overflow: "auto" }}>
      {children}
    </div>
  );
}

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

interface ResourceViewProps<T> {
  readonly resource: Resource<T>;
  readonly children: (value: T) => ReactNode;
}

/** What was read; the reason where nothing could be read. A value that was read before stays. */
export function ResourceView<T>({ resource: { value, error }, children }: ResourceViewProps<T>) {
  const { t } = useTexts();
  if (value !== null) return children(value);
  if (error === null) return <EmptyState>{t("resource.loading")}</EmptyState>;
  return <Refusal>{t("resource.failed", { details: error.message })}</Refusal>;
}

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
