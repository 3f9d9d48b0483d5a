import { Progress, Table } from "@mantine/core";
import type { Grade } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useDrill } from "../../app/useDrill.ts";
import { useNowMs, useResource, useStation } from "../../data/hooks.ts";
import { formatNumber } from "../../format/numbers.ts";
import { EmptyState, Panel, ResourceView } from "../../parts/Panel.tsx";
import { DebriefingButton } from "../report/DebriefingButton.tsx";

interface TimedGrade {
  readonly grade: Grade;
  /** Simulated now at the request, epoch ms. */
  readonly atMs: number;
  /** Real instant of the request, as `performance.now()` has it. */
  readonly requestedAtMs: number;
}

/** Real ms between two reads: a grade takes a search for the best that was possible. */
const PERIOD_MS = 60_000;

/** The grade so far, between doing nothing and the best that was possible. */
export function GradePanel() {
  const { t, language } = useTexts();
  const times = useTimes();
  const drill = useDrill();
  const nowMs = useNowMs();
  const station = useStation();
  const path = `/sandbox/grade?lang=${language}`;
  const load = async (): Promise<TimedGrade> => ({
    atMs: nowMs,
    requestedAtMs: performance.now(),
    grade: await station.calls.get<Grade>(path),
  });
  const resource = useResource(drill === null ? null : path, load, PERIOD_MS);
  // A grade of the time that a backtrack has left is none of this time.
  const isPast = resource.value !== null && resource.value.requestedAtMs < station.returnedAtMs;
  const shown = isPast ? { ...resource, value: null } : resource;
  const isComputing = shown.value === null && shown.error === null;
  return (
    <Panel title={t("instructor.grade")} note={drill?.title}>
      {drill === null && <EmptyState>{t("instructor.no_grade")}</EmptyState>}
      {drill !== null && isComputing && <p role="status">{t("instructor.grade_computing")}</p>}
      {drill !== null && !isComputing && (
        <ResourceView resource={shown}>
          {({ grade, atMs }) => <GradeText grade={grade} at={times.clock(atMs)} />}
        </ResourceView>
      )}
      {drill !== null && <DebriefingButton />}
    </Panel>
  );
}

interface GradeTextProps {
  readonly grade: Grade;
  /** Simulated time until which the session is graded. */
  readonly at: string;
}

/** What has come about, and beside it, before the end, what would be at the end without further action. */
function GradeText({ grade: { score, goals, so_far, at_end_without_action, best }, at }: GradeTextProps) {
  const { t } = useTexts();
  const label = t("instructor.score", { score: formatNumber(score, 1) });
  const isOver = at_end_without_action === null;
  const metText = (isMet: boolean | null): string =>
    isMet === null ? "–" : t(isMet ? "instructor.yes" : "instructor.no");
  return (
    <>
      <p>
        {!isOver && `${t("instructor.at_end")}: `}
        <b>{label}</b> <span className="muted">{t("instructor.score_scale", { at })}</span>
      </p>
      <Progress value={Math.max(0, Math.min(100, score))} aria-label={label} color="var(--requested)" />
      <Table>
        <Table.Thead>
          {!isOver && (
            <Table.Tr>
              <Table.Td />
              <Table.Th colSpan={2} scope="colgroup">
                {t("instructor.so_far")}
              </Table.Th>
              <Table.Th colSpan={3} scope="colgroup">
                {t("instructor.at_end")}
              </Table.Th>
            </Table.Tr>
          )}
          <Table.Tr>
            <Table.Th className="nowrap">{t("instructor.goal")}</Table.Th>
            {!isOver && <ValueHeads />}
            <ValueHeads />
            <Table.Th className="num">{t("instructor.goal_points")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {goals.map(({ measure, text, value_text, points, met }, k) => (
            <Table.Tr key={measure}>
              <Table.Th scope="row">{text}</Table.Th>
              {!isOver && (
                <>
                  <Table.Td className="num">{so_far.goals[k].value_text}</Table.Td>
                  <Table.Td className="nowrap">{metText(so_far.goals[k].met)}</Table.Td>
                </>
              )}
              <Table.Td className="num">{value_text}</Table.Td>
              <Table.Td className="nowrap">{metText(met)}</Table.Td>
              <Table.Td className="num">{points === null ? "–" : formatNumber(points, 1)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <p className="muted" style={{ fontSize: "0.75rem" }}>
        {best.note}
      </p>
    </>
  );
}

function ValueHeads() {
  const { t } = useTexts();
  return (
    <>
      <Table.Th className="num">{t("instructor.goal_value")}</Table.Th>
      <Table.Th className="nowrap">{t("instructor.goal_met")}</Table.Th>
    </>
  );
}
