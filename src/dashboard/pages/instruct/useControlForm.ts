import { useCallback, useEffect, useState } from "react";
import { useConnection, useMay, useNowMs, useOnBacktrack, useSession, useStation } from "../../data/hooks.ts";
import type { Station } from "../../data/station.ts";
import type { MessageText } from "../../messages/messageText.ts";
import { bodyOf, fieldOfParameter } from "./controlBody.ts";
import { type ControlDraft, type ControlType, type MemberBaseline, newDraft } from "./controlDraft.ts";
import { type ControlField, type FieldProblem, problemsOf } from "./controlRules.ts";
import {
  apisOf,
  type ControlExchange,
  type ControlTarget,
  newKey,
  requestOf,
  sendControl,
  targetKey,
} from "./controlTarget.ts";

/** The state of one form and what it can do. */
export interface ControlForm {
  readonly target: ControlTarget;
  readonly draft: ControlDraft;
  /** Changes fields; a refusal of the earlier request disappears. */
  readonly change: (changes: Partial<ControlDraft>) => void;
  /** Problems of all fields that the form finds before sending. */
  readonly problems: readonly FieldProblem[];
  /** The part of the problems that is shown: of fields that were filled in, and of all after an attempt to send. */
  readonly shownProblem: (field: ControlField) => MessageText | null;
  readonly exchange: ControlExchange | null;
  /** The request as it would be sent now, or was sent last. */
  readonly isSending: boolean;
  readonly maySend: boolean;
  readonly isConnected: boolean;
  readonly send: () => Promise<void>;
  readonly reloadBaselines: () => void;
}

/** @param fixedType  the only type of the form; `undefined`: the person chooses */
export function useControlForm(target: ControlTarget, fixedType?: ControlType): ControlForm {
  const station = useStation();
  const nowMs = useNowMs();
  const draftKey = `${targetKey(target)} ${fixedType ?? ""}`;
  const drafts = keptDrafts(station);
  const [draft, setDraft] = useState(() =>
    restoredDraft(drafts.get(draftKey), draftFor(target, nowMs, fixedType), nowMs),
  );
  const [touched, setTouched] = useState<ReadonlySet<keyof ControlDraft>>(new Set());
  const [hasTried, setTried] = useState(false);
  const [exchange, setExchange] = useState<ControlExchange | null>(null);
  const [isSending, setSending] = useState(false);
  const { baselines, reload } = useMemberBaselines(target);
  const mayImmediate = useMay("immediate");
  const maySchedule = useMay("schedules");
  const isConnected = useConnection() !== "disconnected";

  useEffect(() => {
    if (baselines !== null) setDraft((known) => ({ ...known, memberBaselines: baselines }));
  }, [baselines]);
  useEffect(() => void drafts.set(draftKey, draft), [drafts, draftKey, draft]);
  // What was answered in the time that is left did not happen.
  useOnBacktrack(() => setExchange(null));

  const problems = problemsOf(draft, nowMs);
  const maySend = draft.type === "immediate" ? mayImmediate : maySchedule;
  const send = async () => {
    setTried(true);
    if (problems.length > 0 || !maySend || !isConnected || isSending) return;
    setSending(true);
    const key = newKey();
    const request = requestOf(station.config.api_url, target, draft, key);
    setExchange({ request, answer: null });
    const answer = await sendControl(station, target, draft, key);
    setExchange({ request, answer });
    setSending(false);
    if (answer.kind === "accepted") setTried(false);
  };
  return {
    target,
    draft,
    change: (changes) => {
      setDraft((known) => ({ ...known, ...changes }));
      setTouched((known) => new Set([...known, ...(Object.keys(changes) as (keyof ControlDraft)[])]));
      setExchange((known) => (known?.answer?.kind === "refused" ? null : known));
    },
    problems,
    shownProblem: (field) =>
      problems.find((found) => found.field === field && (hasTried || isFilled(draft, field, touched)))?.text ?? null,
    exchange,
    isSending,
    maySend,
    isConnected,
    send,
    reloadBaselines: reload,
  };
}

function draftFor(target: ControlTarget, nowMs: number, fixedType: ControlType | undefined): ControlDraft {
  const draft = newDraft(apisOf(target)[0], nowMs);
  return fixedType === undefined ? draft : { ...draft, type: fixedType };
}

const DRAFT_KEYS: Readonly<Record<ControlField, readonly (keyof ControlDraft)[]>> = {
  sku: ["sku"],
  amount: ["amountKw", "amountKind"],
  fcr_response: ["fcrResponseKw"],
  breakdown: ["breakdown"],
  duration: ["durationMinutes"],
  start: ["startMs"],
  end: ["endMs", "startMs"],
  baseline: ["baselineKw"],
  component: ["componentId"],
  member_baselines: ["memberBaselines"],
};

/** Whether the person filled the field in; one that was never touched is not wrong yet. */
const isFilled = (draft: ControlDraft, field: ControlField, touched: ReadonlySet<keyof ControlDraft>): boolean =>
  DRAFT_KEYS[field].some((key) => touched.has(key) && draft[key] !== null);

/** The field at which the last refusal is shown; `null`: at the head of the form, or there is none. */
export function refusedField({ exchange, draft }: ControlForm): ControlField | null {
  return exchange?.answer?.kind === "refused" ? fieldOfParameter(exchange.answer.error.parameter, draft) : null;
}

/** Whether the fields are still those of the request that was sent last. */
export const isAsSent = ({ exchange, draft }: ControlForm): boolean =>
  exchange !== null && JSON.stringify(exchange.request.body) === JSON.stringify(bodyOf(draft));

/** The request of the form: the one that was sent last, or the one that the fields would make. */
export function useShownRequest(form: ControlForm) {
  const { exchange, draft, target } = form;
  const { config } = useStation();
  const { api } = draft;
  const draftRequest = requestOf(config.api_url, target, draft, api === "site-v1" ? "" : "<key>");
  return exchange !== null && isAsSent(form) ? exchange.request : draftRequest;
}

const DRAFTS = new WeakMap<Station, Map<string, ControlDraft>>();

/** Forms of a station as they were filled in, by name: they are there again when a person comes back from another page. */
function keptDrafts(station: Station): Map<string, ControlDraft> {
  const drafts = DRAFTS.get(station) ?? new Map<string, ControlDraft>();
  DRAFTS.set(station, drafts);
  return drafts;
}

/** A kept draft; a schedule that would have begun meanwhile takes the times of a new one. */
function restoredDraft(kept: ControlDraft | undefined, fresh: ControlDraft, nowMs: number): ControlDraft {
  if (kept === undefined) return fresh;
  const isPast = kept.startMs !== null && kept.startMs <= nowMs;
  return isPast ? { ...kept, startMs: fresh.startMs, endMs: fresh.endMs } : kept;
}

/** Status of a member in service in the VPP API. */
const IN_SERVICE = 0;

/** Baselines are those of half hours. */
const SLOT_MS = 1_800_000;

/**
 * The baselines that the members of a VPP report in this half hour: every control request of the VPP API carries them. They are
 * read again when the server is back.
 */
function useMemberBaselines(target: ControlTarget): {
  readonly baselines: readonly MemberBaseline[] | null;
  readonly reload: () => void;
} {
  const station = useStation();
  const { sites } = useSession();
  const [baselines, setBaselines] = useState<readonly MemberBaseline[] | null>(null);
  const slot = Math.floor(useNowMs() / SLOT_MS);
  const [reloads, setReloads] = useState(0);
  const vppName = target.kind === "vpp" ? target.name : null;
  const isConnected = useConnection() !== "disconnected";
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reload and another half hour read again
  useEffect(() => {
    if (vppName === null || !isConnected) return;
    let isCurrent = true;
    const read = async () => {
      const { members } = await station.vpp(vppName).statusDetails();
      if (!isCurrent) return;
      setBaselines(
        members.map(({ ems_id, label, status, active_power }) => ({
          site: sites.find((site) => site.ems_id === ems_id)?.name ?? label,
          emsId: ems_id,
          isInService: status === IN_SERVICE,
          baselineKw: active_power.baseline_kw,
        })),
      );
    };
    // Without an answer the fields stay empty, and the form says what it needs.
    read().catch(() => isCurrent && setBaselines([]));
    return () => {
      isCurrent = false;
    };
  }, [station, vppName, sites, slot, reloads, isConnected]);
  return { baselines: vppName === null ? null : baselines, reload: useCallback(() => setReloads((n) => n + 1), []) };
}
