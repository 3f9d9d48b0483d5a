import type { SiteSpecifications, VppDetails, VppMembers } from "../../api/client/index.ts";
import { inputRefusal } from "../../base/inputError.ts";
import { smallestOf } from "../../base/lists.ts";
import {
  ceilToMinute,
  type EpochMs,
  floorToHalfHour,
  isoUtc,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  MS_PER_SECOND,
} from "../../base/time.ts";
import {
  cutPeriod,
  ENERGY_DAYS,
  type HistoryRequest,
  historyRequests,
  type Period,
  powerPeriod,
  SCHEDULE_DAYS,
  SITE_POWER,
  windowOfStart,
} from "../read/historyWindows.ts";
import type { SitePowerHistory, VppPowerHistory, VppReader } from "../read/vppReader.ts";
import { periodOf, type Schedule, type UnknownOrder, unknownOrders } from "./awards.ts";
import { gapsOf, type SeenSpan, type Span, spansOf } from "./outages.ts";
import { addEnergy, addVppHistory, SiteEnergy, SiteSamples, withOwnHistory } from "./siteSamples.ts";

interface FoundGap extends Span {
  readonly cause: "link_down" | "missing";
}

interface FoundOutage extends Span {
  readonly kind: "outage" | "maintenance";
}

interface OutputControl extends Span {
  readonly limitPct: number;
}

/** A member with all that was read of it. */
export interface MemberHistory {
  readonly emsId: string;
  readonly label: string;
  /** Empty for a member that has left. */
  readonly resourceType: string;
  /** At the time of the reads; `null` for a member that has left. */
  readonly capacity: VppDetails["members"][number]["capacity"] | null;
  readonly weight: number;
  /** When it was a member, in order; at least one period. */
  readonly memberships: readonly Period[];
  /** `null` without a token of the site. */
  readonly specification: SiteSpecifications | null;
  /** By the minute. */
  readonly samples: SiteSamples;
  /** By the second, in windows. */
  readonly fine: SiteSamples;
  readonly energy: SiteEnergy;
  readonly outages: readonly FoundOutage[];
  readonly gaps: readonly FoundGap[];
  readonly outputControls: readonly OutputControl[];
}

/** All that was read of a VPP. */
export interface VppHistory {
  readonly readAtMs: EpochMs;
  readonly period: Period;
  readonly members: readonly MemberHistory[];
  readonly schedules: readonly Schedule[];
  readonly unknownOrders: readonly FoundOrder[];
}

export interface FoundOrder extends UnknownOrder {
  /** Searched to the second. */
  readonly startMs: EpochMs;
  /** Whether the owner of the site gave it: a VPP would have given a part to members like it. */
  readonly isDirect: boolean;
}

interface ReadOptions {
  readonly fromMs: EpochMs | null;
  readonly toMs: EpochMs | null;
  readonly warn: (message: string) => void;
  /** Called with the number of requests that the schedules make known; instants that are searched take further ones. */
  readonly onPlanned: (requests: number) => void;
}

const DEFAULT_DAYS = 30;
/** Reads take time, in which the retention moves on. */
const RETENTION_MARGIN_MS = MS_PER_HOUR;

/** Reads everything that an import needs (docs/model/twin.md#reads). */
export async function readHistory(reader: VppReader, options: ReadOptions): Promise<VppHistory> {
  const present = await reader.members();
  const readAtMs = Date.parse(present.timestamp);
  const retainedAtMs = readAtMs + RETENTION_MARGIN_MS;
  const period = periodOfFlags(options, readAtMs, retainedAtMs);
  const [details, { schedules }] = await Promise.all([
    reader.details(),
    reader.schedules(retainedAtMs - SCHEDULE_DAYS * MS_PER_DAY),
  ]);
  const members = allMembers(present, schedules);
  const requests = historyRequests({
    period,
    nowMs: retainedAtMs,
    members: members.length,
    starts: schedules.map((schedule) => periodOf(schedule).startMs),
    fcrPeriods: schedules.filter(({ fcr_response_kw }) => fcr_response_kw !== null).map(periodOf),
  });
  const withToken = members.filter(({ ems_id }) => reader.hasSite(ems_id)).map(({ ems_id }) => ems_id);
  options.onPlanned(3 * withToken.length + requests.length);
  const specifications = new Map(await Promise.all(withToken.map((emsId) => readSite(reader, emsId))));
  const power = powerPeriod(period, retainedAtMs);
  const reads = new HistoryReads(reader, { members, details, specifications, power, schedules });
  await reads.all(requests);
  const covered = reads.coveredPeriod(period, options.warn);
  const unknown = await reads.findOrders();
  const histories: MemberHistory[] = [];
  for (const member of members) histories.push(await reads.memberHistory(member, covered));
  return { readAtMs, period: covered, members: histories, schedules, unknownOrders: unknown };
}

function periodOfFlags({ fromMs, toMs }: ReadOptions, nowMs: EpochMs, retainedAtMs: EpochMs): Period {
  const endMs = floorToHalfHour(toMs ?? nowMs);
  const startMs = fromMs === null ? endMs - DEFAULT_DAYS * MS_PER_DAY : floorToHalfHour(fromMs);
  const from = isoUtc(startMs);
  if (endMs > nowMs) throw inputRefusal("--to", isoUtc(toMs ?? endMs), `up to ${isoUtc(nowMs)}, the VPP's clock`);
  if (startMs >= endMs) throw inputRefusal("--from", from, `before --to, ${isoUtc(endMs)}`);
  const powerMs = powerPeriod({ startMs: 0, endMs }, retainedAtMs).startMs;
  const energyMs = retainedAtMs - ENERGY_DAYS * MS_PER_DAY;
  const allowed = `from ${isoUtc(powerMs)} on (history of power), or from ${isoUtc(energyMs)} on (history of energy alone)`;
  if (startMs < energyMs) throw inputRefusal("--from", from, allowed);
  return { startMs, endMs };
}

/** What the site's own API states now. The answers of baseline and service plan are stored alone. */
async function readSite(reader: VppReader, emsId: string): Promise<readonly [string, SiteSpecifications | null]> {
  const specification = await reader.specifications(emsId);
  await reader.baselines(emsId);
  await reader.servicePlan(emsId);
  return [emsId, specification];
}

type Member = Omit<VppMembers["members"][number], "resource_type"> & { readonly resource_type: string };

/** The present members, and those that schedules have and the VPP no longer has. */
function allMembers({ members }: VppMembers, schedules: readonly Schedule[]): readonly Member[] {
  const all = new Map<string, Member>(members.map((member) => [member.ems_id, member]));
  for (const { created_at, members: executing } of schedules)
    for (const { ems_id, label, allocation_weight } of executing)
      if (!all.has(ems_id))
        all.set(ems_id, { ems_id, label, allocation_weight, resource_type: "", registered_at: created_at });
  return [...all.values()];
}

interface HistoryContext {
  readonly details: VppDetails;
  /** Of sites with a token, by `ems_id`. */
  readonly specifications: ReadonlyMap<string, SiteSpecifications | null>;
  readonly members: readonly Member[];
  /** The part of the period that the history of power has. */
  readonly power: Period;
  readonly schedules: readonly Schedule[];
}

/** The history of one import while it is read. */
class HistoryReads {
  private readonly reader: VppReader;
  private readonly context: HistoryContext;
  private readonly emsIds: readonly string[];
  private readonly choice: { readonly include_components?: true };
  private readonly samplesOf: ReadonlyMap<string, SiteSamples>;
  private readonly energyOf: ReadonlyMap<string, SiteEnergy>;
  private readonly fine: { readonly period: Period; readonly answer: VppPowerHistory }[] = [];

  constructor(reader: VppReader, context: HistoryContext) {
    this.reader = reader;
    this.context = context;
    this.emsIds = context.members.map(({ ems_id }) => ems_id);
    const hasComponents = context.members.some(({ resource_type }) => COMPOSITE.has(resource_type));
    this.choice = hasComponents ? { include_components: true } : {};
    this.samplesOf = new Map(this.emsIds.map((emsId) => [emsId, new SiteSamples()]));
    this.energyOf = new Map(this.emsIds.map((emsId) => [emsId, new SiteEnergy()]));
  }

  /** The next request is under way while an answer is taken. */
  async all(requests: readonly HistoryRequest[]): Promise<void> {
    const [first, ...further] = requests;
    let next = this.read(first);
    for (const request of [...further, null]) {
      const current = next;
      if (request !== null) next = this.read(request);
      // A failure of the next one is thrown when its turn comes.
      next.catch(() => {});
      (await current)();
    }
  }

  /** @returns what takes the answer, in the order of the requests */
  private async read({ quantity, intervalS, ...period }: HistoryRequest): Promise<() => void> {
    if (quantity === "energy") {
      const answer = await this.reader.energyHistory(period, this.emsIds);
      return () => addEnergy(this.energyOf, answer);
    }
    const isFine = intervalS === 1;
    const answer = await this.reader.powerHistory({ ...period, intervalS: isFine ? 1 : 60 }, this.emsIds, this.choice);
    return isFine ? () => void this.fine.push({ period, answer }) : () => addVppHistory(this.samplesOf, answer);
  }

  /** From the first sample of any member on: a plant may be younger than the period. */
  coveredPeriod({ startMs, endMs }: Period, warn: (message: string) => void): Period {
    const powerMs = smallestOf([...this.samplesOf.values()].flatMap(({ atMs }) => atMs.slice(0, 1)));
    const from = isoUtc(startMs);
    if (powerMs === Number.POSITIVE_INFINITY)
      throw inputRefusal("--from", `${from}: no member has a sample of power in the period`, "a period with samples");
    const energyMs = [...this.energyOf.values()].flatMap(({ atMs, importKwh, exportKwh }) =>
      atMs.filter((_, k) => importKwh[k] + exportKwh[k] > 0).slice(0, 1),
    );
    // Half an hour of energy may begin before the first sample.
    const firstMs = Math.min(powerMs, ...energyMs.filter((each) => each < floorToHalfHour(powerMs)));
    if (firstMs > startMs)
      warn(`the history of power begins at ${isoUtc(firstMs)}, after ${from}: the scenario begins there`);
    return { startMs: firstMs, endMs };
  }

  async findOrders(): Promise<readonly FoundOrder[]> {
    const found: FoundOrder[] = [];
    for (const order of unknownOrders(this.samplesOf, this.context.schedules)) {
      const { firstMs, beforeMs, emsIds } = order;
      if (beforeMs !== null) await this.readFine(windowOfStart(firstMs), this.emsIds);
      const startMs = beforeMs === null ? firstMs : await this.edge(emsIds[0], beforeMs, firstMs, IN_ORDER);
      found.push({ ...order, startMs, isDirect: this.isDirect(order) });
    }
    return found;
  }

  private isDirect({ emsIds: [emsId, ...further], firstMs }: UnknownOrder): boolean {
    const { members } = this.context;
    const ordered = members.find(({ ems_id }) => ems_id === emsId);
    const couldHavePart = ({ ems_id, resource_type, allocation_weight }: Member) => {
      const samples = this.samplesOf.get(ems_id);
      const isInService = samples?.isInService(samples.atMs.indexOf(firstMs)) === true;
      return ems_id !== emsId && resource_type === ordered?.resource_type && allocation_weight > 0 && isInService;
    };
    return further.length === 0 && members.some(couldHavePart);
  }

  async memberHistory(member: Member, period: Period): Promise<MemberHistory> {
    const { ems_id: emsId, resource_type: resourceType } = member;
    const ofVpp = this.samplesOf.get(emsId) ?? new SiteSamples();
    const known = this.knownMembership(member, ofVpp, period);
    const seenGaps = gapsOf(ofVpp, { ...known, startMs: Math.max(known.startMs, this.context.power.startMs) });
    const { samples, gaps } = await this.ownHistory(emsId, ofVpp, seenGaps);
    const outages: FoundOutage[] = [];
    for (const seen of spansOf(samples, (row) => !samples.isInService(row))) {
      const span = await this.exactSpan(emsId, seen, OUT_OF_SERVICE);
      outages.push({ ...span, kind: await this.kindOf(emsId, span) });
    }
    const limitsPct = samples.values.output_control_limit;
    const outputControls: OutputControl[] = [];
    for (const limitPct of new Set(limitsPct.filter((pct) => pct < 100)))
      for (const seen of spansOf(samples, (row) => limitsPct[row] === limitPct))
        outputControls.push({ ...(await this.exactSpan(emsId, seen, limitedTo(limitPct))), limitPct });
    return {
      emsId,
      label: member.label,
      resourceType,
      capacity: this.context.details.members.find(({ ems_id }) => ems_id === emsId)?.capacity ?? null,
      weight: member.allocation_weight,
      ...withoutAbsence(known, gaps, Date.parse(member.registered_at)),
      specification: this.context.specifications.get(emsId) ?? null,
      samples,
      fine: this.fineSamples(emsId),
      energy: this.energyOf.get(emsId) ?? new SiteEnergy(),
      outages,
      outputControls,
    };
  }

  /** From the registration, or where samples show it before, until the last sample of a member that has left. */
  private knownMembership({ resource_type, registered_at }: Member, { atMs }: SiteSamples, period: Period): Period {
    const hasLeft = resource_type === "";
    const registeredMs = Date.parse(registered_at);
    const firstMs = atMs[0] ?? period.endMs;
    const seenMs = firstMs > this.context.power.startMs ? firstMs : period.startMs;
    const joinedMs = hasLeft || firstMs < registeredMs ? seenMs : registeredMs;
    const startMs = Math.max(period.startMs, ceilToMinute(joinedMs));
    const endMs = hasLeft ? (atMs.at(-1) ?? period.startMs) + MS_PER_MINUTE : period.endMs;
    return { startMs: Math.min(startMs, endMs), endMs };
  }

  /** What the site itself measured where the VPP's history does not have it. */
  private async ownHistory(
    emsId: string,
    samples: SiteSamples,
    seen: readonly SeenSpan[],
  ): Promise<{ readonly samples: SiteSamples; readonly gaps: readonly FoundGap[] }> {
    const own: SitePowerHistory[] = [];
    const gaps: FoundGap[] = [];
    for (const gap of seen) {
      const period = { startMs: gap.firstMs, endMs: gap.lastMs + MS_PER_MINUTE };
      const answers: SitePowerHistory[] = [];
      for (const part of this.reader.hasSite(emsId) ? cutPeriod(period, 60, 1, SITE_POWER) : []) {
        const answer = await this.reader.sitePowerHistory(emsId, part);
        if (answer !== null) answers.push(answer);
      }
      own.push(...answers);
      const isLinkDown = answers.some(({ data }) => data.length > 0);
      const span = await this.exactSpan(emsId, gap, ABSENT);
      gaps.push({ ...span, cause: isLinkDown ? "link_down" : "missing" });
    }
    return { samples: withOwnHistory(samples, own), gaps };
  }

  private async exactSpan(emsId: string, seen: SeenSpan, holds: StateTest): Promise<Span> {
    const { beforeMs, firstMs, lastMs, afterMs } = seen;
    return {
      startMs: beforeMs === null ? firstMs : await this.edge(emsId, beforeMs, firstMs, holds),
      endMs: afterMs === null ? null : await this.edge(emsId, lastMs, afterMs, (record) => !holds(record)),
    };
  }

  /** The first second after a sample at which a state holds. */
  private async edge(emsId: string, beforeMs: EpochMs, foundMs: EpochMs, holds: StateTest): Promise<EpochMs> {
    const period = { startMs: beforeMs + MS_PER_SECOND, endMs: foundMs };
    if (period.startMs >= foundMs) return foundMs;
    const answer = await this.readFine(period, [emsId]);
    const records = new Map(
      answer.data.map(({ timestamp, members }) => [timestamp, members.find(({ ems_id }) => ems_id === emsId)]),
    );
    for (let atMs = period.startMs; atMs < foundMs; atMs += MS_PER_SECOND)
      if (holds(records.get(isoUtc(atMs)))) return atMs;
    return foundMs;
  }

  private async readFine(period: Period, emsIds: readonly string[]): Promise<VppPowerHistory> {
    const known = this.fine.find((each) => each.period.startMs <= period.startMs && period.endMs <= each.period.endMs);
    if (known !== undefined) return known.answer;
    const answer = await this.reader.powerHistory({ ...period, intervalS: 1 }, emsIds, this.choice);
    if (emsIds.length === this.emsIds.length) this.fine.push({ period, answer });
    return answer;
  }

  private fineSamples(emsId: string): SiteSamples {
    const samples = new SiteSamples();
    const inOrder = [...this.fine].sort((a, b) => a.period.startMs - b.period.startMs);
    let lastMs = Number.NEGATIVE_INFINITY;
    for (const { answer } of inOrder)
      for (const { timestamp, members } of answer.data) {
        const atMs = Date.parse(timestamp);
        const record = members.find(({ ems_id }) => ems_id === emsId);
        if (record === undefined || atMs <= lastMs) continue;
        samples.add(atMs, record);
        lastMs = atMs;
      }
    return samples;
  }

  private async kindOf(emsId: string, { startMs }: Span): Promise<"outage" | "maintenance"> {
    if (!this.reader.hasSite(emsId)) return "outage";
    const slotMs = floorToHalfHour(startMs);
    const plan = await this.reader.servicePlan(emsId, slotMs);
    const slot = plan?.plans.find(({ start_time }) => Date.parse(start_time) === slotMs);
    return slot?.status === 9 ? "maintenance" : "outage";
  }
}

/** An absence that ends with a registration is none of the link: the member had left and has returned. */
function withoutAbsence(
  known: Period,
  gaps: readonly FoundGap[],
  registeredMs: EpochMs,
): Pick<MemberHistory, "memberships" | "gaps"> {
  const absence = gaps.find(({ startMs, endMs }) => startMs < registeredMs && endMs !== null && registeredMs <= endMs);
  const { endMs = null } = absence ?? {};
  if (absence === undefined || endMs === null) return { memberships: [known], gaps };
  return {
    memberships: [
      { ...known, endMs: absence.startMs },
      { ...known, startMs: endMs },
    ],
    gaps: gaps.filter((gap) => gap !== absence),
  };
}

const COMPOSITE: ReadonlySet<string> = new Set(["multi_component"]);

type MemberRecord = VppPowerHistory["data"][number]["members"][number];
type StateTest = (record: MemberRecord | undefined) => boolean;

const ABSENT: StateTest = (record) => record === undefined;
const OUT_OF_SERVICE: StateTest = (record) => record !== undefined && record.current_kw === null;
const IN_ORDER: StateTest = (record) =>
  record !== undefined && (record.dispatched_delta_kw !== null || record.fcr_response_kw !== null);
const limitedTo =
  (limitPct: number): StateTest =>
  (record) =>
    record?.output_control_limit === limitPct;
