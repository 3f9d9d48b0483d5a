import { useMemo } from "react";
import { usePreferences, useTexts } from "../../app/preferences.tsx";
import { Legend, TimeChart } from "../../parts/chart/TimeChart.tsx";
import { useChartPeriod } from "../../parts/chart/WindowChoice.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { fcrSpecs } from "./fcrSpecs.ts";
import { useVppPower } from "./useVppPower.ts";

const HEIGHT_PX = 100;

/** Frequency and response of a VPP, while the period has values of an award of FCR. It stands last, so that it moves nothing. */
export function FcrPanel({ vpp }: { readonly vpp: string }) {
  const { t } = useTexts();
  const { scheme } = usePreferences();
  const period = useChartPeriod();
  const { fromS, toS, nowS, readAtS, setZoom } = period;
  const power = useVppPower(vpp, period).value;
  const specs = useMemo(
    () => (power === null ? null : fcrSpecs(power, { fromS, toS, nowS }, t)),
    [power, fromS, toS, nowS, t],
  );
  if (specs === null) return null;
  const shared = { heightPx: HEIGHT_PX, scheme, readAtS, onZoom: setZoom };
  return (
    <Panel title={t("fcr.title")} note={t("fcr.note", { vpp })}>
      <TimeChart spec={specs.frequency} label={t("fcr.frequency_label", { vpp })} {...shared}>
        <Legend lines={specs.frequency.lines} />
      </TimeChart>
      <TimeChart spec={specs.response} label={t("fcr.response_label", { vpp })} {...shared}>
        <Legend lines={specs.response.lines} />
      </TimeChart>
    </Panel>
  );
}
