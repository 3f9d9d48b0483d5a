import type { LiveStep } from "../../browser/liveScenario.ts";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { formatKw, formatNumber } from "../../dashboard/format/numbers.ts";
import { CauseName, causeColour, hatch } from "../../dashboard/parts/Cause.tsx";
import { isShown, shortfallOf, type WhatIfState } from "./whatIfModel.ts";

type Cause = keyof LiveStep["causes"];

/** Those that occur, in their order. */
const causesOf = ({ causes }: LiveStep): readonly { readonly cause: Cause; readonly kwh: number }[] =>
  Object.keys(causes)
    .filter((name): name is Cause => name in causes)
    .map((cause) => ({ cause, kwh: causes[cause] }))
    .filter(({ kwh }) => kwh > 0);

const MARGIN = "aggregator_margin_";

/** What the aggregator earns, where the scenario has prices. */
function marginOf({ kpis }: LiveStep): { readonly amount: number; readonly currency: string } | null {
  const [name, amount] = Object.entries(kpis).find(([key]) => key.startsWith(MARGIN)) ?? [];
  return name === undefined || typeof amount !== "number"
    ? null
    : { amount, currency: name.slice(MARGIN.length).toUpperCase() };
}

/** kWh, kW and money of the newest step. */
export function LiveFigures({ state }: { readonly state: WhatIfState }) {
  const { t } = useTexts();
  const { step, stepMs } = state;
  if (step === null) return <p className="muted">{t("playground.state.loading")}</p>;
  const margin = marginOf(step);
  const fcrKw = Number(step.kpis.fcr_uncovered_kw_max);
  const shortfallKwh = shortfallOf(step);
  const causes = causesOf(step);
  return (
    <div className={isShown(state) ? "" : "old"} aria-busy={!isShown(state)}>
      <dl className="livefig">
        <div data-testid="live-shortfall" data-kwh={shortfallKwh.toFixed(3)}>
          <Quantity label={t("playground.shortfall")} value={formatKw(shortfallKwh)} unit="kWh" />
        </div>
        <div data-testid="live-uncovered">
          <Quantity label={t("playground.uncovered")} value={formatKw(Number(step.kpis.uncovered_kw_peak))} unit="kW" />
        </div>
        {fcrKw > 0 && (
          <div data-testid="live-fcr">
            <Quantity label={t("playground.fcr_uncovered")} value={formatKw(fcrKw)} unit="kW" />
          </div>
        )}
        {margin !== null && (
          <div data-testid="live-margin">
            <Quantity label={t("playground.margin")} value={formatNumber(margin.amount, 0)} unit={margin.currency} />
          </div>
        )}
        <div>
          <dt>{t("playground.by_cause")}</dt>
          <dd className="stackbar" aria-hidden="true">
            {causes.map(({ cause, kwh }) => (
              <i
                key={cause}
                style={{ ...causeColour(cause), background: hatch(5), width: `${(100 * kwh) / shortfallKwh}%` }}
              />
            ))}
          </dd>
        </div>
      </dl>
      <ul className="causes" data-testid="live-causes">
        {causes.map(({ cause, kwh }) => (
          <li key={cause} data-cause={cause} data-kwh={kwh.toFixed(3)}>
            <CauseName cause={cause} /> {formatKw(kwh)}
          </li>
        ))}
      </ul>
      <p className="muted">{t("playground.step", { ms: String(Math.round(stepMs)) })}</p>
    </div>
  );
}

interface QuantityProps {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
}

const Quantity = ({ label, value, unit }: QuantityProps) => (
  <>
    <dt>{label}</dt>
    <dd>
      {value} <small>{unit}</small>
    </dd>
  </>
);
