import { Button, FileButton, Group, Table } from "@mantine/core";
import type { PreparedRecord, SandboxPrepared } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useCommand, useNowMs, useSandbox, useStation } from "../../data/hooks.ts";
import { formatDuration } from "../../format/durations.ts";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel, ScrollWindow, StateTag } from "../../parts/Panel.tsx";
import { Refusal } from "../../parts/Refusal.tsx";
import { saveText } from "../report/openHtml.ts";
import { MalfunctionHead } from "./MalfunctionHead.tsx";
import { durationMs } from "./malfunction.ts";
import { useConditionText } from "./useConditionText.ts";

const PATH = "/sandbox/prepared";

/** The instructor's list of prepared malfunctions, which is kept over backtracks. */
export function PreparedPanel() {
  const { t } = useTexts();
  const { calls } = useStation();
  const { value } = useSandbox<SandboxPrepared>(PATH);
  const { refusal, send, isBusy } = useCommand();
  const rows = value?.prepared ?? [];
  const load = (file: File | null) => {
    if (file !== null) void send(async () => calls.put(PATH, JSON.parse(await file.text())));
  };
  return (
    <Panel title={t("instructor.prepared")} note={t("instructor.prepared_lead")}>
      <Group gap="xs" mb="xs">
        <Button
          size="compact-xs"
          disabled={value === null}
          onClick={() => saveText("prepared.json", `${JSON.stringify(value, null, 2)}\n`, "application/json")}
        >
          {t("instructor.save_file")}
        </Button>
        <FileButton accept="application/json" onChange={load}>
          {(props) => (
            <Button {...props} size="compact-xs" disabled={isBusy}>
              {t("instructor.load_file")}
            </Button>
          )}
        </FileButton>
      </Group>
      {refusal !== null && <Refusal>{refusal.text}</Refusal>}
      {rows.length === 0 ? (
        <EmptyState>{t("instructor.no_prepared")}</EmptyState>
      ) : (
        <ScrollWindow label={t("instructor.prepared")} height="10.5rem">
          <Table miw={480} stickyHeader>
            <MalfunctionHead begin="instructor.when" />
            <Table.Tbody>
              {rows.map((row) => (
                <PreparedRow key={row.prepared_id} row={row} isBusy={isBusy} send={send} />
              ))}
            </Table.Tbody>
          </Table>
        </ScrollWindow>
      )}
    </Panel>
  );
}

interface RowProps {
  readonly row: PreparedRecord;
  readonly isBusy: boolean;
  readonly send: (command: () => Promise<unknown>) => Promise<boolean>;
}

function PreparedRow({ row, isBusy, send }: RowProps) {
  const { t } = useTexts();
  const { calls } = useStation();
  const path = `${PATH}/${encodeURIComponent(row.prepared_id)}`;
  const names = { kind: t(`instructor.kind.${row.kind}`), site: row.site };
  const act = row.armed ? "disarm" : "arm";
  return (
    <Table.Tr>
      <Table.Td>
        <StateTag isStrong={row.armed}>{t(row.armed ? "instructor.armed" : "instructor.not_armed")}</StateTag>
      </Table.Td>
      <Table.Td>{row.label === null ? names.kind : `${names.kind}: ${row.label}`}</Table.Td>
      <Table.Th scope="row" style={{ overflowWrap: "anywhere" }}>
        {row.site}
      </Table.Th>
      <Table.Td>
        <Begin row={row} />
      </Table.Td>
      <Table.Td>
        <Group gap="0.25rem" wrap="nowrap">
          <Button
            size="compact-xs"
            disabled={isBusy}
            aria-label={t(`instructor.${act}_of`, names)}
            onClick={() => void send(() => calls.post(`${path}/${act}`))}
          >
            {t(`instructor.${act}`)}
          </Button>
          <Button
            size="compact-xs"
            disabled={isBusy}
            aria-label={t("instructor.delete_of", names)}
            onClick={() => void send(() => calls.delete(path))}
          >
            {t("instructor.delete")}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function Begin({ row: { at, after, when } }: Pick<RowProps, "row">) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const conditionText = useConditionText();
  if (when !== undefined) return conditionText(when);
  if (after !== null) return t("instructor.after", { time: formatDuration(durationMs(after) / 1_000, t) });
  return at === undefined ? "" : times.exactInstant(msOf(at), nowMs);
}
