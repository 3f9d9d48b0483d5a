import type { LiveStep } from "../../browser/liveScenario.ts";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { formatKw } from "../../dashboard/format/numbers.ts";
import { CauseName, causeColour, hatch } from "../../dashboard/parts/Cause.tsx";
import { shortfallOf, type WhatIfState } from "./whatIfModel.ts";

type Cause = keyof LiveStep["causes"];

/** Those that occur, in their order. */
const causesOf = ({ causes }: LiveStep): readonly { readonly cause: Cause; readonly kwh: number }[] =>
  Object.keys(causes)
    .filter((name): name is Cause => name in causes)
    .map((cause) => ({ cause, kwh: causes[cause] }))
    .filter(({ kwh }) => kwh > 0);

/** kWh and kW of the newest step. */
export function LiveFigures({ state: { step, stepMs } }: { readonly state: WhatIfState }) {
  const { t } = useTexts();
  if (step === null) return <p className="muted">{t("playground.state.loading")}</p>;
  const shortfallKwh = shortfallOf(step);
  const causes = causesOf(step);
  return (
    <>
      <dl className="livefig">
        <div>
          <dt>{t("playground.shortfall")}</dt>
          <dd data-testid="live-shortfall" data-kwh={shortfallKwh.toFixed(3)}>
            <Quantity value={shortfallKwh} unit="kWh" />
          </dd>
        </div>
        <div>
          <dt>{t("playground.uncovered")}</dt>
          <dd>
            <Quantity value={Number(step.kpis.uncovered_kw_max)} unit="kW" />
          </dd>
        </div>
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
    </>
  );
}

const Quantity = ({ value, unit }: { readonly value: number; readonly unit: string }) => (
  <>
    {formatKw(value)} <small>{unit}</small>
  </>
);
