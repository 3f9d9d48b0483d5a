import { Box, Stack } from "@mantine/core";
import type { VppBalance } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { useVppName, VppChoice } from "../../app/vppChoice.tsx";
import { useSandbox } from "../../data/hooks.ts";
import { BESIDE, Columns } from "../../parts/Columns.tsx";
import { ResourceView } from "../../parts/ResourceView.tsx";
import { AlarmPanel } from "../alarms/AlarmPanel.tsx";
import { EventPanel } from "../alarms/EventPanel.tsx";
import { MembersPanel } from "../sites/MembersPanel.tsx";
import { COLUMNS_OF_NOW } from "../sites/memberState.ts";
import { AwardPanel, NoAwardPanel } from "./AwardPanel.tsx";
import { AwardsTable } from "./AwardsTable.tsx";
import { DrillPanel } from "./DrillPanel.tsx";
import { NextPanel } from "./NextPanel.tsx";
import { PermissionPanel } from "./PermissionPanel.tsx";
import { PowerPanel } from "./PowerPanel.tsx";

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
                  <AwardPanel key={awards[0].award_id} award={awards[0]} />
                ) : (
                  <AwardsTable awards={awards} />
                );
              }}
            </ResourceView>
          </Box>
          <PowerPanel key={`power ${vpp}`} vpp={vpp} awards={balance.value?.awards ?? []} />
          <MembersPanel vpp={vpp} height="28rem" columns={COLUMNS_OF_NOW} />
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
