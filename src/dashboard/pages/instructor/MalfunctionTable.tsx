import { Button, Table } from "@mantine/core";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useNowMs, useStation } from "../../data/hooks.ts";
import { useCommand } from "../../data/useCommand.ts";
import { EmptyState } from "../../parts/Panel.tsx";
import { Refusal } from "../../parts/Refusal.tsx";
import { ScrollWindow } from "../../parts/ScrollWindow.tsx";
import { StateTag } from "../../parts/StateTag.tsx";
import type { MalfunctionRow } from "./malfunction.ts";
import { useConditionText } from "./useConditionText.ts";

/** What is in force and what is planned, each with a button to end or cancel it. */
export function MalfunctionTable({ rows }: { readonly rows: readonly MalfunctionRow[] }) {
  const { t } = useTexts();
  const { refusal, send, isBusy } = useCommand();
  return (
    <>
      {refusal !== null && <Refusal>{refusal.text}</Refusal>}
      <ScrollWindow label={t("instructor.malfunctions")} height="10.5rem">
        {rows.length === 0 ? (
          <EmptyState>{t("instructor.no_malfunctions")}</EmptyState>
        ) : (
          <Table miw={480} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("instructor.state")}</Table.Th>
                <Table.Th>{t("instructor.kind")}</Table.Th>
                <Table.Th miw="6.5rem">{t("instructor.site")}</Table.Th>
                <Table.Th>{t("instructor.from_to")}</Table.Th>
                <Table.Th>{t("instructor.action")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Row key={`${row.origin} ${row.id}`} row={row} isBusy={isBusy} send={send} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </ScrollWindow>
    </>
  );
}

interface RowProps {
  readonly row: MalfunctionRow;
  readonly isBusy: boolean;
  readonly send: (command: () => Promise<unknown>) => Promise<boolean>;
}

function Row({ row, isBusy, send }: RowProps) {
  const { t } = useTexts();
  const { calls } = useStation();
  const { id, origin, kind, site, state, limitPct, condition } = row;
  const isCondition = state === "planned" && condition !== null;
  const names = { kind: t(`instructor.kind.${kind}`), site };
  const isFault = origin === "fault";
  return (
    <Table.Tr>
      <Table.Td>
        <StateTag isStrong={state === "in_force"}>
          {t(isCondition ? "instructor.state.condition" : `instructor.state.${state}`)}
        </StateTag>
      </Table.Td>
      <Table.Td>{limitPct === null ? names.kind : `${names.kind} ${limitPct} %`}</Table.Td>
      <Table.Th scope="row" style={{ overflowWrap: "anywhere" }}>
        {site}
      </Table.Th>
      <Table.Td>
        <Period row={row} />
      </Table.Td>
      <Table.Td>
        {(state === "in_force" || state === "planned") && (
          <Button
            size="compact-xs"
            disabled={isBusy}
            aria-label={t(isFault ? "instructor.end_now_of" : "instructor.cancel_of", names)}
            onClick={() =>
              void send(() => calls.delete(`/sandbox/${isFault ? "faults" : "injects"}/${encodeURIComponent(id)}`))
            }
          >
            {t(isFault ? "instructor.end_now" : "instructor.cancel")}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Period({ row: { startMs, endMs, condition } }: { readonly row: MalfunctionRow }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const conditionText = useConditionText();
  if (startMs === null) return condition === null ? "" : conditionText(condition);
  const end = endMs === null ? t("instructor.open_end") : times.exactInstant(endMs, nowMs);
  return `${times.exactInstant(startMs, nowMs)} – ${end}`;
}
