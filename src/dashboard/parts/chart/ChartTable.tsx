import { Box, Table } from "@mantine/core";
import { useState } from "react";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { formatKw } from "../../format/numbers.ts";
import { type ChartSpec, lastIndexAt } from "./chartSpec.ts";

/** Rows of the table; a longer period is shown at equal steps. */
const ROWS_MAX = 200;

/** The values of the period as a table, on demand. */
export function ChartTable({ spec }: { readonly spec: ChartSpec }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <Box component="details" className="chart-table" mb="md" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Box component="summary" c="var(--accent)">
        {t("chart.table")}
      </Box>
      {isOpen && <Values spec={spec} />}
    </Box>
  );
}

function Values({ spec }: { readonly spec: ChartSpec }) {
  const { t } = useTexts();
  const times = useTimes();
  const columns = [...spec.lines.map((line) => ({ ...line, unit: line.unit })), ...spec.causes].map((column) => ({
    label: column.label,
    unit: "unit" in column ? column.unit : spec.unit,
    values: column.values,
  }));
  return (
    <Table.ScrollContainer minWidth={300} mah="24rem" type="native">
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("chart.time")}</Table.Th>
            {columns.map(({ label, unit }) => (
              <Table.Th key={label} className="num">
                {label} {unit}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rowIndices(spec).map((k) => (
            <Table.Tr key={spec.times[k]}>
              <Table.Td>{times.clock(1_000 * spec.times[k])}</Table.Td>
              {columns.map(({ label, values }) => (
                <Table.Td key={label} className="num">
                  {formatOrDash(values[k] ?? null)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const formatOrDash = (value: number | null): string => (value === null ? "–" : formatKw(value));

/** Indices of the period, at most `ROWS_MAX` in equal steps. */
function rowIndices({ times, fromS, toS }: ChartSpec): number[] {
  const first = Math.max(0, lastIndexAt(times, fromS));
  const count = lastIndexAt(times, toS) - first + 1;
  const step = Math.max(1, Math.ceil(count / ROWS_MAX));
  return Array.from({ length: Math.ceil(count / step) }, (_, k) => first + k * step);
}
