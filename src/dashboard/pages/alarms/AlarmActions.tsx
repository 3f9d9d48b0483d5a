import { Alert, Anchor, Button, Group } from "@mantine/core";
import { useState } from "react";
import type { AlarmRecord, OwnerCall } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo, useQueryState } from "../../app/route.ts";
import { useConnection, useMay, useStation } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { RedispatchButton } from "../instruct/RedispatchButton.tsx";
import { useAcknowledge } from "./useAlarms.ts";

/** Acknowledge, or mark as read. */
export function AcknowledgeButton({ alarm }: { readonly alarm: AlarmRecord }) {
  const { t } = useTexts();
  const acknowledge = useAcknowledge();
  const { text, state, acknowledged_at } = alarm;
  const isCleared = state === "cleared";
  if (!isCleared && acknowledged_at !== null) return null;
  return (
    <Button
      size="compact-xs"
      aria-label={t(isCleared ? "alarms.read_of" : "alarms.acknowledge_of", { text })}
      onClick={() => acknowledge(alarm)}
    >
      {t(isCleared ? "alarms.read" : "alarms.acknowledge")}
    </Button>
  );
}

/** From an alarm to its moment on the chart, its site, the story and the re-dispatch of its award, and the owner of the site. */
export function AlarmLinks({ alarm }: { readonly alarm: AlarmRecord }) {
  const { t } = useTexts();
  const times = useTimes();
  const { raised_at, site, vpp, award, award_name } = alarm;
  const [, openStory] = useQueryState("story", "");
  return (
    <Group gap="sm">
      <Anchor
        href={hrefTo(["now"], { vpp, at: raised_at })}
        aria-label={t("alarms.on_chart_of", { at: times.clock(msOf(raised_at)) })}
        size="sm"
      >
        {t("alarms.on_chart")}
      </Anchor>
      {site !== null && (
        <Anchor href={hrefTo(["sites", site])} size="sm">
          {site}
        </Anchor>
      )}
      {award !== null && (
        <Button
          size="compact-xs"
          aria-label={t("alarms.why_of", { award: award_name ?? award })}
          onClick={() => openStory(award)}
        >
          {t("alarms.why")}
        </Button>
      )}
      {award !== null && alarm.state !== "cleared" && (
        <RedispatchButton vpp={vpp} awardId={award} name={award_name ?? award} />
      )}
      {site !== null && alarm.state !== "cleared" && <OwnerCallButton site={site} />}
    </Group>
  );
}

/** Calls the owner of a site, where the drill allows it, and shows what the owner answers. */
export function OwnerCallButton({ site }: { readonly site: string }) {
  const { t, language } = useTexts();
  const { calls, reads } = useStation();
  const mayCall = useMay("owner_calls");
  const isConnected = useConnection() !== "disconnected";
  const [answer, setAnswer] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (!mayCall) return null;
  const call = async () => {
    setBusy(true);
    try {
      setAnswer((await calls.post<OwnerCall>(`/sandbox/owner-calls?lang=${language}`, { site })).answer);
    } catch (error) {
      setAnswer(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
    reads.refresh();
  };
  return (
    <>
      <Button
        size="compact-xs"
        aria-label={t("alarms.call_owner_of", { site })}
        disabled={!isConnected || isBusy}
        onClick={() => void call()}
      >
        {t("alarms.call_owner")}
      </Button>
      {answer !== null && (
        <Alert role="status" p="xs">
          {t("alarms.owner_answered", { site, answer })}
        </Alert>
      )}
    </>
  );
}
