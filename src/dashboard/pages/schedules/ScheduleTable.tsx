import { Button, Group, Table } from "@mantine/core";
import { useState } from "react";
import { ApiError, type ErrorObject } from "../../../api/client/apiError.ts";
import { knownKey } from "../../../texts/catalogue.ts";
import { type Texts, useTexts, useTimes } from "../../app/preferences.tsx";
import { useConnection, useMay, useNowMs, useSession, useStation } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { StateTag } from "../../parts/Panel.tsx";
import { RefusalText } from "../instruct/RefusalText.tsx";
import { LabelControl } from "./LabelControl.tsx";
import type { ScheduleMember, ScheduleRow } from "./scheduleRows.ts";

interface ScheduleTableProps {
  readonly rows: readonly ScheduleRow[];
  readonly vpp: string;
}

/** One row for each schedule, with its shares and a button to delete it. */
export function ScheduleTable({ rows, vpp }: ScheduleTableProps) {
  const { t } = useTexts();
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="7rem">{t("schedules.state")}</Table.Th>
            <Table.Th>{t("schedules.product")}</Table.Th>
            <Table.Th w="6.5rem" className="num">
              {t("schedules.power")}
            </Table.Th>
            <Table.Th w="7rem" className="num">
              {t("schedules.start")}
            </Table.Th>
            <Table.Th w="7rem" className="num">
              {t("schedules.end")}
            </Table.Th>
            <Table.Th w="8rem" className="num">
              {t("schedules.uncovered")}
            </Table.Th>
            <Table.Th>{t("schedules.members")}</Table.Th>
            <Table.Th>{t("schedules.action")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} vpp={vpp} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps {
  readonly row: ScheduleRow;
  readonly vpp: string;
}

function Row({ row, vpp }: RowProps) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const { name, awardId, sku, state, powerKw, startMs, endMs, uncoveredKw } = row;
  const product = sku === null ? t("products.none") : t(`products.${sku}`);
  return (
    <Table.Tr data-state={state}>
      <Table.Td>
        <StateTag isStrong={state === "running"}>{t(`schedules.state.${state}`)}</StateTag>
      </Table.Td>
      <Table.Th scope="row">
        <Group component="span" gap="xs" wrap="nowrap" justify="space-between">
          {name === null ? product : `${name} · ${product}`}
          {awardId !== null && <LabelControl awardId={awardId} name={name ?? product} />}
        </Group>
      </Table.Th>
      <Table.Td className="num">{formatKw(powerKw)}</Table.Td>
      <Table.Td className="num">{times.instant(startMs, nowMs)}</Table.Td>
      <Table.Td className="num">{times.instant(endMs, nowMs)}</Table.Td>
      <Table.Td className="num">{formatKw(Math.abs(uncoveredKw))}</Table.Td>
      <Table.Td>{row.members === null ? <span className="muted">–</span> : <Shares members={row.members} />}</Table.Td>
      <Table.Td>
        <DeleteButton row={row} vpp={vpp} name={`${name ?? product} ${times.instant(startMs, nowMs)}`} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Shares of the members, folded up. */
function Shares({ members }: { readonly members: readonly ScheduleMember[] }) {
  const { t } = useTexts();
  const { sites } = useSession();
  const nameOf = (emsId: string) => sites.find((site) => site.ems_id === emsId)?.name ?? emsId;
  return (
    <details>
      <summary>{t("schedules.member_count", { count: members.length })}</summary>
      <ul>
        {members.map((member) => (
          <li key={member.ems_id}>
            {nameOf(member.ems_id)}: {formatShare(member.delta_kw ?? member.fcr_response_kw)}{" "}
            <span className="muted">{dispatchText(member, t)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** How a member was dispatched, or why it was not; by its name in the API where the catalogue has no words. */
function dispatchText({ dispatch_status, skip_reason }: ScheduleMember, t: Texts["t"]): string {
  const key = knownKey(skip_reason === null ? `schedules.dispatch.${dispatch_status}` : `refusal.${skip_reason}`);
  return key === null ? (skip_reason ?? dispatch_status) : t(key);
}

const formatShare = (kw: number | null): string => (kw === null ? "–" : `${formatKw(kw)} kW`);

/** Asks in place before it deletes, and shows in place what the API refuses. */
function DeleteButton({ row: { id, members, isDeletable }, vpp, name }: RowProps & { readonly name: string }) {
  const { t } = useTexts();
  const station = useStation();
  const maySchedule = useMay("schedules");
  const isConnected = useConnection() !== "disconnected";
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<ErrorObject | null>(null);
  if (!isDeletable)
    return <span className="muted">{t(members === null ? "schedules.by_itself" : "schedules.not_deletable")}</span>;
  if (!maySchedule) return null;
  const remove = async () => {
    setAsking(false);
    try {
      await station.vpp(vpp).deleteSchedule(id);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.error : { code: 0, message: String(failure) });
    }
    station.reads.refresh();
  };
  return (
    <Group gap="xs">
      {isAsking ? (
        <>
          <Button size="compact-xs" variant="filled" onClick={() => void remove()}>
            {t("schedules.delete_yes")}
          </Button>
          <Button size="compact-xs" onClick={() => setAsking(false)}>
            {t("schedules.keep")}
          </Button>
        </>
      ) : (
        <Button
          size="compact-xs"
          disabled={!isConnected}
          aria-label={t("schedules.delete_of", { schedule: name })}
          onClick={() => setAsking(true)}
        >
          {t("schedules.delete")}
        </Button>
      )}
      {error !== null && (
        <span className="field-error">
          <RefusalText error={error} />
        </span>
      )}
    </Group>
  );
}
