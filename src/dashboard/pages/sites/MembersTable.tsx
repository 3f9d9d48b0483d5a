import { Box, Table, UnstyledButton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import type { MemberView } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { MemberRow } from "./MemberRow.tsx";
import type { Column, Priorities, Sorting } from "./memberState.ts";

interface MembersTableProps {
  readonly members: readonly MemberView[];
  readonly priorities: Priorities;
  /** Instant of the answer that has the members. */
  readonly at: string;
  readonly vpp: string;
  readonly sorting: Sorting;
  readonly onSort: (column: Column) => void;
  /** Greatest height, as CSS. */
  readonly height: string;
  readonly columns: readonly Column[];
}

const LEFT_COLUMNS: readonly Column[] = ["site", "status", "soc", "dispatch"];

/** Rows outside the view that are kept, so that scrolling shows no gaps. */
const OVERSCAN = 8;

/** Height of a row in pixels, at the page's type size. */
const rowPx = (): number => 2.25 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

const TABLE = {
  stickyHeader: true,
  layout: "fixed",
  highlightOnHover: true,
  highlightOnHoverColor: "var(--tint)",
} as const;

/** One row of each member; only the rows in view are in the page. */
export function MembersTable({ members, priorities, at, vpp, sorting, onSort, height, columns }: MembersTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: members.length,
    getScrollElement: () => scroller.current,
    estimateSize: rowPx,
    getItemKey: (k) => members[k].site,
    overscan: OVERSCAN,
  });
  const rows = virtual.getVirtualItems();
  const before = rows[0]?.start ?? 0;
  const minWidth = columns.reduce((sum, column) => sum + (WIDTHS[column] ?? REST_WIDTH), 0);
  const after = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard
    <div ref={scroller} className="members" style={{ maxHeight: height, overflow: "auto" }} tabIndex={0}>
      <Table {...TABLE} miw={`${minWidth}rem`} aria-rowcount={members.length + 1}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <HeadCell key={column} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Spacer px={before} columnCount={columns.length} />
          {rows.map(({ index }) => (
            <MemberRow
              key={members[index].site}
              member={members[index]}
              at={at}
              vpp={vpp}
              priority={priorities.get(members[index].site) ?? null}
              rowIndex={index + 2}
              columns={columns}
            />
          ))}
          <Spacer px={after} columnCount={columns.length} />
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** Takes the height of the rows that are not in view. */
function Spacer({ px, columnCount }: { readonly px: number; readonly columnCount: number }) {
  return px <= 0 ? null : (
    <tr>
      <td colSpan={columnCount} style={{ height: px, padding: 0, border: 0 }} />
    </tr>
  );
}

/** Widths for the longest values of columns in rem, so that no column moves when a value grows; the others take the rest. */
const WIDTHS: Readonly<Partial<Record<Column, number>>> = {
  site: 7,
  status: 9,
  power: 5.25,
  baseline: 6,
  set_point: 6.25,
  delivered: 6.25,
  soc: 6.25,
  energy: 5.75,
  headroom: 9.5,
  minutes: 9.75,
  weight: 8.5,
};
/** Least width of a column without one of its own. */
const REST_WIDTH = 7;

/** Names of sites may be long: a wider screen gives them more. */
const widthOf = (column: Column): string | undefined =>
  column === "site" ? `max(${WIDTHS.site}rem, 8.75vw)` : column in WIDTHS ? `${WIDTHS[column]}rem` : undefined;

interface HeadCellProps {
  readonly column: Column;
  readonly sorting: Sorting;
  readonly onSort: (column: Column) => void;
}

function HeadCell({ column, sorting, onSort }: HeadCellProps) {
  const { t } = useTexts();
  const isLeft = LEFT_COLUMNS.includes(column);
  const isSorted = sorting.column === column;
  const order = sorting.isDescending ? "descending" : "ascending";
  const name = t(`column.${column}`);
  return (
    <Table.Th
      aria-sort={isSorted ? order : "none"}
      className={isLeft ? undefined : "num"}
      style={{ width: widthOf(column) }}
    >
      <UnstyledButton
        pos="relative"
        fz="inherit"
        fw={500}
        ta="inherit"
        lh="inherit"
        title={t("column.sort", { column: name })}
        onClick={() => onSort(column)}
      >
        {name}
        {/* Beside the name, outside of its width: the column that is sorted is no wider. */}
        <Box
          component="span"
          pos="absolute"
          {...{ [isLeft ? "left" : "right"]: "calc(100% + 2px)" }}
          aria-hidden="true"
        >
          {isSorted ? (sorting.isDescending ? "▼" : "▲") : ""}
        </Box>
      </UnstyledButton>
    </Table.Th>
  );
}
