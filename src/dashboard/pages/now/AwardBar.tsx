import type { AwardBalance } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { formatKw, formatPct } from "../../format/numbers.ts";
import { causeColour } from "../../parts/Cause.tsx";

/** The bar shows up to this share of the request, so that over-delivery has a place. */
const SHOWN_SHARE = 1.1;

const pctOf = (share: number): string => `${Math.min(100, Math.max(0, (100 * share) / SHOWN_SHARE)).toFixed(2)}%`;

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
    <div className="award-bar" role="img" aria-label={label}>
      <div className="bar-track">
        <i className="bar-delivered" style={{ width: pctOf(share) }} />
        <MissingParts award={award} fromShare={Math.max(0, share)} />
        {limit !== null && <i className="bar-limit" style={{ left: pctOf(limit) }} />}
        <i className="bar-target" style={{ left: pctOf(1) }} />
      </div>
      <div className="bar-legend">
        <span>{pct} %</span>
        <span className="muted">{t("award.of", { kw })}</span>
      </div>
    </div>
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
      <i
        key={`${stage} ${cause} ${site}`}
        className="bar-missing hatched"
        style={{ left: pctOf(left), width: pctOf(kw / total), ...causeColour(cause) }}
      />
    );
  });
}
