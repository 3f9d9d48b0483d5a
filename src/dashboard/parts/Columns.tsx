import type { CSSProperties, ReactNode } from "react";

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
