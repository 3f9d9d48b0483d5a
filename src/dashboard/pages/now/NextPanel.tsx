import type { NextStep } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useDrill } from "../../app/useDrill.ts";
import { useNowMs } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { Panel } from "../../parts/Panel.tsx";
import { ScrollWindow } from "../../parts/ScrollWindow.tsx";
import { EventLine } from "../../parts/TimedRow.tsx";

/** Of a long list the first ones; it scrolls. */
const SHOWN_MAX = 12;

/** What comes next, by instant. */
export function NextPanel({ next }: { readonly next: readonly NextStep[] }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const drill = useDrill();
  const textOf = ({ what, award_id, requested_kw }: NextStep): string => {
    const award = award_id ?? "";
    if (what === "award_registration") return t("next.award_registration", { award });
    if (what === "award_start") return t("next.award_start", { award, kw: formatKw(requested_kw ?? 0) });
    if (what === "award_end") return t("next.award_end", { award });
    return t(drill === null ? "next.scenario_end" : "next.drill_end");
  };
  return (
    <Panel title={t("next.title")}>
      <ScrollWindow label={t("next.title")} height="8rem">
        <ul>
          {next.slice(0, SHOWN_MAX).map((step) => (
            <EventLine key={`${step.at} ${step.what} ${step.award_id}`}>
              <time dateTime={step.at} className="nowrap">
                {times.instant(msOf(step.at), nowMs)}
              </time>
              <span>{textOf(step)}</span>
            </EventLine>
          ))}
        </ul>
      </ScrollWindow>
    </Panel>
  );
}
