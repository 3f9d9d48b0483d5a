import { Button, SegmentedControl } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { WINDOW_NAMES } from "./chartWindow.ts";
import type { ChartPeriod } from "./useChartPeriod.ts";

/** 15 minutes to the whole run, and back from a zoom. */
export function WindowChoice({ period }: { readonly period: ChartPeriod }) {
  const { t } = useTexts();
  return (
    <>
      {period.isZoomed && <Button onClick={() => period.setZoom(null)}>{t("chart.reset_zoom")}</Button>}
      <SegmentedControl
        aria-label={t("chart.window")}
        data={WINDOW_NAMES.map((name) => ({ value: name, label: t(`chart.window_${name}`) }))}
        value={period.window}
        onChange={period.setWindow}
      />
    </>
  );
}
