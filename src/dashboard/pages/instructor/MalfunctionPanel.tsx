import { Button, NumberInput, type NumberInputProps, Select, Table } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { SandboxFaults, SandboxInjects, VppBalance } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useVppName } from "../../app/vppChoice.tsx";
import { balancePath, useCommand, useNowMs, useSandbox, useSession, useStation } from "../../data/hooks.ts";
import { formatDuration } from "../../format/durations.ts";
import { InstantInput } from "../../parts/InstantInput.tsx";
import { EmptyState, Panel, ScrollWindow, StateTag } from "../../parts/Panel.tsx";
import { Refusal } from "../../parts/Refusal.tsx";
import { MalfunctionHead } from "./MalfunctionHead.tsx";
import {
  CONDITION_LIMITS,
  MALFUNCTION_KINDS,
  MALFUNCTION_TIMES,
  type MalfunctionDraft,
  type MalfunctionRow,
  type MalfunctionTime,
  malfunctionRequest,
  malfunctionRows,
  OUTPUT_CONTROL_REASONS,
  preparedRequest,
  SENSORS,
} from "./malfunction.ts";
import { useConditionText } from "./useConditionText.ts";

/** What is in force and what is planned, each with a button to end or cancel it. */
function MalfunctionTable({ rows }: { readonly rows: readonly MalfunctionRow[] }) {
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
            <MalfunctionHead begin="instructor.from_to" />
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
          {t(
            origin === "scenario"
              ? "instructor.state.scenario"
              : isCondition
                ? "instructor.state.condition"
                : `instructor.state.${state}`,
          )}
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
        {origin !== "scenario" && (state === "in_force" || state === "planned") && (
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
  const period = `${times.exactInstant(startMs, nowMs)} – ${end}`;
  if (startMs <= nowMs) return period;
  return `${period} (${t("instructor.in_time", { time: formatDuration((startMs - nowMs) / 1_000, t) })})`;
}

const MS_PER_MINUTE = 60_000;

/** Faults and injects, as rows. */
export function useMalfunctions() {
  const faults = useSandbox<SandboxFaults>("/sandbox/faults").value?.faults ?? [];
  const { injects = [], scenario_faults = [] } = useSandbox<SandboxInjects>("/sandbox/injects").value ?? {};
  return malfunctionRows(faults, injects, scenario_faults);
}

/** Inserts malfunctions, now or later, and ends or cancels them. */
export function MalfunctionPanel() {
  const { t } = useTexts();
  const rows = useMalfunctions();
  return (
    <Panel title={t("instructor.malfunctions")} note={t("instructor.malfunctions_lead")}>
      <MalfunctionForm rows={rows} />
      <MalfunctionTable rows={rows} />
    </Panel>
  );
}

function MalfunctionForm({ rows }: { readonly rows: readonly MalfunctionRow[] }) {
  const { t } = useTexts();
  const { calls } = useStation();
  const { sites } = useSession();
  const vpp = useVppName();
  const nowMs = useNowMs();
  const { isBusy, refusal, send } = useCommand();
  const [inserted, setInserted] = useState<MalfunctionDraft | null>(null);
  const [draft, setDraft] = useState<MalfunctionDraft>(() => ({
    kind: "outage",
    site: sites[0]?.name ?? "",
    when: "now",
    afterMinutes: 20,
    atMs: Math.ceil((nowMs + MS_PER_MINUTE) / (5 * MS_PER_MINUTE)) * 5 * MS_PER_MINUTE,
    awardId: null,
    limit: null,
    socSite: sites[0]?.name ?? "",
    forMinutes: null,
    minutes: 20,
    limitPct: 40,
    reason: "other",
    rampInMinutes: null,
    rampOutMinutes: null,
    sensor: "power",
    offset: 10,
  }));
  const change = (changes: Partial<MalfunctionDraft>) => setDraft((known) => ({ ...known, ...changes }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { path, body } = malfunctionRequest(draft, vpp, nowMs);
    void send(() => calls.post(path, body)).then((isDone) => setInserted(isDone ? draft : null));
  };
  return (
    <form className="control-form malfunction-form" onSubmit={submit}>
      <Select
        label={t("instructor.kind")}
        data={MALFUNCTION_KINDS.map((value) => ({ value, label: t(`instructor.kind.${value}`) }))}
        value={draft.kind}
        onChange={(kind) => change({ kind: kind as MalfunctionDraft["kind"] })}
      />
      <Select
        label={t("instructor.site")}
        data={sites.map(({ name }) => name)}
        value={draft.site}
        searchable
        onChange={(site) => change({ site: site ?? "" })}
      />
      <WhenFields draft={draft} change={change} />
      <NumberField
        label={t("instructor.for")}
        placeholder={t("instructor.for_hint")}
        value={draft.minutes}
        onChange={(minutes) => change({ minutes })}
      />
      <KindFields draft={draft} change={change} />
      <Button type="submit" variant="filled" disabled={isBusy || (draft.when === "at" && draft.atMs === null)}>
        {t("instructor.insert")}
      </Button>
      <Button
        disabled={isBusy || draft.when === "now" || (draft.when === "at" && draft.atMs === null)}
        onClick={() => void send(() => calls.post("/sandbox/prepared", preparedRequest(draft, vpp)))}
      >
        {t("instructor.prepare")}
      </Button>
      {refusal !== null && (
        <Refusal className="wide">
          {refusal.parameter === null ? "" : `${refusal.parameter}: `}
          {refusal.text}
        </Refusal>
      )}
      <span role="status" className="wide muted">
        {inserted !== null &&
          rows.some(({ kind, site }) => kind === inserted.kind && site === inserted.site) &&
          t("instructor.inserted", { kind: t(`instructor.kind.${inserted.kind}`), site: inserted.site })}
      </span>
    </form>
  );
}

interface DraftProps {
  readonly draft: MalfunctionDraft;
  readonly change: (changes: Partial<MalfunctionDraft>) => void;
}

/** When it begins: now, at a time, or when a condition holds. */
function WhenFields({ draft, change }: DraftProps) {
  const { t } = useTexts();
  const { value: balance } = useSandbox<VppBalance>(balancePath(useVppName()));
  const awards = [...(balance?.next ?? []), ...(balance?.awards ?? [])].flatMap(({ award_id, name }) =>
    award_id === null ? [] : [[award_id, name ?? award_id] as const],
  );
  return (
    <>
      <Select
        label={t("instructor.when")}
        data={MALFUNCTION_TIMES.map((value) => ({ value, label: t(`instructor.when.${value}`) }))}
        value={draft.when}
        onChange={(value) => {
          const when = value as MalfunctionTime;
          change({ when, limit: CONDITION_LIMITS[when] ?? null });
        }}
      />
      {draft.when === "at" && (
        <InstantInput
          label={t("instructor.at")}
          precision="seconds"
          atMs={draft.atMs}
          onChange={(atMs) => change({ atMs })}
        />
      )}
      {draft.when === "after" && (
        <NumberField
          label={t("instructor.after_minutes")}
          min={0}
          value={draft.afterMinutes}
          onChange={(afterMinutes) => change({ afterMinutes })}
        />
      )}
      {draft.when === "award" && (
        <Select
          label={t("instructor.award")}
          data={[...new Map(awards)].map(([value, label]) => ({ value, label }))}
          value={draft.awardId}
          required
          onChange={(awardId) => change({ awardId })}
        />
      )}
      {draft.when !== "now" && draft.when !== "at" && draft.when !== "after" && (
        <ConditionFields draft={draft} when={draft.when} change={change} />
      )}
    </>
  );
}

interface ConditionProps extends DraftProps {
  readonly when: Exclude<MalfunctionTime, "now" | "at" | "after">;
}

/** Limit of the condition, the site that it is about, and how long it must hold. */
function ConditionFields({ draft, when, change }: ConditionProps) {
  const { t } = useTexts();
  const { sites } = useSession();
  return (
    <>
      {when === "soc_below" && (
        <Select
          label={t("instructor.soc_site")}
          data={sites.map(({ name }) => name)}
          value={draft.socSite}
          searchable
          onChange={(socSite) => change({ socSite: socSite ?? "" })}
        />
      )}
      {when !== "award" && (
        <NumberField
          label={t(`instructor.condition_limit.${when}`)}
          value={draft.limit}
          required
          onChange={(limit) => change({ limit })}
        />
      )}
      <NumberField
        label={t("instructor.true_for")}
        placeholder={t("instructor.true_for_hint")}
        value={draft.forMinutes}
        min={0}
        onChange={(forMinutes) => change({ forMinutes })}
      />
    </>
  );
}

interface NumberFieldProps extends Omit<NumberInputProps, "value" | "onChange"> {
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** A number, or nothing: `null`. */
function NumberField({ value, onChange, ...props }: NumberFieldProps) {
  return (
    <NumberInput
      {...props}
      value={value ?? ""}
      onChange={(written) => onChange(written === "" ? null : Number(written))}
    />
  );
}

const LIMITED: ReadonlySet<string> = new Set(["output_control", "derate", "irradiance_shortfall"]);

/** The fields that a kind has of its own. */
function KindFields({ draft, change }: DraftProps) {
  const { t } = useTexts();
  const { kind } = draft;
  return (
    <>
      {LIMITED.has(kind) && (
        <NumberField
          label={t("instructor.limit")}
          value={draft.limitPct}
          min={0}
          max={100}
          onChange={(limitPct) => change({ limitPct })}
        />
      )}
      {kind === "output_control" && (
        <Select
          label={t("instructor.reason")}
          data={OUTPUT_CONTROL_REASONS.map((value) => ({ value, label: t(`instructor.reason.${value}`) }))}
          value={draft.reason}
          onChange={(reason) => change({ reason: reason as MalfunctionDraft["reason"] })}
        />
      )}
      {kind === "derate" && (
        <>
          <NumberField
            label={t("instructor.ramp_in")}
            min={0}
            value={draft.rampInMinutes}
            onChange={(rampInMinutes) => change({ rampInMinutes })}
          />
          <NumberField
            label={t("instructor.ramp_out")}
            min={0}
            value={draft.rampOutMinutes}
            onChange={(rampOutMinutes) => change({ rampOutMinutes })}
          />
        </>
      )}
      {(kind === "sensor_offset" || kind === "sensor_stuck") && (
        <Select
          label={t("instructor.sensor")}
          data={SENSORS.map((value) => ({ value, label: t(`instructor.sensor.${value}`) }))}
          value={draft.sensor}
          onChange={(sensor) => change({ sensor: sensor as MalfunctionDraft["sensor"] })}
        />
      )}
      {kind === "sensor_offset" && (
        <NumberField
          label={t(draft.sensor === "soc" ? "instructor.offset_soc" : "instructor.offset_power")}
          value={draft.offset}
          onChange={(offset) => change({ offset })}
        />
      )}
    </>
  );
}
