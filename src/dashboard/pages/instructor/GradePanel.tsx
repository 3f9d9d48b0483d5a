import { Progress, Table } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { useDrill } from "../../app/useDrill.ts";
import { useSandbox } from "../../data/hooks.ts";
import { formatNumber } from "../../format/numbers.ts";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { ResourceView } from "../../parts/ResourceView.tsx";
import { DebriefingButton } from "../report/DebriefingButton.tsx";

/** The fields of a grade that the page shows (docs/drills.md#json). */
interface Grade {
  readonly score: number;
  readonly pass_score: number;
  readonly complete: boolean;
  readonly goals: readonly {
    readonly measure: string;
    readonly text: string;
    readonly value_text: string;
    readonly points: number | null;
    readonly met: boolean;
  }[];
  readonly best: { readonly note: string };
}

/** Real ms between two reads: a grade takes a search for the best that was possible. */
const PERIOD_MS = 60_000;

/** The grade so far, between doing nothing and the best that was possible. */
export function GradePanel() {
  const { t, language } = useTexts();
  const drill = useDrill();
  const grade = useSandbox<Grade>(drill === null ? null : `/sandbox/grade?lang=${language}`, PERIOD_MS);
  return (
    <Panel title={t("instructor.grade")} note={drill?.title}>
      {drill === null ? (
        <EmptyState>{t("instructor.no_grade")}</EmptyState>
      ) : (
        <ResourceView resource={grade}>{(value) => <GradeText grade={value} />}</ResourceView>
      )}
      {drill !== null && <DebriefingButton />}
    </Panel>
  );
}

function GradeText({ grade: { score, goals, best } }: { readonly grade: Grade }) {
  const { t } = useTexts();
  const label = t("instructor.score", { score: formatNumber(score, 1) });
  return (
    <>
      <p>
        <b>{label}</b> <span className="muted">{t("instructor.score_scale")}</span>
      </p>
      <Progress value={Math.max(0, Math.min(100, score))} aria-label={label} color="var(--requested)" />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("instructor.goal")}</Table.Th>
            <Table.Th className="num">{t("instructor.goal_value")}</Table.Th>
            <Table.Th className="num">{t("instructor.goal_points")}</Table.Th>
            <Table.Th>{t("instructor.goal_met")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {goals.map(({ measure, text, value_text, points, met }) => (
            <Table.Tr key={measure}>
              <Table.Th scope="row">{text}</Table.Th>
              <Table.Td className="num">{value_text}</Table.Td>
              <Table.Td className="num">{points === null ? "–" : formatNumber(points, 1)}</Table.Td>
              <Table.Td>{t(met ? "instructor.yes" : "instructor.no")}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <p className="muted small">{best.note}</p>
    </>
  );
}
