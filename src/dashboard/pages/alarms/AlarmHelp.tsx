import { Box } from "@mantine/core";
import type { AlarmRecord } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { formatMinutes } from "../../format/durations.ts";

/** Cause, consequence, what to do, and within which time, folded up. */
export function AlarmHelp({ alarm: { help } }: { readonly alarm: AlarmRecord }) {
  const { t } = useTexts();
  const minutes = Number(/^PT(\d+)M$/.exec(help.time_to_respond)?.[1] ?? 0);
  const rows = [
    [t("alarms.help_cause"), help.cause],
    [t("alarms.help_consequence"), help.consequence],
    [t("alarms.help_action"), help.action],
    [t("alarms.help_time"), formatMinutes(minutes, t)],
  ] as const;
  return (
    <details>
      <summary style={{ paddingBlock: "0.1875rem" }}>{t("alarms.help")}</summary>
      <Box component="dl" pl="lg">
        {rows.map(([name, text]) => (
          <Box key={name}>
            <Box component="dt" display="inline" fw={600}>
              {name}:{" "}
            </Box>
            <Box component="dd" display="inline">
              {text}
            </Box>
          </Box>
        ))}
      </Box>
    </details>
  );
}
