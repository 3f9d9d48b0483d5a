import { Alert, Button, Stack } from "@mantine/core";
import { useState } from "react";
import type { AlarmRecord } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { Columns, EmptyState, HALVES, Panel } from "../../parts/Panel.tsx";
import { AlarmJournalPanel } from "./AlarmJournalPanel.tsx";
import { AlarmItem } from "./AlarmPanel.tsx";
import { SoundSwitch } from "./AlarmSound.tsx";
import { AllEvents } from "./AllEvents.tsx";
import { useAlarms } from "./useAlarms.ts";

/** More than this in ten minutes is more than a person can work on (EEMUA 191). */
const LOAD_MAX = 10;

/** Alarms by priority, and events newest first. */
export function AlarmsPage() {
  const { t } = useTexts();
  const { alarms, counts, raised_last_10_min: raisedCount } = useAlarms();
  return (
    <Columns template={HALVES}>
      <h1 className="visually-hidden">{t("alarms.title")}</h1>
      <Panel
        title={t("alarms.title")}
        note={t("alarms.counts", counts)}
        actions={
          <>
            <span className="muted">{t("alarms.load", { count: raisedCount })}</span>
            <SoundSwitch />
          </>
        }
      >
        {LOAD_MAX < raisedCount && <Alert p={0}>{t("alarms.load_high")}</Alert>}
        {alarms.length === 0 ? (
          <EmptyState>
            {t("alarms.none")} {t("alarms.none_why")}
          </EmptyState>
        ) : (
          <AlarmItems alarms={alarms} />
        )}
      </Panel>
      <Stack gap="sm" miw={0}>
        <AllEvents />
        <AlarmJournalPanel />
      </Stack>
    </Columns>
  );
}

/** Alarms that are shown at first, and that one press adds: each is a dozen elements, which change every second. */
const SHOWN_STEP = 40;

function AlarmItems({ alarms }: { readonly alarms: readonly AlarmRecord[] }) {
  const { t } = useTexts();
  const [shownCount, setShownCount] = useState(SHOWN_STEP);
  const moreCount = Math.min(SHOWN_STEP, alarms.length - shownCount);
  return (
    <>
      <ul>
        {alarms.slice(0, shownCount).map((alarm) => (
          <AlarmItem key={alarm.id} alarm={alarm} />
        ))}
      </ul>
      {moreCount > 0 && (
        <Button mt="sm" onClick={() => setShownCount(shownCount + SHOWN_STEP)}>
          {t("alarms.show_more", { count: moreCount })}
        </Button>
      )}
    </>
  );
}
