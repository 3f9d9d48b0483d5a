import type { EpochMs } from "../base/time.ts";
import { actionText } from "./actionText.ts";
import { isTraineeInput } from "./attempt.ts";
import type { DebriefText } from "./debriefTexts.ts";
import { type Language, textIn } from "./drill.ts";
import type { GradedDrill } from "./gradedDrill.ts";

/** One line of the time line. */
export interface DebriefEvent {
  readonly atMs: EpochMs;
  readonly kind: Exclude<Extract<DebriefText, `kind${string}`>, "kind">;
  readonly text: string;
}

/** Events of a run that an operator's time line needs besides the trainee's actions. */
const DISPATCH_EVENTS: Readonly<Record<string, string>> = {
  started: "starts",
  ended: "ends",
  redispatch: "is dispatched again",
  soc_bound: "reaches an end of its SOC window",
};

/** What happened in the drill, in order of time. */
export function debriefEvents(graded: GradedDrill, language: Language): DebriefEvent[] {
  const { drill, attempt, played, reactions } = graded;
  const events: DebriefEvent[] = [
    ...faultEvents(graded),
    ...reactions.map(({ injectId, noticedMs }) => ({
      atMs: noticedMs,
      kind: "kindNotice" as const,
      text: faultName(graded, injectId),
    })),
    ...played.inputs
      .filter(({ input }) => isTraineeInput(input))
      .map((answered) => ({
        atMs: answered.input.at_ms,
        kind: (answered.answer?.status ?? 200) < 400 ? ("kindAction" as const) : ("kindRefused" as const),
        text: `${actionText(graded, answered)}${refusalText(answered.answer?.body)}`,
      })),
    ...attempt.notes.map(({ atMs, text }) => ({ atMs, kind: "kindNote" as const, text })),
    ...played.stepsDoneMs.map((atMs, k) => ({
      atMs,
      kind: "kindStep" as const,
      text: textIn(drill.steps[k].text, language),
    })),
    ...played.record.events.flatMap(({ atMs, kind, subject, detail }) =>
      DISPATCH_EVENTS[kind] === undefined
        ? []
        : [
            {
              atMs,
              kind: "kindDispatch" as const,
              text: `${subject} ${DISPATCH_EVENTS[kind]}${detail === "" ? "" : `: ${detail}`}`,
            },
          ],
    ),
  ];
  // The sort is stable.
  return events.filter(({ atMs }) => drill.startMs <= atMs && atMs <= drill.endMs).sort((a, b) => a.atMs - b.atMs);
}

/** Faults that began and ended in the run, those of the scenario too. */
function faultEvents({ played }: GradedDrill): DebriefEvent[] {
  const { outages, outputControls } = played.record;
  const marks = (startMs: EpochMs, endMs: EpochMs, text: string): DebriefEvent[] => [
    { atMs: startMs, kind: "kindFault", text },
    { atMs: endMs, kind: "kindEnd", text },
  ];
  const others = played.injects.flatMap(({ beganMs, spec, injectId }) => {
    if (beganMs === null || spec.kind === "outage" || spec.kind === "maintenance" || spec.kind === "output_control")
      return [];
    const text = `${spec.site}: ${FAULT_TEXT[spec.kind]}`;
    const end = played.derivedChanges.find(({ change, atMs }) => change.kind === "end" && beganMs < atMs);
    const began: DebriefEvent = { atMs: beganMs, kind: "kindFault", text: `${text} (${injectId})` };
    return end === undefined ? [began] : [began, { atMs: end.atMs, kind: "kindEnd" as const, text }];
  });
  return [
    ...outages.flatMap(({ site, startMs, endMs, planned }) =>
      marks(startMs, endMs, `${site}: ${planned ? "planned maintenance" : FAULT_TEXT.outage}`),
    ),
    ...outputControls.flatMap(({ site, startMs, endMs, limitPct }) =>
      marks(startMs, endMs, `${site}: output limited to ${limitPct} %`),
    ),
    ...others,
  ];
}

const FAULT_TEXT = {
  outage: "out of service",
  maintenance: "planned maintenance",
  warning: "warning",
  link_down: "connection down",
  fcr_fault: "frequency response faulty",
  output_control: "output limited",
} as const;

function faultName({ played }: GradedDrill, injectId: string): string {
  const spec = played.injects.find((inject) => inject.injectId === injectId)?.spec;
  return spec === undefined ? injectId : `${spec.site}: ${FAULT_TEXT[spec.kind]}`;
}

/** The reason in the envelope of a refusal. */
function refusalText(body: unknown): string {
  const { error } = (body ?? {}) as { readonly error?: { readonly details?: unknown } };
  return typeof error?.details === "string" ? ` (${error.details})` : "";
}
