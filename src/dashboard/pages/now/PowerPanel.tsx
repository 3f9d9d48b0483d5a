import { Box } from "@mantine/core";
import { useMemo } from "react";
import type { AwardBalance, VppPower } from "../../../api/client/sandboxTypes.ts";
import { usePreferences, useTexts } from "../../app/preferences.tsx";
import { useEventText } from "../../messages/useMessageText.ts";
import { CauseName } from "../../parts/Cause.tsx";
import { Legend, TimeChart } from "../../parts/chart/TimeChart.tsx";
import { type ChartPeriod, useChartPeriod, WindowChoice } from "../../parts/chart/WindowChoice.tsx";
import { Panel, ResourceView } from "../../parts/Panel.tsx";
import { powerSpec, powerUntil } from "./powerSpec.ts";
import { useVppPower } from "./useVppPower.ts";

const HEIGHT_PX = 220;
/** Of the chart with legend and reading: its place is there before its values are. */
const CHART_HEIGHT = "24rem";

interface PowerPanelProps {
  readonly vpp: string;
  /** Awards in force, for the limits of their products. */
  readonly awards: readonly AwardBalance[];
}

/** Requested and delivered power of a VPP over time. */
export function PowerPanel({ vpp, awards }: PowerPanelProps) {
  const { t } = useTexts();
  const { scheme } = usePreferences();
  const period = useChartPeriod();
  const power = useVppPower(vpp, period);
  return (
    <Panel title={t("chart.title")} note={t("chart.note", { vpp })} actions={<WindowChoice period={period} />}>
      <Box mih={CHART_HEIGHT}>
        <ResourceView resource={power}>
          {(value) => (
            <Chart power={value} awards={awards} label={t("chart.label", { vpp })} scheme={scheme} period={period} />
          )}
        </ResourceView>
      </Box>
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
  const { fromS, toS, nowS, readAtS, setZoom } = period;
  const eventText = useEventText();
  const spec = useMemo(
    () => powerSpec(powerUntil(power, nowS), awards, { fromS, toS }, t, eventText),
    [power, awards, fromS, toS, nowS, t, eventText],
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
