import { wireTime } from "../../../endpoints/shared/wireTime.ts";
import type { Trial, TrialResult } from "../../../session/record/dispatchPreview.ts";
import type { DispatchPreview, PreviewOverlap, PreviewRefusal } from "../../../session/sandboxTypes.ts";
import type { Instruction } from "../../../vpp/instructions/instruction.ts";

/** The error object of the VPP API, as far as a preview shows it. */
interface ApiRefusal {
  readonly error_type?: string;
  readonly message: string;
  readonly details?: string;
  readonly parameter?: string;
  readonly valid_range?: string;
  readonly schedule_id?: string;
}

/** Keys of the preview by those of the VPP API. */
const PARAMETERS: Readonly<Record<string, string>> = {
  delta_kw: "power_kw",
  fcr_response_kw: "power_kw",
  start_time: "starts_at",
  end_time: "ends_at",
  duration_minutes: "ends_at",
};

/** `POST /sandbox/vpps/{name}/preview` */
export function dispatchPreview(trial: Trial, result: TrialResult): DispatchPreview {
  const { answer, overlapping, shares, uncoveredKw } = result;
  const refusal = answer.status < 400 ? null : (answer.body as { readonly error: ApiRefusal }).error;
  return {
    refusal: refusal === null ? null : refusalView(refusal),
    overlaps: overlapping.map((instruction) => overlapView(instruction, trial, result, refusal)),
    allocation: shares.map(({ site, kw, headroomKw, cause }) => ({ site, kw, headroom_kw: headroomKw, cause })),
    uncovered_kw: refusal === null ? uncoveredKw : Math.abs(trial.powerKw),
  };
}

const refusalView = ({ error_type, message, details, parameter, valid_range }: ApiRefusal): PreviewRefusal => ({
  error_type: error_type ?? "invalid_parameter",
  text: details ?? message,
  parameter: parameter === undefined ? null : (PARAMETERS[parameter] ?? parameter),
  valid_range: valid_range ?? null,
});

function overlapView(
  instruction: Instruction,
  trial: Trial,
  { affected, isVoid }: TrialResult,
  refusal: ApiRefusal | null,
): PreviewOverlap {
  const { scheduleId, sku, startMs, endMs } = instruction;
  const view = { schedule_id: scheduleId, sku, starts_at: wireTime(startMs), ends_at: wireTime(endMs) };
  if (refusal !== null)
    return refusal.schedule_id === scheduleId
      ? { ...view, effect: "refused", text: "the request is refused because of it" }
      : { ...view, effect: "coexists", text: "stays as it is, because the request is refused" };
  if (isVoid) return { ...view, effect: "reduces", text: "goes on; the new instruction has no effect beside it" };
  const change = affected.find(({ schedule_id }) => schedule_id === scheduleId);
  if (change === undefined)
    return instruction.kind === "immediate"
      ? immediateOverlap(view, trial, startMs)
      : { ...view, effect: "coexists", text: "runs beside it; both draw on the same members" };
  if (change.action === "split")
    return { ...view, effect: "reduced", text: `is cut to ${change.start_time} to ${change.end_time}` };
  return { ...view, effect: "reduced", text: "is replaced whole" };
}

/** A later request ends a running immediate instruction when it begins. */
const immediateOverlap = (
  view: Omit<PreviewOverlap, "effect" | "text">,
  { startMs }: Trial,
  beganMs: number,
): PreviewOverlap => ({
  ...view,
  effect: "reduced",
  text: `ends at ${wireTime(Math.max(startMs, beganMs))}, when the request begins`,
});
