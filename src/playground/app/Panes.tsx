import { type ComponentProps, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import { useTexts } from "../../dashboard/app/preferences.tsx";

export const COLUMNS = ["examples", "scenario", "result"] as const;
export type Column = (typeof COLUMNS)[number];

interface PanesProps extends ComponentProps<"main"> {
  /** The one that a narrow screen shows. */
  readonly column: Column;
  readonly children: [ReactNode, ReactNode, ReactNode];
}

const LEFT_PX = { least: 160, most: 480, first: 236 };
/** Of the width that the scenario and the result share. */
const RESULT_PCT = { least: 20, most: 80, first: 51 };
const STEP = { px: 16, pct: 2 };

const within = (value: number, { least, most }: { readonly least: number; readonly most: number }): number =>
  Math.min(most, Math.max(least, value));

/** Three columns with a handle between each two. */
export function Panes({ column, children, ...rest }: PanesProps) {
  const { t } = useTexts();
  const [leftPx, setLeftPx] = useState(LEFT_PX.first);
  const [resultPct, setResultPct] = useState(RESULT_PCT.first);
  const style = {
    gridTemplateColumns: `${leftPx}px 0.5rem minmax(0, ${100 - resultPct}fr) 0.5rem minmax(0, ${resultPct}fr)`,
  };
  return (
    <main className="work" id="main" data-column={column} style={style} {...rest}>
      {children[0]}
      <Handle
        label={t("playground.resize_examples")}
        range={LEFT_PX}
        value={leftPx}
        onStep={(steps) => setLeftPx(within(leftPx + steps * STEP.px, LEFT_PX))}
        onMove={(x, { left }) => setLeftPx(within(x - left, LEFT_PX))}
      />
      {children[1]}
      <Handle
        label={t("playground.resize_result")}
        range={RESULT_PCT}
        value={resultPct}
        onStep={(steps) => setResultPct(within(resultPct - steps * STEP.pct, RESULT_PCT))}
        onMove={(x, { right, width }) => setResultPct(within((100 * (right - x)) / (width - leftPx), RESULT_PCT))}
      />
      {children[2]}
    </main>
  );
}

interface HandleProps {
  readonly label: string;
  readonly range: { readonly least: number; readonly most: number };
  readonly value: number;
  /** @param steps  to the right */
  readonly onStep: (steps: number) => void;
  readonly onMove: (xPx: number, around: DOMRect) => void;
}

/** A separator that is moved by arrow keys and by the pointer. */
function Handle({ label, range, value, onStep, onMove }: HandleProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -5, PageDown: 5 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    onStep(steps);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const around = event.currentTarget.parentElement?.getBoundingClientRect();
    if (event.currentTarget.hasPointerCapture(event.pointerId) && around !== undefined) onMove(event.clientX, around);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className="handle"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={range.least}
      aria-valuemax={range.most}
      aria-valuenow={Math.round(value)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  );
}
