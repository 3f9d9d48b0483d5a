import { useMemo } from "react";
import type { SitePowerHistory, SiteSpecifications } from "../../../api/client/index.ts";
import type { PowerAward, VppPower } from "../../../api/client/sandboxTypes.ts";
import { usePreferences, useTexts, useTimes } from "../../app/preferences.tsx";
import { useKept, useNowMs, useResource, useSiteApi, useSiteRead, useStation } from "../../data/hooks.ts";
import { formatDuration } from "../../format/durations.ts";
import { formatKw } from "../../format/numbers.ts";
import { isoOf, msOf } from "../../format/times.ts";
import { Legend, TimeChart } from "../../parts/chart/TimeChart.tsx";
import { type ChartPeriod, useChartPeriod, WindowChoice } from "../../parts/chart/WindowChoice.tsx";
import { EmptyState, EventLine, Panel, ResourceView, ScrollWindow } from "../../parts/Panel.tsx";
import { historyInterval, type SiteDispatch, siteDispatches, siteSpecs } from "./siteSpecs.ts";

const POWER_HEIGHT_PX = 190;
const SOC_HEIGHT_PX = 130;
/** Real ms between two reads of the awards. */
const AWARDS_PERIOD_MS = 2_000;

/** Set-point and delivered power, and the state of charge of a site that has one. */
export function SiteCharts({ site }: { readonly site: string }) {
  const { t } = useTexts();
  const api = useSiteApi(site);
  const period = useChartPeriod();
  const { fromS, toS, nowS, window, isZoomed } = period;
  const load = (): Promise<SitePowerHistory> =>
    api.powerHistory({
      start_time: isoOf(1_000 * fromS),
      end_time: isoOf(1_000 * toS),
      interval_seconds: historyInterval(toS - fromS),
    });
  const isPast = fromS < nowS;
  const history = useKept(useSiteRead(`history ${site} ${isZoomed ? `${fromS}-${toS}` : window} ${isPast}`, load));
  const specifications = useSiteRead(`specifications ${site}`, () => api.specifications());
  const awards = useAwards(site, period);
  const actions = <WindowChoice period={period} />;
  return (
    <>
      <Panel title={t("site.power_title")} note={t("site.power_note")} actions={actions}>
        {isPast ? (
          <ResourceView resource={history}>
            {(value) => (
              <Charts
                site={site}
                history={value}
                specifications={specifications.value}
                awards={awards}
                period={period}
              />
            )}
          </ResourceView>
        ) : (
          <EmptyState>{t("site.no_history")}</EmptyState>
        )}
      </Panel>
      <Panel title={t("site.dispatches")} note={t("site.dispatches_note")}>
        <Dispatches dispatches={isPast && history.value !== null ? siteDispatches(history.value) : []} />
      </Panel>
    </>
  );
}

/** The set-points of the period of the chart, newest first. */
function Dispatches({ dispatches }: { readonly dispatches: readonly SiteDispatch[] }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  return (
    <ScrollWindow label={t("site.dispatches")} height="8rem">
      {dispatches.length === 0 && <EmptyState>{t("site.no_dispatches")}</EmptyState>}
      <ul>
        {dispatches.map(({ at, kw }) => (
          <EventLine key={at}>
            <time dateTime={at} className="nowrap">
              {times.exactInstant(msOf(at), nowMs)}
            </time>
            <span>{kw === null ? t("site.dispatch_ends") : t("site.dispatch", { kw: formatKw(kw) })}</span>
          </EventLine>
        ))}
      </ul>
    </ScrollWindow>
  );
}

const NO_AWARDS: readonly PowerAward[] = [];

/** Awards in the period of the VPP that a site is a member of. */
function useAwards(site: string, { fromS, toS, window, isZoomed }: ChartPeriod): readonly PowerAward[] {
  const { calls, session } = useStation();
  const vpp = session.vpps.find(({ members }) => members.includes(site))?.name ?? null;
  const load = () =>
    calls.get<VppPower>(
      `/sandbox/vpps/${encodeURIComponent(vpp ?? "")}/power?from=${isoOf(1_000 * fromS)}&to=${isoOf(1_000 * toS)}&max_points=2`,
    );
  const key = vpp === null ? null : `awards ${vpp} ${isZoomed ? `${fromS}-${toS}` : window}`;
  return useKept(useResource(key, load, AWARDS_PERIOD_MS)).value?.awards ?? NO_AWARDS;
}

interface ChartsProps {
  readonly site: string;
  readonly history: SitePowerHistory;
  readonly specifications: SiteSpecifications | null;
  readonly awards: readonly PowerAward[];
  readonly period: ChartPeriod;
}

function Charts({ site, history, specifications, awards, period }: ChartsProps) {
  const { t } = useTexts();
  const { scheme } = usePreferences();
  const { fromS, toS, nowS, readAtS, setZoom } = period;
  const specs = useMemo(
    () => siteSpecs({ history, specifications, fromS, toS, nowS, awards }, t),
    [history, specifications, fromS, toS, nowS, awards, t],
  );
  const shared = { scheme, readAtS, onZoom: setZoom };
  return (
    <>
      <TimeChart spec={specs.power} label={t("site.power_label", { site })} heightPx={POWER_HEIGHT_PX} {...shared}>
        <Legend lines={specs.power.lines}>
          <li className="muted">{t("site.resolution", { interval: formatDuration(history.interval_seconds, t) })}</li>
        </Legend>
      </TimeChart>
      {specs.soc !== null && (
        <>
          <h3>{t("site.soc")}</h3>
          <TimeChart spec={specs.soc} label={t("site.soc_label", { site })} heightPx={SOC_HEIGHT_PX} {...shared}>
            <Legend lines={specs.soc.lines} />
          </TimeChart>
        </>
      )}
    </>
  );
}
