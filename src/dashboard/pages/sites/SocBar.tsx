import { Box } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { formatPct } from "../../format/numbers.ts";

interface SocBarProps {
  /** 0..100 */
  readonly socPct: number;
  /** Ends of the operating window; `null`: not known, as of a stale value. */
  readonly window: readonly [number, number] | null;
}

const BAR = { pos: "relative", w: "3.25rem", h: "0.625rem" } as const;
const END = { position: "absolute", inset: "-2px auto", borderLeft: "1px solid var(--ink)" } as const;

/** State of charge with the ends of its operating window. */
export function SocBar({ socPct, window }: SocBarProps) {
  const { t } = useTexts();
  const label =
    window === null
      ? `${formatPct(socPct)} %`
      : t("soc.window", { soc: formatPct(socPct), min: formatPct(window[0]), max: formatPct(window[1]) });
  return (
    <Box component="span" className="soc-bar" {...BAR} role="img" aria-label={label} title={label}>
      <Box component="i" className="soc-level" pos="absolute" top={0} bottom={0} left={0} w={`${socPct}%`} />
      {window?.map((end) => (
        <i key={end} style={{ ...END, left: `${end}%` }} />
      ))}
    </Box>
  );
}
