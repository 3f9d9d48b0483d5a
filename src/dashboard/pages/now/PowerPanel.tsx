import { useMemo } from "react";
import type { AwardBalance, VppPower } from "../../../api/client/sandboxTypes.ts";
import { usePreferences, useTexts } from "../../app/preferences.tsx";
import { useKept, useResource, useStation } from "../../data/hooks.ts";
import { isoOf } from "../../format/times.ts";
import { CauseName } from "../../parts/Cause.tsx";
import { Legend, TimeChart } from "../../parts/chart/TimeChart.tsx";
import { type ChartPeriod, useChartPeriod, WindowChoice } from "../../parts/chart/WindowChoice.tsx";
import { Panel, ResourceView } from "../../parts/Panel.tsx";
import { useEventText } from "../../texts/useMessageText.ts";
import { powerSpec } from "./powerSpec.ts";

const POINTS_MAX = 600;
const HEIGHT_PX = 220;
/** A long window changes slowly, and takes the server longer. */
const PERIOD_MS = { "15m": 1_000, "1h": 1_000, "4h": 2_000, run: 5_000 } as const;

interface PowerPanelProps {
  readonly vpp: string;
  /** Awards in force, for the limits of their products. */
  readonly awards: readonly AwardBalance[];
}

/** Requested and delivered power of a VPP over time. */
export function PowerPanel({ vpp, awards }: PowerPanelProps) {
  const { t } = useTexts();
  const { scheme } = usePreferences();
  const { calls } = useStation();
  const period = useChartPeriod();
  const { fromS, toS, window, isZoomed } = period;
  const key = `power ${vpp} ${isZoomed ? `${fromS}-${toS}` : window}`;
  const load = () =>
    calls.get<VppPower>(
      `/sandbox/vpps/${encodeURIComponent(vpp)}/power?from=${isoOf(1_000 * fromS)}&to=${isoOf(1_000 * toS)}&max_points=${POINTS_MAX}`,
    );
  const power = useKept(useResource(key, load, PERIOD_MS[window]));
  return (
    <Panel title={t("chart.title")} note={t("chart.note", { vpp })} actions={<WindowChoice period={period} />}>
      <ResourceView resource={power}>
        {(value) => (
          <Chart power={value} awards={awards} label={t("chart.label", { vpp })} scheme={scheme} period={period} />
        )}
      </ResourceView>
    </Panel>
  );
}

interface ChartProps {
  readonly power: VppPower;
  readonly awards: readonly AwardBalance[];
  readonly label: string;
  readonly scheme: string;
  readonly period: ChartPeriod;
}

function Chart({ power, awards, period, ...rest }: ChartProps) {
  const { t } = useTexts();
  const { fromS, toS, readAtS, setZoom } = period;
  const eventText = useEventText();
  const spec = useMemo(
    () => powerSpec(power, awards, { fromS, toS }, t, eventText),
    [power, awards, fromS, toS, t, eventText],
  );
  return (
    <TimeChart spec={spec} heightPx={HEIGHT_PX} readAtS={readAtS} onZoom={setZoom} {...rest}>
      <Legend lines={spec.lines} rowCount={2}>
        {spec.causes.length > 0 && <li className="muted">{t("chart.missing_by_cause")}</li>}
        {spec.causes.map(({ cause }) => (
          <li key={cause}>
            <CauseName cause={cause} />
          </li>
        ))}
      </Legend>
    </TimeChart>
  );
}
