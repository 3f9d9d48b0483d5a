import type { ReactNode } from "react";

interface FigureProps {
  readonly label: ReactNode;
  /** The formatted value, or a word such as "none". */
  readonly value: string;
  readonly unit?: string;
  /** Before the value: an alarm badge. */
  readonly badge?: ReactNode;
  /** Whether the value is not live. */
  readonly isHeld?: boolean;
}

/** One large figure with its label and unit, as a pair of a `<dl className="figures">`. */
export function Figure({ label, value, unit, badge, isHeld = false }: FigureProps) {
  return (
    <div className="figure" data-held={isHeld || undefined}>
      <dt>{label}</dt>
      <dd>
        {badge}
        <b>{value}</b>
        {unit !== undefined && <small>{unit}</small>}
      </dd>
    </div>
  );
}
