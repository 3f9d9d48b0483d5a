import { Button, FileButton, Group, Table, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { SandboxCheckpoints } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useShortcut } from "../../app/useShortcut.ts";
import { useCommand, useNowMs, useSandbox, useSession, useStation } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { Confirmed } from "../../parts/Confirmed.tsx";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { Refusal } from "../../parts/Refusal.tsx";
import { saveText } from "../report/openHtml.ts";

/** Snapshots and backtracks, and the initial condition. */
export function SnapshotPanel() {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const { calls } = useStation();
  const { scenario } = useSession();
  const { value } = useSandbox<SandboxCheckpoints>("/sandbox/checkpoints");
  const [label, setLabel] = useState("");
  const { isBusy, refusal, send } = useCommand();
  const take = () =>
    void send(() => calls.post("/sandbox/checkpoints", label === "" ? {} : { label })).then(
      (isDone) => isDone && setLabel(""),
    );
  const load = (file: File | null) => {
    if (file !== null) void send(async () => calls.post("/sandbox/initial-conditions", JSON.parse(await file.text())));
  };
  useShortcut("k", take);
  const openedAt = times.instant(msOf(scenario.opened_at), nowMs);
  const snapshots = [...(value?.checkpoints ?? [])].reverse();
  return (
    <Panel
      title={t("instructor.snapshots")}
      note={t("instructor.initial_text", { scenario: scenario.name, at: openedAt })}
    >
      <Group
        component="form"
        gap="0.375rem"
        mb="0.375rem"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          take();
        }}
      >
        <TextInput
          aria-label={t("instructor.snapshot_label")}
          placeholder={t("instructor.snapshot_label")}
          value={label}
          maxLength={200}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
        <Button type="submit" disabled={isBusy}>
          {t("instructor.take")}
        </Button>
        <Confirmed
          label={t("instructor.reset")}
          name={t("instructor.reset")}
          question={t("instructor.reset_sure", { at: openedAt })}
          isBusy={isBusy}
          onYes={() => void send(() => calls.post("/sandbox/reset"))}
        />
      </Group>
      <FileButton accept="application/json" onChange={load}>
        {(props) => (
          <Button {...props} size="compact-xs" disabled={isBusy} mb="0.375rem">
            {t("instructor.initial_load")}
          </Button>
        )}
      </FileButton>
      {refusal !== null && <Refusal>{refusal.text}</Refusal>}
      {snapshots.length === 0 && <EmptyState>{t("instructor.no_snapshots")}</EmptyState>}
      {snapshots.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("instructor.time")}</Table.Th>
              <Table.Th>{t("instructor.snapshot_label")}</Table.Th>
              <Table.Th>{t("instructor.action")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {snapshots.map(({ checkpoint_id, at, label: name }) => (
              <Table.Tr key={checkpoint_id}>
                <Table.Th scope="row" className="nowrap">
                  {times.clock(msOf(at))}
                </Table.Th>
                <Table.Td style={{ overflowWrap: "anywhere" }}>{name ?? "–"}</Table.Td>
                <Table.Td>
                  <Button
                    size="compact-xs"
                    disabled={isBusy}
                    aria-label={t("instructor.initial_save_of", { at: times.clock(msOf(at)), label: name ?? "" })}
                    onClick={() =>
                      void send(async () =>
                        saveText(
                          "initial-condition.json",
                          await calls.text(`/sandbox/initial-conditions/${encodeURIComponent(checkpoint_id)}`),
                          "application/json",
                        ),
                      )
                    }
                  >
                    {t("instructor.save_file")}
                  </Button>
                  <Confirmed
                    label={t("instructor.backtrack")}
                    name={t("instructor.backtrack_to", { at: times.clock(msOf(at)), label: name ?? "" })}
                    question={t("instructor.backtrack_sure", { at: times.clock(msOf(at)) })}
                    isBusy={isBusy}
                    onYes={() =>
                      void send(() => calls.post(`/sandbox/checkpoints/${encodeURIComponent(checkpoint_id)}/restore`))
                    }
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <p className="muted" style={{ fontSize: "0.75rem" }}>
        {t("instructor.backtrack_note")}
      </p>
    </Panel>
  );
}
