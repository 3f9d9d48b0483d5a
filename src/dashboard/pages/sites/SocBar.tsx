import { useTexts } from "../../app/preferences.tsx";
import { formatPct } from "../../format/numbers.ts";

interface SocBarProps {
  /** 0..100 */
  readonly socPct: number;
  /** Ends of the operating window; `null`: not known, as of a held value. */
  readonly window: readonly [number, number] | null;
}

/** State of charge with the ends of its operating window. */
export function SocBar({ socPct, window }: SocBarProps) {
  const { t } = useTexts();
  const label =
    window === null
      ? `${formatPct(socPct)} %`
      : t("soc.window", { soc: formatPct(socPct), min: formatPct(window[0]), max: formatPct(window[1]) });
  return (
    <span className="soc-bar" role="img" aria-label={label} title={label}>
      <i className="soc-level" style={{ width: `${socPct}%` }} />
      {window?.map((end) => (
        <i key={end} className="soc-end" style={{ left: `${end}%` }} />
      ))}
    </span>
  );
}
