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

/** Of each goal what has come about, and beside it, before the end, what would be at the end without further action. */
function GradeText({ grade, at }: GradeTextProps) {
  const { t } = useTexts();
  const { score, goals, so_far, at_end_without_action, best } = grade;
  const label = t("instructor.score", { score: formatNumber(score, 1) });
  const isOver = at_end_without_action === null;
  const side = t(isOver ? "instructor.result" : "instructor.at_end");
  return (
    <>
      <p>
        {side}: <b>{label}</b> <span className="muted">{t("instructor.score_scale", { at })}</span>
      </p>
      <Progress value={Math.max(0, Math.min(100, score))} aria-label={label} color="var(--requested)" />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("instructor.goal")}</Table.Th>
            <Table.Th className="num">{t("instructor.goal_value")}</Table.Th>
            <Table.Th className="num">{t("instructor.goal_points")}</Table.Th>
            <Table.Th className="nowrap">{t("instructor.goal_met")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {goals.map(({ measure, text, value_text, points, met }, k) => (
          <Table.Tbody key={measure}>
            <Table.Tr>
              <Table.Th colSpan={4} scope="rowgroup">
                {text}
              </Table.Th>
            </Table.Tr>
            {!isOver && <FigureRow side={t("instructor.so_far")} points={null} {...so_far.goals[k]} />}
            <FigureRow side={side} value_text={value_text} points={points} met={met} />
          </Table.Tbody>
        ))}
      </Table>
      <p className="muted" style={{ fontSize: "0.75rem" }}>
        {best.note}
      </p>
    </>
  );
}

interface FigureRowProps {
  readonly side: string;
  readonly value_text: string;
  readonly points: number | null;
  /** `null`: it cannot be said yet. */
  readonly met: boolean | null;
}

function FigureRow({ side, value_text, points, met }: FigureRowProps) {
  const { t } = useTexts();
  return (
    <Table.Tr>
      <Table.Th scope="row" fw="normal" pl="md">
        {side}
      </Table.Th>
      <Table.Td className="num">{value_text}</Table.Td>
      <Table.Td className="num">{points === null ? "–" : formatNumber(points, 1)}</Table.Td>
      <Table.Td className="nowrap">{met === null ? "–" : t(met ? "instructor.yes" : "instructor.no")}</Table.Td>
    </Table.Tr>
  );
}
