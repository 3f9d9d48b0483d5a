import { Button, Menu } from "@mantine/core";
import type { AlarmRecord } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { useCommand, useConnection, useStation } from "../../data/hooks.ts";
import { formatMinutes } from "../../format/durations.ts";
import { alarmPath } from "./useAlarms.ts";

const MINUTES = [5, 15, 30, 60, 240];

/** Shelves an alarm for a time, or takes it back. */
export function ShelveControl({ alarm: { id, state, text } }: { readonly alarm: AlarmRecord }) {
  const { t } = useTexts();
  const { calls } = useStation();
  const { isBusy, send } = useCommand();
  const isDisabled = useConnection() === "disconnected" || isBusy;
  const path = alarmPath(id, "shelve");
  if (state === "cleared") return null;
  if (state === "shelved")
    return (
      <Button
        size="compact-xs"
        aria-label={t("alarms.unshelve_of", { text })}
        disabled={isDisabled}
        onClick={() => void send(() => calls.delete(path))}
      >
        {t("alarms.unshelve")}
      </Button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-xs" aria-label={t("alarms.shelve_of", { text })} disabled={isDisabled}>
          {t("alarms.shelve")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {MINUTES.map((minutes) => (
          <Menu.Item key={minutes} onClick={() => void send(() => calls.post(path, { for: `PT${minutes}M` }))}>
            {t("alarms.shelve_for", { time: formatMinutes(minutes, t) })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
