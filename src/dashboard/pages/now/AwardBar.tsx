import { Box, Group } from "@mantine/core";
import type { AwardBalance } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { formatKw, formatPct } from "../../format/numbers.ts";
import { causeColour, hatch } from "../../parts/Cause.tsx";

/** The bar shows up to this share of the request, so that over-delivery has a place. */
const SHOWN_SHARE = 1.1;

const pctOf = (share: number): string => `${Math.min(100, Math.max(0, (100 * share) / SHOWN_SHARE)).toFixed(2)}%`;

/** A part of the bar. */
const PART = { component: "i", pos: "absolute", top: 0, h: "100%" } as const;
/** A line across the bar. */
const MARK = { ...PART, top: -3, h: "calc(100% + 6px)" } as const;

/** Delivered power as a share of the request, the missing part by cause, target and limit of the product. */
export function AwardBar({ award }: { readonly award: AwardBalance }) {
  const { t } = useTexts();
  const { requested_kw, delivered_kw, band_low_kw, band_high_kw } = award;
  if (requested_kw === 0) return null;
  const share = delivered_kw / requested_kw;
  const limits = [band_low_kw, band_high_kw].flatMap((kw) => (kw === null ? [] : [kw / requested_kw]));
  const limit = limits.length === 0 ? null : Math.min(...limits);
  const pct = formatPct(100 * share);
  const kw = formatKw(Math.abs(requested_kw));
  const label =
    limit === null ? t("award.bar_no_limit", { pct, kw }) : t("award.bar", { pct, kw, limit: formatPct(100 * limit) });
  return (
    <Box flex="1 1 9rem" maw="26rem" role="img" aria-label={label}>
      <Box className="bar-track" pos="relative" h="0.875rem" bg="var(--tint)">
        <Box {...PART} bg="var(--requested)" w={pctOf(share)} />
        <MissingParts award={award} fromShare={Math.max(0, share)} />
        {limit !== null && <Box {...MARK} left={pctOf(limit)} style={{ borderLeft: "1px dashed var(--ink)" }} />}
        <Box {...MARK} left={pctOf(1)} style={{ borderLeft: "2px solid var(--ink)" }} />
      </Box>
      <Group justify="space-between" fz="xs">
        <span>{pct} %</span>
        <span className="muted">{t("award.of", { kw })}</span>
      </Group>
    </Box>
  );
}

/** What is missing, hatched in the colours of its causes, beside what is delivered. */
function MissingParts({ award, fromShare }: { readonly award: AwardBalance; readonly fromShare: number }) {
  const total = Math.abs(award.requested_kw);
  let share = fromShare;
  return award.causes.map(({ stage, cause, site, kw }) => {
    const left = share;
    share += kw / total;
    return (
      <Box
        key={`${stage} ${cause} ${site}`}
        {...PART}
        left={pctOf(left)}
        w={pctOf(kw / total)}
        bd="1px solid currentColor"
        style={{ ...causeColour(cause), background: hatch(5) }}
      />
    );
  });
}
