import { type ReactNode, useId } from "react";

interface PanelProps {
  readonly title: ReactNode;
  /** Beside the title, muted: what the figures are of. */
  readonly note?: ReactNode;
  /** At the right end of the head: buttons and choices. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A card with a heading. */
export function Panel({ title, note, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span className="muted">{note}</span>}
        {actions !== undefined && <div className="panel-actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** What would stand here, and how to get it. */
export function EmptyState({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}
