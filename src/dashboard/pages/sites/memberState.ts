import type { AlarmRecord, MemberView } from "../../../api/client/sandboxTypes.ts";
import { msOf } from "../../format/times.ts";
import type { AlarmPriority } from "../../parts/AlarmBadge.tsx";

/** Simulated ms after which a value is shown as stale. */
const STALE_AFTER_MS = 120_000;

/** Share of the set-point that may be missing. */
const BELOW_SHARE = 0.1;

/** State of a member in words of the page, the urgent ones first. */
export type MemberState = "out_of_service" | "unreachable" | "below" | "in_service";

const MEMBER_STATES: readonly MemberState[] = ["out_of_service", "unreachable", "below", "in_service"];

export function memberState(member: MemberView): MemberState {
  const { status, is_reachable, delivered_kw } = member;
  if (status !== "in_service") return "out_of_service";
  if (!is_reachable) return "unreachable";
  const wantedKw = setPointChange(member);
  if (wantedKw === null || wantedKw === 0 || delivered_kw === null) return "in_service";
  return delivered_kw / wantedKw < 1 - BELOW_SHARE ? "below" : "in_service";
}

/** Change of power relative to the baseline that the set-point requests, in kW; `null`: not dispatched. */
export function setPointChange({ set_point_kw, baseline_kw }: MemberView): number | null {
  return set_point_kw === null ? null : set_point_kw - (baseline_kw ?? 0);
}

/** Whether the values of a member are older than the answer that has them by more than the page shows as live. */
export const isStale = ({ data_at }: MemberView, at: string): boolean => msOf(at) - msOf(data_at) > STALE_AFTER_MS;

/** Figures of a site that an alarm may be about. */
export type AlarmFigure = "status" | "set_point" | "delivered" | "soc";

const FIGURE_OF_ALARM: Readonly<Record<AlarmRecord["kind"], AlarmFigure>> = {
  out_of_service: "status",
  link: "status",
  refused: "set_point",
  limited: "set_point",
  uncovered: "set_point",
  energy: "soc",
  empty_soon: "soc",
  below_set_point: "delivered",
  late: "delivered",
  outside_band: "delivered",
};

/** The figure of a site beside which the badge of an alarm stands. */
export function alarmFigure({ kind }: Pick<AlarmRecord, "kind">, { soc_pct }: MemberView): AlarmFigure {
  const figure = FIGURE_OF_ALARM[kind];
  return figure === "soc" && soc_pct === null ? "status" : figure;
}

/** Columns of the table, as they stand in the address. */
export const COLUMNS = [
  "site",
  "status",
  "set_point",
  "delivered",
  "soc",
  "energy",
  "headroom",
  "minutes",
  "weight",
  "power",
  "baseline",
  "dispatch",
] as const;
export type Column = (typeof COLUMNS)[number];

/** The columns that a narrow screen has room for; a site's own page has the others. */
export const COLUMNS_NARROW = COLUMNS.filter((column) => !["power", "baseline", "dispatch"].includes(column));

/** The columns beside the chart, which leaves less room. */
export const COLUMNS_OF_NOW = COLUMNS_NARROW.filter((column) => !["energy", "headroom"].includes(column));

export interface Sorting {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** `status`, or `-weight` for the reverse. */
export function parseSorting(text: string): Sorting {
  const name = text.replace(/^-/, "");
  const column = COLUMNS.find((known) => known === name) ?? "status";
  return { column, isDescending: text.startsWith("-") };
}

/** By site, the priority of its most urgent alarm. */
export type Priorities = ReadonlyMap<string, AlarmPriority>;

/** After all priorities. */
const NO_ALARM = 4;

const SORT_VALUES: Readonly<Record<Column, (member: MemberView, priorities: Priorities) => number | string | null>> = {
  site: ({ site }) => site,
  // The badge stands in this column: priority 1 first, then the state.
  status: (member, priorities) =>
    MEMBER_STATES.length * (priorities.get(member.site) ?? NO_ALARM) + MEMBER_STATES.indexOf(memberState(member)),
  power: ({ power_kw }) => power_kw,
  baseline: ({ baseline_kw }) => baseline_kw,
  set_point: setPointChange,
  delivered: ({ delivered_kw }) => delivered_kw,
  soc: ({ soc_pct }) => soc_pct,
  energy: ({ energy_kwh }) => energy_kwh,
  headroom: ({ headroom_up_kw, headroom_down_kw }) =>
    headroom_up_kw === null ? null : Math.max(headroom_up_kw, headroom_down_kw ?? 0),
  minutes: ({ minutes_to_empty, minutes_to_full }) => minutes_to_empty ?? minutes_to_full,
  weight: ({ weight }) => weight,
  dispatch: ({ last_dispatch }) => last_dispatch?.kw ?? null,
};

/** Members in order; without a value at the end, equal ones by name. */
export function sortMembers(
  members: readonly MemberView[],
  { column, isDescending }: Sorting,
  priorities: Priorities,
): MemberView[] {
  const sortValue = SORT_VALUES[column];
  const direction = isDescending ? -1 : 1;
  return [...members].sort((a, b) => {
    const [x, y] = [sortValue(a, priorities), sortValue(b, priorities)];
    if (x === y || (x === null && y === null)) return a.site < b.site ? -1 : 1;
    if (x === null) return 1;
    if (y === null) return -1;
    return x < y ? -direction : direction;
  });
}

/** Members that have every word of the text in their name, class or state. */
export function filterMembers(
  members: readonly MemberView[],
  text: string,
  stateText: (state: MemberState) => string,
): readonly MemberView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return members;
  return members.filter((member) => {
    const own = `${member.site} ${member.class} ${stateText(memberState(member))}`.toLowerCase();
    return words.every((word) => own.includes(word));
  });
}
