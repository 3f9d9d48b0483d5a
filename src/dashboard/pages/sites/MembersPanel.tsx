import { TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useMemo, useRef } from "react";
import type { VppMembersView } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { SITE_FILTER_ID } from "../../app/Shortcuts.tsx";
import { useSandbox } from "../../data/hooks.ts";
import { EmptyState, Panel, ResourceView } from "../../parts/Panel.tsx";
import { sitePriorities, useAlarms } from "../alarms/useAlarms.ts";
import { MembersTable } from "./MembersTable.tsx";
import { COLUMNS, COLUMNS_NARROW, type Column, filterMembers, parseSorting, sortMembers } from "./memberState.ts";

interface MembersPanelProps {
  readonly vpp: string;
  /** Greatest height of the table, as CSS. */
  readonly height: string;
  /** Default: all for which the screen has room. */
  readonly columns?: readonly Column[];
  /** Whether the filter takes the focus at first. */
  readonly isFinding?: boolean;
}

/** A screen with room for all columns. */
const WIDE = "(min-width: 1600px)";

/** The members of a VPP: sortable, and filtered by text. */
export function MembersPanel({ vpp, height, columns, isFinding = false }: MembersPanelProps) {
  const { t } = useTexts();
  const isWide = useMediaQuery(WIDE) ?? false;
  const resource = useSandbox<VppMembersView>(`/sandbox/vpps/${encodeURIComponent(vpp)}/members`);
  const [filter, setFilter] = useQueryState("filter", "");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFinding) field.current?.focus();
  }, [isFinding]);
  const members = resource.value?.members ?? [];
  const out = members.filter(({ status }) => status !== "in_service").length;
  return (
    <Panel
      title={t("sites.title")}
      note={t("sites.count", { count: members.length, out })}
      actions={
        <TextInput
          id={SITE_FILTER_ID}
          type="search"
          aria-label={t("sites.find")}
          placeholder={`${t("sites.find")}  /`}
          value={filter}
          ref={field}
          onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
        />
      }
    >
      <ResourceView resource={resource}>
        {(value) => (
          <Members
            value={value}
            filter={filter}
            height={height}
            columns={columns ?? (isWide ? COLUMNS : COLUMNS_NARROW)}
          />
        )}
      </ResourceView>
    </Panel>
  );
}

interface MembersProps {
  readonly value: VppMembersView;
  readonly filter: string;
  readonly height: string;
  readonly columns: readonly Column[];
}

function Members({ value: { members, at, vpp }, filter, height, columns }: MembersProps) {
  const { t } = useTexts();
  const [sortText, setSort] = useQueryState("sort", "status");
  const sorting = parseSorting(sortText);
  const alarms = useAlarms();
  const priorities = useMemo(() => sitePriorities(alarms), [alarms]);
  const shown = useMemo(
    () =>
      sortMembers(
        filterMembers(members, filter, (state) => t(`status.${state}`)),
        parseSorting(sortText),
        priorities,
      ),
    [members, filter, sortText, priorities, t],
  );
  const onSort = (column: Column) =>
    setSort(column === sorting.column && !sorting.isDescending ? `-${column}` : column);
  if (members.length === 0) return <EmptyState>{t("sites.none")}</EmptyState>;
  return (
    <>
      <p className="visually-hidden" role="status">
        {filter === "" ? "" : t("sites.shown", { shown: shown.length, count: members.length })}
      </p>
      {shown.length === 0 ? (
        <EmptyState>{t("sites.none_found", { text: filter })}</EmptyState>
      ) : (
        <MembersTable
          members={shown}
          priorities={priorities}
          at={at}
          vpp={vpp}
          sorting={sorting}
          onSort={onSort}
          height={height}
          columns={columns}
        />
      )}
    </>
  );
}
