import { sumOf } from "../../base/lists.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import { formatFixed, formatKwh } from "../../report/html/page/format.ts";
import type { PageLocale } from "../../report/html/page/pageLocale.ts";
import type { TwinCheck } from "./checkTwin.ts";
import type { SiteError } from "./siteErrors.ts";

const LIMITING_MAX = 3;

/** The sites whose error moves most energy, largest first, and why they limit what the twin can answer. */
export function limitingSites({ scenario, sites, storages, awards }: TwinCheck, locale: PageLocale) {
  const { world } = scenario;
  const orderHours = sumOf(awards, ({ startMs, endMs }) => endMs - startMs) / MS_PER_HOUR;
  const doubts = sites.map((error) => {
    const storageKwh = storages.get(error.site)?.capacityKwh ?? 0;
    const socKwh = (Math.abs(error.socEndErrorPct ?? 0) / 100) * storageKwh;
    const powerKwh = (error.kwMaeInOrders ?? error.kwMae ?? 0) * orderHours;
    const isSoc = powerKwh < socKwh;
    const why = isSoc ? socDoubt(error, world.endMs - world.startMs, locale) : powerDoubt(error, locale);
    return { site: error.site, why, kwh: Math.max(socKwh, powerKwh) };
  });
  const largest = doubts.filter(({ kwh }) => kwh > 0).sort((a, b) => b.kwh - a.kwh);
  return largest.slice(0, LIMITING_MAX).map(({ site, why }) => ({ site, why }));
}

const socDoubt = ({ socEndErrorPct }: SiteError, durationMs: EpochMs, { t, formatDuration }: PageLocale): string =>
  t("twin_check.doubt_soc", {
    duration: formatDuration(Math.round(durationMs / MS_PER_MINUTE) * MS_PER_MINUTE),
    pct: formatFixed(Math.abs(socEndErrorPct ?? 0), 1),
  });

const powerDoubt = ({ kwMaeInOrders, kwMae }: SiteError, { t }: PageLocale): string =>
  t("twin_check.doubt_power", { kw: formatFixed(kwMaeInOrders ?? kwMae ?? 0, 1) });

/** Shortfall of the compared awards. */
export const shortfallTotals = ({ awards }: TwinCheck) => ({
  measured: sumOf(awards, ({ shortfallKwh }) => shortfallKwh.measured),
  twin: sumOf(awards, ({ shortfallKwh }) => shortfallKwh.twin),
});

function boundText({ hasDraws, isGoodEnough }: TwinCheck) {
  if (!hasDraws) return "twin_check.no_bound";
  return isGoodEnough ? "twin_check.within" : "twin_check.too_wide";
}

/** The answer in one line: both shortfalls, the bound of a what-if, the largest doubt. */
export function checkSentence(check: TwinCheck, locale: PageLocale): string {
  const { t } = locale;
  const { world } = check.scenario;
  const period = locale.formatPeriod(world.startMs, world.endMs);
  const [doubt] = limitingSites(check, locale);
  const last = doubt === undefined ? [] : [t("twin_check.doubt", { site: doubt.site, why: doubt.why })];
  if (check.awards.length === 0) {
    const why = world.awards.length === 0 ? "twin_check.nothing_requested" : "twin_check.nothing_compared";
    return [t(why, { period }), ...last].join(" ");
  }
  const { measured, twin } = shortfallTotals(check);
  const within = formatKwh(check.within.shortfallKwh);
  return [
    t("twin_check.shortfall", { period, twin: formatKwh(twin), measured: formatKwh(measured) }),
    t(boundText(check), { within }),
    ...last,
  ].join(" ");
}
