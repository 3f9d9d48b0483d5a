import type { NextStep } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useNowMs, useSession } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel } from "../../parts/Panel.tsx";

/** Without an award: what comes next, and how to get there. */
export function NoAwardPanel({ next }: { readonly next: readonly NextStep[] }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const { ends_at } = useSession().scenario;
  const award = next.find(({ what }) => what === "award_start");
  const timeOf = (at: string) => times.instant(msOf(at), nowMs);
  return (
    <Panel title={t("award.none_title")} height="12rem">
      <EmptyState>
        {award === undefined
          ? t(nowMs < msOf(ends_at) ? "award.none_more" : "award.none_more_ended", { time: timeOf(ends_at) })
          : t("award.none_next", {
              award: award.award_id ?? "",
              kw: formatKw(award.requested_kw ?? 0),
              time: timeOf(award.at),
            })}
      </EmptyState>
    </Panel>
  );
}
