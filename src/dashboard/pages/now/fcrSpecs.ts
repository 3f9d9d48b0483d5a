import type { VppPower } from "../../../api/client/sandboxTypes.ts";
import type { Texts } from "../../app/preferences.tsx";
import type { ChartSpec } from "../../parts/chart/chartSpec.ts";
import { powerUntil } from "./powerSpec.ts";

type Period = Pick<ChartSpec, "fromS" | "toS" | "nowS">;

/** Beside the extremes of the frequency, in Hz. */
const MARGIN_HZ = 0.01;

/** The charts of frequency and response; `null` while the period has no value of an award of FCR. */
export function fcrSpecs(
  power: VppPower,
  period: Period,
  t: Texts["t"],
): { readonly frequency: ChartSpec; readonly response: ChartSpec } | null {
  const { times, frequency_hz, fcr_response_kw } = powerUntil(power, period.nowS);
  const known = frequency_hz.filter((hz) => hz !== null);
  if (known.length === 0) return null;
  const frame = { times, causes: [], blocks: [], marks: [], limits: [], hasHead: false, ...period } as const;
  const line = { colour: "delivered", shape: "line" } as const;
  return {
    frequency: {
      ...frame,
      lines: [{ ...line, label: t("fcr.frequency"), unit: "Hz", values: frequency_hz }],
      unit: "Hz",
      range: [Math.min(...known) - MARGIN_HZ, Math.max(...known) + MARGIN_HZ],
    },
    response: {
      ...frame,
      lines: [{ ...line, label: t("fcr.response"), unit: "kW", values: fcr_response_kw, isFilled: true }],
      unit: "kW",
      range: null,
    },
  };
}
