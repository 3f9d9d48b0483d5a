import type { Instruction } from "../../../../engine/vpp/instructions/instruction.ts";
import type { Trial, TrialResult, TrialShare } from "../../../../live/session/record/dispatchPreview.ts";
import { setpointRefusalText } from "../../../../live/session/record/setpointRefusal.ts";
import type {
  DispatchPreview,
  PreviewCheck,
  PreviewOverlap,
  PreviewPeriod,
  PreviewRefusal,
  PreviewShare,
} from "../../../../live/session/sandboxReads.ts";
import type { AwardNames } from "../../../../report/awardNames.ts";
import { wireTime, wireTimeOrNull } from "../../../endpoints/shared/wireTime.ts";

/** The error object of the VPP API, as far as a preview shows it. */
interface ApiRefusal {
  readonly error_type?: string;
  readonly message: string;
  readonly details?: string;
  readonly parameter?: string;
  readonly valid_range?: string;
  readonly schedule_id?: string;
}

/** Keys of a preview's body by the names that the VPP API gives them. */
const PARAMETERS: Readonly<Record<string, string>> = {
  delta_kw: "power_kw",
  fcr_response_kw: "power_kw",
  start_time: "starts_at",
  end_time: "ends_at",
  duration_minutes: "ends_at",
};

/** What a preview has looked at when it has started the instruction in a copy of the world. */
const CHECKED: Readonly<Partial<Record<PreviewCheck["what"], string>>> = {
  cooldown: "rest of loads between two reductions, at the start",
  minimum_duration: "least length of a load reduction",
  minimum_reduction: "least size of a load reduction",
  present_award_cut: "what the members do in awards that the instruction cuts",
  energy: "energy in the stores at the start; not whether it lasts until the end",
  power_limit: "limits of devices and connection points, at the start",
  output_control: "output limits that have been noticed, as if they stayed in force",
};

/** What it cannot know. */
const NOT_CHECKED: Readonly<Partial<Record<PreviewCheck["what"], string>>> = {
  weather: "sun and wind: taken as planned, or as they are now",
  load: "the members' own load: taken as planned, or as it is now",
  outages: "outages and repairs that may come",
  other_commands: "awards, instructions and owners' commands that may come",
  frequency: "the grid frequency",
};

const checks = (texts: typeof CHECKED): PreviewCheck[] =>
  (Object.keys(texts) as PreviewCheck["what"][]).map((what) => ({ what, text: texts[what] ?? "" }));

/** `POST /sandbox/vpps/{name}/preview` */
export function dispatchPreview(trial: Trial, result: TrialResult, names: AwardNames): DispatchPreview {
  const { answer, overlapping, shares, uncoveredKw, isStarted } = result;
  const refusal = answer.status < 400 ? null : (answer.body as { readonly error: ApiRefusal }).error;
  return {
    refusal: refusal === null ? null : refusalView(refusal),
    overlaps: overlapping.map((instruction) => overlapView(instruction, { trial, result, refusal, names })),
    allocation: shares.map(shareView),
    uncovered_kw: refusal === null ? uncoveredKw : Math.abs(trial.powerKw),
    checked: isStarted ? checks(CHECKED) : [],
    not_checked: isStarted ? checks(NOT_CHECKED) : checks({ ...CHECKED, ...NOT_CHECKED }),
  };
}

const shareView = ({ site, kw, headroomKw, cause, refusal, availableFromMs }: TrialShare): PreviewShare => ({
  site,
  kw,
  headroom_kw: headroomKw,
  cause,
  refusal:
    refusal === null
      ? null
      : {
          cause: refusal,
          text: setpointRefusalText(refusal),
          available_from: wireTimeOrNull(availableFromMs),
        },
});

const refusalView = ({ error_type, message, details, parameter, valid_range }: ApiRefusal): PreviewRefusal => ({
  error_type: error_type ?? "invalid_parameter",
  text: details ?? message,
  parameter: parameter === undefined ? null : (PARAMETERS[parameter] ?? parameter),
  valid_range: valid_range ?? null,
});

function overlapView(
  instruction: Instruction,
  {
    trial,
    result: { affected, isVoid },
    refusal,
    names,
  }: {
    readonly trial: Trial;
    readonly result: TrialResult;
    readonly refusal: ApiRefusal | null;
    readonly names: AwardNames;
  },
): PreviewOverlap {
  const { awardId, scheduleId, sku, startMs, endMs } = instruction;
  const whole = periodView(startMs, endMs);
  const view = { schedule_id: scheduleId, award_id: awardId, name: names.nameOf(awardId), sku, ...whole };
  const unchanged = { ...view, remaining: [whole] };
  if (refusal !== null)
    return refusal.schedule_id === scheduleId
      ? { ...unchanged, effect: "refused", text: "the request is refused because of it" }
      : { ...unchanged, effect: "coexists", text: "stays as it is, because the request is refused" };
  if (isVoid) return { ...unchanged, effect: "reduces", text: "goes on; the new instruction has no effect beside it" };
  const change = affected.find(({ schedule_id }) => schedule_id === scheduleId);
  if (change === undefined && instruction.kind !== "immediate")
    return { ...unchanged, effect: "coexists", text: "runs beside it; both draw on the same members" };
  const remaining = remainingPeriods(instruction, trial, change?.action);
  return { ...view, effect: "reduced", remaining, text: reducedText(remaining) };
}

type AffectedAction = TrialResult["affected"][number]["action"];

/**
 * A schedule stays in force before and after the request; a running immediate instruction ends when the request begins.
 */
function remainingPeriods(
  { kind, startMs, endMs }: Instruction,
  trial: Trial,
  action: AffectedAction | undefined,
): readonly PreviewPeriod[] {
  const before = [startMs, trial.startMs] as const;
  const after = [trial.endMs, endMs] as const;
  const periods = action === "split" ? [before, after] : kind === "immediate" ? [before] : [];
  return periods.filter(([fromMs, toMs]) => fromMs < toMs).map(([fromMs, toMs]) => periodView(fromMs, toMs));
}

const periodView = (fromMs: number, toMs: number): PreviewPeriod => ({
  starts_at: wireTime(fromMs),
  ends_at: wireTime(toMs),
});

const reducedText = (remaining: readonly PreviewPeriod[]): string =>
  remaining.length === 0
    ? "is replaced whole"
    : `is cut to ${remaining.map(({ starts_at, ends_at }) => `${starts_at} to ${ends_at}`).join(" and ")}`;
