import { Select, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { SandboxAction } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { useDrill } from "../../app/useDrill.ts";
import { useLiveSession, useMay, useSession, useStation } from "../../data/hooks.ts";
import { Panel } from "../../parts/Panel.tsx";
import { OwnerCallButton } from "../alarms/AlarmActions.tsx";

/** Where a person does what a session may permit. */
const PLACES = {
  weights: ["sites"],
  immediate: ["instruct"],
  schedules: ["schedules"],
} as const satisfies Partial<Record<SandboxAction, readonly string[]>>;

const ACTIONS = ["clock", "weights", "immediate", "schedules"] as const;

/** What the trainee of a drill may do, with the way there; calls to owners are made here. */
export function PermissionPanel() {
  const { t } = useTexts();
  const { kind } = useStation();
  const { may } = useLiveSession();
  const drill = useDrill();
  if (drill === null || kind !== "trainee") return null;
  const nameOf = (action: (typeof ACTIONS)[number]): ReactNode =>
    action === "clock" ? t("may.clock") : <a href={hrefTo(PLACES[action])}>{t(`may.${action}`)}</a>;
  const denied = ACTIONS.filter((action) => !may.includes(action)).map((action) => t(`may.${action}`));
  return (
    <Panel title={t("may.title")}>
      <ul className="target-list">
        {ACTIONS.filter((action) => may.includes(action)).map((action) => (
          <li key={action}>{nameOf(action)}</li>
        ))}
      </ul>
      <OwnerCalls />
      {denied.length > 0 && <p className="muted">{t("may.not", { actions: denied.join(t("may.and")) })}</p>}
    </Panel>
  );
}

/** A call to the owner of any site; nothing where the drill has none. */
function OwnerCalls() {
  const { t } = useTexts();
  const { sites } = useSession();
  const mayCall = useMay("owner_calls");
  const [site, setSite] = useState<string | null>(null);
  if (!mayCall) return null;
  return (
    <Stack align="start" gap="0.375rem" mt="sm">
      <Select
        label={t("may.owner_calls")}
        placeholder={t("may.choose_site")}
        data={sites.map(({ name }) => name)}
        value={site}
        onChange={setSite}
        searchable
      />
      {site !== null && <OwnerCallButton key={site} site={site} />}
    </Stack>
  );
}
