import { ActionIcon, Button, Group, Popover, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { LABEL_ICON } from "../../app/icons.tsx";
import { useTexts } from "../../app/preferences.tsx";
import { useCommand, useConnection, useMay, useStation } from "../../data/hooks.ts";
import { isApiId } from "../../format/isApiId.ts";

const LENGTH_MAX = 60;

interface LabelControlProps {
  readonly awardId: string;
  /** Its present name: the label, or the one that it has without. */
  readonly name: string;
}

/** Gives an instruction of one's own a label, or takes it away; awards of the scenario keep their names. */
export function LabelControl({ awardId, name }: LabelControlProps) {
  const { t } = useTexts();
  const { calls } = useStation();
  const mayImmediate = useMay("immediate");
  const maySchedule = useMay("schedules");
  const isConnected = useConnection() !== "disconnected";
  const { isBusy, refusal, send, clear } = useCommand();
  const [draft, setDraft] = useState<string | null>(null);
  if (!isApiId(awardId) || !(mayImmediate || maySchedule)) return null;
  const close = () => {
    setDraft(null);
    clear();
  };
  const save = async (label: string | null) => {
    const path = `/sandbox/awards/${encodeURIComponent(awardId)}/label`;
    if (await send(() => calls.post(path, { label }))) setDraft(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const label = draft?.trim() ?? "";
    void save(label === "" ? null : label);
  };
  return (
    <Popover opened={draft !== null} onChange={close} position="bottom-end" withArrow trapFocus>
      <Popover.Target>
        <ActionIcon
          size="sm"
          aria-label={t("label.of", { award: name })}
          disabled={!isConnected}
          onClick={() => (draft === null ? setDraft(name) : close())}
        >
          {LABEL_ICON}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <TextInput
            label={t("label.title")}
            value={draft ?? ""}
            maxLength={LENGTH_MAX}
            error={refusal?.text}
            data-autofocus
            onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          />
          <Group gap="xs" mt="xs">
            <Button type="submit" size="compact-xs" variant="filled" disabled={isBusy}>
              {t("label.save")}
            </Button>
            <Button size="compact-xs" disabled={isBusy} onClick={() => void save(null)}>
              {t("label.remove")}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
