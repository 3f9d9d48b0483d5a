import type { ReactNode } from "react";

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
