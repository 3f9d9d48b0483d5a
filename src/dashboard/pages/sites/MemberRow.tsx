import { Table } from "@mantine/core";
import { memo } from "react";
import type { LastDispatch, MemberView } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { formatMinutes } from "../../format/durations.ts";
import { formatKw, formatPct } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { refusalText } from "../../messages/refusalText.ts";
import { AlarmBadge, type AlarmPriority } from "../../parts/AlarmBadge.tsx";
import { type Column, isStale, memberState, setPointChange } from "./memberState.ts";
import { WeightCell } from "./WeightCell.tsx";

interface MemberRowProps {
  readonly member: MemberView;
  readonly at: string;
  readonly vpp: string;
  /** Of the most urgent alarm of the site; `null`: none. */
  readonly priority: AlarmPriority | null;
  readonly rowIndex: number;
  readonly columns: readonly Column[];
}

/** A member: values that are not live are muted, with the instant since when. */
export const MemberRow = memo(function MemberRow({ member, at, vpp, priority, rowIndex, columns }: MemberRowProps) {
  const { t } = useTexts();
  const times = useTimes();
  const stale = isStale(member, at);
  const staleText = stale ? t("value.stale", { time: times.clock(msOf(member.data_at)) }) : undefined;
  return (
    <Table.Tr aria-rowindex={rowIndex} data-stale={stale || undefined} title={staleText}>
      {columns.map((column) => (
        <MemberCell key={column} column={column} member={member} vpp={vpp} priority={priority} />
      ))}
    </Table.Tr>
  );
});

interface MemberCellProps extends Pick<MemberRowProps, "member" | "vpp" | "priority"> {
  readonly column: Column;
}

function MemberCell({ column, member, vpp, priority }: MemberCellProps) {
  const { t } = useTexts();
  const { site, power_kw, baseline_kw, delivered_kw, weight, last_dispatch } = member;
  switch (column) {
    case "site":
      return (
        <Table.Th scope="row" className="truncate" fw={400} title={site}>
          <a href={hrefTo(["sites", site])}>{site}</a>
        </Table.Th>
      );
    case "status":
      return (
        <Table.Td>
          <StatusCell member={member} priority={priority} />
        </Table.Td>
      );
    case "power":
      return <Value kw={power_kw} otherwise={t("value.no_data")} />;
    case "baseline":
      return <Value kw={baseline_kw} otherwise="–" />;
    case "set_point":
      return <Value kw={setPointChange(member)} otherwise={t("value.none")} />;
    case "delivered":
      return <Value kw={delivered_kw} otherwise={t("value.none")} />;
    case "soc":
      return (
        <Table.Td className="nowrap">
          <SocCell member={member} />
        </Table.Td>
      );
    case "energy":
      return <Value kw={member.energy_kwh} otherwise="–" />;
    case "headroom":
      return (
        <Table.Td className="num nowrap">
          <HeadroomText member={member} />
        </Table.Td>
      );
    case "minutes":
      return (
        <Table.Td className="num truncate">
          <MinutesText member={member} />
        </Table.Td>
      );
    case "weight":
      return (
        <Table.Td className="num">
          <WeightCell vpp={vpp} site={site} weight={weight} />
        </Table.Td>
      );
    case "dispatch":
      return (
        <Table.Td className="truncate">
          <DispatchText dispatch={last_dispatch} />
        </Table.Td>
      );
  }
}

function Value({ kw, otherwise }: { readonly kw: number | null; readonly otherwise: string }) {
  return kw === null ? (
    <Table.Td className="num muted">{otherwise}</Table.Td>
  ) : (
    <Table.Td className="num">{formatKw(kw)}</Table.Td>
  );
}

/** Badge of the alarm and word of the state. */
export function StatusCell({ member, priority }: Pick<MemberRowProps, "member" | "priority">) {
  const { t } = useTexts();
  const times = useTimes();
  const state = memberState(member);
  const { status_since } = member;
  const since = status_since === null ? undefined : t("status.since", { time: times.clock(msOf(status_since)) });
  return (
    <span className="inline" title={since}>
      {priority !== null && <AlarmBadge priority={priority} />}
      {state === "out_of_service" ? (
        <span style={{ fontWeight: 600 }}>{t(`status.${state}`)}</span>
      ) : (
        t(`status.${state}`)
      )}
    </span>
  );
}

function SocCell({ member: { soc_pct, soc_min_pct, soc_max_pct } }: { readonly member: MemberView }) {
  if (soc_pct === null) return <span className="muted">–</span>;
  return (
    <span className="inline">
      <SocBar
        socPct={soc_pct}
        window={soc_min_pct === null || soc_max_pct === null ? null : [soc_min_pct, soc_max_pct]}
      />
      {formatPct(soc_pct)}
    </span>
  );
}

function HeadroomText({ member: { headroom_up_kw, headroom_down_kw } }: { readonly member: MemberView }) {
  const { t } = useTexts();
  if (headroom_up_kw === null || headroom_down_kw === null) return <span className="muted">–</span>;
  const [up, down] = [formatKw(headroom_up_kw), formatKw(headroom_down_kw)];
  return (
    <span title={t("headroom.both", { up, down })}>
      {up} / {down}
    </span>
  );
}

/** When the store is empty or full; of a load that rests between two reductions, when it can reduce again. */
function MinutesText({ member }: { readonly member: MemberView }) {
  const { t } = useTexts();
  const times = useTimes();
  const { minutes_to_empty, minutes_to_full, available_from } = member;
  if (available_from !== null) {
    const at = times.time(msOf(available_from));
    return <span title={t("site.available_from", { at })}>{t("minutes.available_from", { at })}</span>;
  }
  if (minutes_to_empty !== null) return t("minutes.to_empty", { time: formatMinutes(minutes_to_empty, t) });
  if (minutes_to_full !== null) return t("minutes.to_full", { time: formatMinutes(minutes_to_full, t) });
  return (
    <span className="muted" title={t("minutes.none")}>
      –
    </span>
  );
}

function DispatchText({ dispatch }: { readonly dispatch: LastDispatch | null }) {
  const { t } = useTexts();
  const times = useTimes();
  if (dispatch === null) return <span className="muted">{t("dispatch.none")}</span>;
  const { kw, at, refusal, name } = dispatch;
  const text =
    refusal === null
      ? t("dispatch.given", { kw: formatKw(kw), time: times.time(msOf(at)) })
      : t("dispatch.refused", { cause: t("cause.refused"), text: refusalText(refusal, t) });
  return <span title={`${name} · ${times.iso(msOf(at))} · ${text}`}>{text}</span>;
}

interface SocBarProps {
  /** 0..100 */
  readonly socPct: number;
  /** Ends of the operating window; `null`: not known, as of a stale value. */
  readonly window: readonly [number, number] | null;
}

const BAR = { position: "relative", width: "3.25rem", height: "0.625rem" } as const;
const LEVEL = { position: "absolute", inset: "0 auto 0 0" } as const;
const END = { position: "absolute", inset: "-2px auto", borderLeft: "1px solid var(--ink)" } as const;

/** State of charge with the ends of its operating window. */
function SocBar({ socPct, window }: SocBarProps) {
  const { t } = useTexts();
  const label =
    window === null
      ? `${formatPct(socPct)} %`
      : t("soc.window", { soc: formatPct(socPct), min: formatPct(window[0]), max: formatPct(window[1]) });
  return (
    <span className="soc-bar" style={BAR} role="img" aria-label={label} title={label}>
      <i className="soc-level" style={{ ...LEVEL, width: `${socPct}%` }} />
      {window?.map((end) => (
        <i key={end} style={{ ...END, left: `${end}%` }} />
      ))}
    </span>
  );
}
