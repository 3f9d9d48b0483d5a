import { Box, Stack } from "@mantine/core";
import type { NextStep, VppBalance } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useDrill } from "../../app/useDrill.ts";
import { useVppName, VppChoice } from "../../app/vppChoice.tsx";
import { useNowMs, useSandbox } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { BESIDE, Columns, EmptyState, EventLine, Panel, ResourceView, ScrollWindow } from "../../parts/Panel.tsx";
import { AlarmPanel } from "../alarms/AlarmPanel.tsx";
import { EventPanel } from "../alarms/EventPanel.tsx";
import { MembersPanel } from "../sites/MembersPanel.tsx";
import { COLUMNS_OF_NOW } from "../sites/memberState.ts";
import { AwardPanel, NoAwardPanel } from "./AwardPanel.tsx";
import { AwardsTable } from "./AwardsTable.tsx";
import { DrillPanel } from "./DrillPanel.tsx";
import { FcrPanel } from "./FcrPanel.tsx";
import { PermissionPanel } from "./PermissionPanel.tsx";
import { PowerPanel } from "./PowerPanel.tsx";

/** Of a long list the first ones; it scrolls. */
const SHOWN_MAX = 12;

/** What comes next, by instant. */
function NextPanel({ next }: { readonly next: readonly NextStep[] }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const drill = useDrill();
  const textOf = ({ what, name, requested_kw }: NextStep): string => {
    const award = name ?? "";
    if (what === "award_registration") return t("next.award_registration", { award });
    if (what === "award_start") return t("next.award_start", { award, kw: formatKw(requested_kw ?? 0) });
    if (what === "award_end") return t("next.award_end", { award });
    return t(drill === null ? "next.scenario_end" : "next.drill_end");
  };
  return (
    <Panel title={t("next.title")}>
      <ScrollWindow label={t("next.title")} height="8rem">
        {next.length === 0 && <EmptyState>{t("next.none")}</EmptyState>}
        <ul>
          {next.slice(0, SHOWN_MAX).map((step, place) => (
            // A row keeps its place and changes its text, so that a step that is over moves none of them.
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the row
            <EventLine key={place}>
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

/** What is promised, what comes, what is uncovered, since when, why and by which site. */
export function NowPage() {
  const { t } = useTexts();
  const vpp = useVppName();
  const balance = useSandbox<VppBalance>(`/sandbox/vpps/${encodeURIComponent(vpp)}/balance`);
  return (
    <>
      <h1 className="visually-hidden">{t("nav.now")}</h1>
      <Columns template={BESIDE}>
        <Stack gap="sm">
          <VppChoice />
          <Box mih="12rem">
            <ResourceView resource={balance}>
              {({ awards, next }) => {
                if (awards.length === 0) return <NoAwardPanel next={next} />;
                return awards.length === 1 ? (
                  <AwardPanel key={awards[0].award_id} vpp={vpp} award={awards[0]} />
                ) : (
                  <AwardsTable vpp={vpp} awards={awards} />
                );
              }}
            </ResourceView>
          </Box>
          <PowerPanel key={`power ${vpp}`} vpp={vpp} awards={balance.value?.awards ?? []} />
          <MembersPanel vpp={vpp} height="28rem" columns={COLUMNS_OF_NOW} />
          <FcrPanel key={`fcr ${vpp}`} vpp={vpp} />
        </Stack>
        <Stack gap="sm">
          <DrillPanel />
          <PermissionPanel />
          <AlarmPanel />
          <NextPanel next={balance.value?.next ?? []} />
          <EventPanel />
        </Stack>
      </Columns>
    </>
  );
}
