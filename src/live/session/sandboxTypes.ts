/**
 * Bodies of the `/sandbox` endpoints (docs/sandbox.md). Instants are ISO 8601 in UTC with whole seconds. Power in kW and
 * energy in kWh: import positive, export negative; uncovered, not delivered and shortfall figures are magnitudes.
 */
import type { Cause as AttributedCause } from "../../accounting/settlement/causes.ts";
import type { Sku } from "../../base/sku.ts";
import type { OutputControlReason } from "../../engine/simulation/worldSpec.ts";
import type { ClockRecord } from "./clockRecord.ts";
import type { FaultKind, FaultRecord, FaultSpec } from "./fault.ts";
import type { Speed } from "./pace.ts";
import type { SandboxEventKind } from "./sandboxEventKinds.ts";

export type { ClockRecord, FaultKind, FaultRecord, FaultSpec, OutputControlReason, SandboxEventKind, Sku, Speed };

/**
 * Why power is missing. `not_yet_known`: a fault that no evaluation has noticed, which a trainee reads instead of its cause
 * and site.
 */
export type Cause = AttributedCause | "not_yet_known";

/** Instant, such as `2026-01-15T08:00:00Z`. */
export type IsoInstant = string;

/** Body of an error of any `/sandbox` endpoint. */
export interface SandboxErrorBody {
  readonly error: {
    /** HTTP status. */
    readonly code: number;
    readonly message: string;
    /** What was found and what is allowed. */
    readonly details: string;
    /** The key of the body or query that was refused. */
    readonly parameter?: string;
  };
  /** Simulated instant. */
  readonly timestamp: IsoInstant;
}

export type SandboxRole = "trainee" | "instructor";

/** What a caller may do beside reading. */
export type SandboxAction =
  | "clock"
  | "weights"
  | "immediate"
  | "schedules"
  | "owner_calls"
  | "report"
  | "export"
  | "faults"
  | "checkpoints";

/** `GET /sandbox/session` */
export interface SessionView {
  readonly role: SandboxRole;
  /** Whether trainee and instructor have separate permissions. */
  readonly separated: boolean;
  readonly may: readonly SandboxAction[];
  readonly scenario: {
    readonly name: string;
    readonly starts_at: IsoInstant;
    readonly ends_at: IsoInstant;
    /** Time zone of the scenario, such as `Asia/Tokyo`. */
    readonly zone: string;
    /** Simulated instant at which the session opened. */
    readonly opened_at: IsoInstant;
  };
  readonly now: IsoInstant;
  readonly vpps: readonly VppView[];
  readonly sites: readonly SiteView[];
  /** Whether `POST /sandbox/report` has a folder to write to. */
  readonly has_report: boolean;
  /** `null`: the session is not a drill. */
  readonly drill: DrillView | null;
}

export interface VppView {
  readonly name: string;
  /** 32 lowercase hex digits. */
  readonly vpp_id: string;
  /** Names of the present members' sites. */
  readonly members: readonly string[];
}

export interface SiteView {
  readonly name: string;
  readonly ems_id: string;
  readonly site_id: string;
  /** Kinds of its components, such as `battery`. */
  readonly classes: readonly string[];
  /** The kinds in words, such as `battery and PV plant`. */
  readonly kind_text: string;
}

/** `GET /sandbox/vpps/{name}/balance` */
export interface VppBalance {
  readonly at: IsoInstant;
  readonly vpp: string;
  /** Awards and instructions in force, by start. */
  readonly awards: readonly AwardBalance[];
  /** What comes next, by instant. */
  readonly next: readonly NextStep[];
}

/** One award at one instant. */
export interface AwardBalance {
  readonly award_id: string;
  /** `null`: no market product. */
  readonly sku: Sku | null;
  /** `null`: an immediate instruction. */
  readonly schedule_id: string | null;
  readonly starts_at: IsoInstant;
  readonly ends_at: IsoInstant;
  /** Change of power relative to the baselines in kW; the two-sided capacity, at least 0, of an award of FCR alone. */
  readonly requested_kw: number;
  /** Allocated to members, in kW. */
  readonly dispatched_kw: number;
  /** Change of power relative to the baselines of the dispatched members, in kW. */
  readonly delivered_kw: number;
  /** Requested and not allocated, at least 0. */
  readonly uncovered_kw: number;
  /** Allocated and not delivered, at least 0. */
  readonly not_delivered_kw: number;
  /** Delivered beyond the request, at least 0. */
  readonly over_kw: number;
  /** Limits of the compliance band, by value; `null`: the product has none. */
  readonly band_low_kw: number | null;
  readonly band_high_kw: number | null;
  /** Since when something is uncovered; `null`: nothing is. */
  readonly uncovered_since: IsoInstant | null;
  /** `allocation` sums to `uncovered_kw`, `delivery` to `not_delivered_kw`. */
  readonly causes: readonly CausePower[];
}

/** Power that is missing for one cause at one site. */
export interface CausePower {
  readonly stage: "allocation" | "delivery";
  readonly cause: Cause;
  /** `null`: no single site, as for `no_member`, or not yet known. */
  readonly site: string | null;
  /** At least 0. */
  readonly kw: number;
  readonly since: IsoInstant | null;
}

export interface NextStep {
  readonly at: IsoInstant;
  /** `award_registration`: the VPP receives the award then; only an instructor knows it before. */
  readonly what: "award_registration" | "award_start" | "award_end" | "scenario_end";
  readonly award_id: string | null;
  readonly sku: Sku | null;
  readonly requested_kw: number | null;
}

/**
 * `GET /sandbox/vpps/{name}/power?from=&to=&max_points=`. Columns have one value per element of `times`; `null`: no
 * value, as of delivered power in the future.
 */
export interface VppPower {
  /** The present instant: values after it are promised, not measured. */
  readonly at: IsoInstant;
  readonly vpp: string;
  readonly from: IsoInstant;
  readonly to: IsoInstant;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** Also after the present instant: what is promised. */
  readonly requested_kw: readonly (number | null)[];
  readonly delivered_kw: readonly (number | null)[];
  /** At least 0. */
  readonly uncovered_kw: readonly (number | null)[];
  /** Uncovered kW by cause, at least 0; causes that do not occur are absent. */
  readonly causes: { readonly [cause in Cause]?: readonly (number | null)[] };
  /** Awards that overlap the window, by start. */
  readonly awards: readonly PowerAward[];
  readonly marks: readonly PowerMark[];
}

export interface PowerAward {
  readonly award_id: string;
  readonly sku: Sku | null;
  readonly starts_at: IsoInstant;
  readonly ends_at: IsoInstant;
  readonly requested_kw: number;
}

/** An event as a mark of a chart. */
export type PowerMark = Omit<SandboxEvent, "seq">;

/** `GET /sandbox/vpps/{name}/members` */
export interface VppMembersView {
  readonly at: IsoInstant;
  readonly vpp: string;
  readonly members: readonly MemberView[];
}

/** One member as the operator sees it: values of a site whose link is interrupted are held. */
export interface MemberView {
  readonly site: string;
  readonly resource_id: string;
  /** What the API calls the member, such as `battery` or `multi_component`. */
  readonly class: string;
  /** Service status as the API states it. */
  readonly status: string;
  readonly status_since: IsoInstant | null;
  readonly is_reachable: boolean;
  readonly power_kw: number | null;
  readonly baseline_kw: number | null;
  readonly set_point_kw: number | null;
  /** Change of power relative to the baseline, while dispatched. */
  readonly delivered_kw: number | null;
  /** State of charge and its window, 0..100; `null`: no storage. */
  readonly soc_pct: number | null;
  readonly soc_min_pct: number | null;
  readonly soc_max_pct: number | null;
  /** At the present power; `null`: not discharging, not charging, or no storage. */
  readonly minutes_to_empty: number | null;
  readonly minutes_to_full: number | null;
  /** Allocation weight, 0..999999.9 */
  readonly weight: number;
  /** Its part in the last dispatch; `null`: none yet. */
  readonly last_dispatch: LastDispatch | null;
  /** Instant of the last value received from the site. */
  readonly data_at: IsoInstant;
}

export interface LastDispatch {
  readonly award_id: string;
  readonly at: IsoInstant;
  readonly kw: number;
  readonly refusal: SetpointRefusal | null;
}

/** Why a set-point took no effect. */
export interface SetpointRefusal {
  /** `error_type` of the site API, or `delivery_failed`. */
  readonly cause: string;
  readonly text: string;
}

/** `GET /sandbox/awards/{award_id}/story?at=` */
export interface AwardStory {
  readonly award_id: string;
  /** Until now, at least 0. */
  readonly shortfall_kwh: number;
  /** The part of it before the session opened. */
  readonly shortfall_before_session_kwh: number;
  readonly lines: readonly string[];
  readonly instants: readonly { readonly at: IsoInstant; readonly lines: readonly string[] }[];
  /** Sums to the shortfall until now. */
  readonly causes: readonly CauseEnergy[];
}

export interface CauseEnergy {
  readonly cause: Cause;
  /** `null`: the rest of the cause, of sites that the report does not name. */
  readonly site: string | null;
  /** At least 0. */
  readonly kwh: number;
}

/** Body of `POST /sandbox/vpps/{name}/preview`; `starts_at` at the present instant or before: an immediate instruction. */
export interface PreviewRequest {
  readonly sku: Sku | null;
  /** Delta, or for `fcr` the capacity. */
  readonly power_kw: number;
  readonly starts_at: IsoInstant;
  readonly ends_at: IsoInstant;
}

/** What a schedule or instruction would do, if it were sent now. */
export interface DispatchPreview {
  /** `null`: it would be accepted. */
  readonly refusal: PreviewRefusal | null;
  readonly overlaps: readonly PreviewOverlap[];
  readonly allocation: readonly PreviewShare[];
  /** At least 0. */
  readonly uncovered_kw: number;
}

/** The refusal that the API would answer. */
export interface PreviewRefusal {
  readonly error_type: string;
  readonly text: string;
  readonly parameter: string | null;
  readonly valid_range: string | null;
}

export interface PreviewOverlap {
  readonly schedule_id: string;
  readonly sku: Sku | null;
  readonly starts_at: IsoInstant;
  readonly ends_at: IsoInstant;
  /** `reduced`: the existing schedule gives way; `reduces`: the new one does; `refused`: it is the reason of the refusal. */
  readonly effect: "coexists" | "reduced" | "reduces" | "refused";
  /** Periods in which the existing schedule stays in force, by start; none: it is replaced whole. */
  readonly remaining: readonly PreviewPeriod[];
  readonly text: string;
}

export interface PreviewPeriod {
  readonly starts_at: IsoInstant;
  readonly ends_at: IsoInstant;
}

export interface PreviewShare {
  readonly site: string;
  readonly kw: number;
  /**
   * The power change of which the member is capable in the direction of the request; `null`: unknown, as for a member
   * out of service.
   */
  readonly headroom_kw: number | null;
  /** What keeps its share from being larger, also where other members take over; `null`: the request needs no more of it. */
  readonly cause: Cause | null;
  /** Of a member that would refuse its set-point. */
  readonly refusal: SetpointRefusal | null;
}

/** One event of a session. */
export interface SandboxEvent {
  /** Counts the events, from 1, without gaps. */
  readonly seq: number;
  readonly at: IsoInstant;
  readonly kind: SandboxEventKind;
  readonly site: string | null;
  readonly award_id: string | null;
  /** In English. */
  readonly text: string;
  /** The values in the text, for clients that write a text of their own (docs/model/sandbox.md#events). */
  readonly data: Readonly<Record<string, unknown>>;
}

/** `GET /sandbox/events?after=&limit=`, oldest first */
export interface SandboxEvents {
  readonly events: readonly SandboxEvent[];
  /** Of all events, not only of this page; 0: there is none. */
  readonly last_seq: number;
}

/** Body of `POST /sandbox/actions`: what a person did on the page. */
export interface ActionRequest {
  /** Such as `acknowledged` or `opened_story`; at most 40 characters. */
  readonly kind: string;
  /** At most 500 characters. */
  readonly text: string;
}

export interface SandboxActionRecord {
  readonly seq: number;
  /** Simulated instant. */
  readonly at: IsoInstant;
  readonly kind: string;
  readonly text: string;
  /** The values in the text, for clients that write a text of their own; empty for an action that a page records. */
  readonly data: Readonly<Record<string, string | number>>;
}

/** `GET /sandbox/actions?after=` (instructor), oldest first */
export interface SandboxActionList {
  readonly actions: readonly SandboxActionRecord[];
  readonly last_seq: number;
}

export interface NoteRequest {
  /** At most 2000 characters. */
  readonly text: string;
}

/** `GET /sandbox/notes` and answer of `POST /sandbox/notes` (instructor), oldest first */
export interface SandboxNotes {
  readonly notes: readonly { readonly at: IsoInstant; readonly text: string }[];
}

/** `GET /sandbox/credentials` */
export interface SandboxCredentials {
  readonly vpps: readonly { readonly name: string; readonly vpp_id: string; readonly refresh_token: string }[];
  readonly sites: readonly { readonly name: string; readonly ems_id: string; readonly refresh_token: string }[];
}

/** Body of `POST /sandbox/faults` (instructor) */
export interface FaultRequest {
  readonly kind: FaultKind;
  readonly site: string;
  /** ISO 8601 duration, such as `PT15M`; absent: until it is ended. */
  readonly duration?: string;
  /** Of `output_control`: 0..100. */
  readonly limit_pct?: number;
  readonly reason?: OutputControlReason;
}

/** `GET /sandbox/faults` (instructor) */
export interface SandboxFaults {
  readonly faults: readonly FaultRecord[];
}

export interface CheckpointRecord {
  readonly checkpoint_id: string;
  readonly at: IsoInstant;
  readonly label: string | null;
}

/** `GET /sandbox/checkpoints` (instructor) */
export interface SandboxCheckpoints {
  readonly checkpoints: readonly CheckpointRecord[];
}

/** Body of `POST /sandbox/clock/advance`: one of both. */
export type AdvanceRequest = { readonly by: string } | { readonly to: IsoInstant };

/** Answer of `POST /sandbox/report` */
export interface SandboxReport {
  /** Folder on the server's machine. */
  readonly report: string;
  readonly files: readonly string[];
  /** Path of its page on this server; `null`: it has none. */
  readonly opens_at: string | null;
}

/** `GET /dashboard/config.json` */
export interface DashboardConfig {
  readonly api_url: string;
  readonly auth_url: string;
  readonly version: string;
  /** Only to callers on the same machine, without `--sandbox-token`. */
  readonly trainee_token: string | null;
  readonly separated: boolean;
  /** Name of the drill. */
  readonly drill: string | null;
}

/** A drill as its trainee sees it. */
export interface DrillView {
  readonly name: string;
  readonly title: string;
  readonly briefing: string;
  readonly goals: readonly { readonly name: string; readonly text: string }[];
  readonly steps: readonly { readonly text: string; readonly is_done: boolean }[];
  readonly ends_at: IsoInstant;
  readonly has_ended: boolean;
}

interface ConditionLimits {
  readonly above?: number;
  readonly below?: number;
}

/** A condition as in a drill file (docs/model/drills.md#conditions). `for` is an ISO 8601 duration. */
export type InjectCondition = { readonly for?: string } & (
  | { readonly delivered_share_pct: ConditionLimits & { readonly vpp?: string } }
  | { readonly uncovered_kw: ConditionLimits & { readonly vpp?: string } }
  | { readonly soc_pct: ConditionLimits & { readonly site: string } }
  | { readonly weight: ConditionLimits & { readonly site: string; readonly vpp?: string } }
  | { readonly award_in_force: string }
  | { readonly owner_call: string }
  | { readonly command: { readonly path: string; readonly outcome: "accepted" | "refused" } }
  | { readonly time: IsoInstant }
);

/** A malfunction of a drill or of the instructor. */
export interface InjectRecord {
  readonly inject_id: string;
  readonly kind: FaultKind;
  readonly site: string;
  readonly limit_pct?: number;
  readonly reason?: OutputControlReason;
  readonly at: IsoInstant | null;
  /** Condition at which it begins, in words. */
  readonly when: string | null;
  /** The same as in a drill file. */
  readonly condition: InjectCondition | null;
  /** ISO 8601 duration; `null`: until it is ended. */
  readonly duration: string | null;
  /** When its fault ended, also before its time; `null`: it has not. */
  readonly ended_at: IsoInstant | null;
  readonly state: "planned" | "in_force" | "ended" | "cancelled";
}

/** `GET /sandbox/injects` (instructor) */
export interface SandboxInjects {
  readonly injects: readonly InjectRecord[];
}

/** Answer of `POST /sandbox/owner-calls` */
export interface OwnerCall {
  readonly site: string;
  readonly called_at: IsoInstant;
  /** What the owner answers. */
  readonly answer: string;
}
