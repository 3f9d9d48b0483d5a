import {
  type ClientOptions,
  type SiteSpecifications,
  SiteV2Client,
  VppClient,
  type VppDetails,
  type VppMembers,
  type VppSchedules,
} from "../../api/client/index.ts";
import { isoUtc } from "../../base/time.ts";
import type { AnswerStore, StoredRequest } from "./answerStore.ts";
import type { Period } from "./historyWindows.ts";
import { ForeignAnswer, type LimitedClient, type RatePacer } from "./ratePacer.ts";

/** The reads of a VPP: the client is never seen with more. */
export type VppReads = Pick<
  VppClient,
  "members" | "statusDetails" | "schedules" | "powerHistory" | "energyHistory" | "accessToken" | "rateLimit"
>;
/** The reads of a site. */
export type SiteReads = Pick<
  SiteV2Client,
  "specifications" | "baseline" | "servicePlan" | "powerHistory" | "accessToken" | "rateLimit"
>;

export const openVppReads = (options: ClientOptions): VppReads => new VppClient({ ...options, attempts: 1 });
export const openSiteReads = (options: ClientOptions): SiteReads => new SiteV2Client({ ...options, attempts: 1 });

export type VppPowerHistory = Awaited<ReturnType<VppReads["powerHistory"]>>;
export type VppEnergyHistory = Awaited<ReturnType<VppReads["energyHistory"]>>;
export type SitePowerHistory = Awaited<ReturnType<SiteReads["powerHistory"]>>;

/** The clients of a VPP and of sites with a token, and the rate of their requests. */
export interface VppAccess {
  readonly vpp: VppReads;
  /** By `ems_id`. */
  readonly sites: ReadonlyMap<string, SiteReads>;
  readonly pacer: RatePacer;
}

interface ReaderOptions extends VppAccess {
  readonly vppId: string;
  readonly store: AnswerStore;
  /** Called after each answer. */
  readonly onAnswer: () => void;
}

/** Gets an access token for each refresh token. @param wordOf  what is thrown of a failure; the VPP has no `emsId` */
export async function signIn(
  { vpp, sites, pacer }: VppAccess,
  wordOf: (error: unknown, emsId: string | null) => unknown,
): Promise<void> {
  const clients: (readonly [string | null, VppReads | SiteReads])[] = [[null, vpp], ...sites];
  for (const [emsId, client] of clients)
    await pacer
      .request(client, () => client.accessToken())
      .catch((error: unknown) => {
        throw wordOf(error, emsId);
      });
}

/** Reads a VPP: a stored answer is not requested again. */
export class VppReader {
  private readonly options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.options = options;
  }

  hasSite(emsId: string): boolean {
    return this.options.sites.has(emsId);
  }

  members(): Promise<VppMembers> {
    const { vppId } = this.options;
    return this.ofVpp("GET", "/members", async (vpp) => {
      const answer = await vpp.members();
      if (Array.isArray(Object(answer).members)) return answer;
      throw new ForeignAnswer(`JSON without members at /v1/vpp/${vppId}/members`);
    });
  }

  details(): Promise<VppDetails> {
    const path = "/status/details?include_components=true";
    return this.ofVpp("GET", path, (vpp) => vpp.statusDetails({ include_components: true }));
  }

  /** @param fromMs  earliest start of a schedule */
  schedules(fromMs: number): Promise<VppSchedules> {
    const query = { start_time_from: isoUtc(fromMs) };
    const path = `/control/active_power/schedules?start_time_from=${query.start_time_from}`;
    return this.ofVpp("GET", path, (vpp) => vpp.schedules(query));
  }

  energyHistory(period: Period, emsIds: readonly string[]): Promise<VppEnergyHistory> {
    const body = { ...wirePeriod(period), interval_seconds: 1800 as const, ems_ids: [...emsIds] };
    return this.ofVpp("POST", "/measurements/energy", (vpp) => vpp.energyHistory(body), body);
  }

  powerHistory(
    { intervalS, ...period }: Period & { readonly intervalS: 1 | 60 },
    emsIds: readonly string[],
    choice: { readonly include_components?: true },
  ): Promise<VppPowerHistory> {
    const body = { ...wirePeriod(period), interval_seconds: intervalS, ems_ids: [...emsIds], ...choice };
    return this.ofVpp("POST", "/measurements/active_power", (vpp) => vpp.powerHistory(body), body);
  }

  /** As all reads of a site: `null` without a token of it. */
  specifications(emsId: string): Promise<SiteSpecifications | null> {
    return this.ofSite(emsId, "GET", "/specifications", (site) => site.specifications());
  }

  baselines(emsId: string) {
    return this.ofSite(emsId, "GET", "/baseline", (site) => site.baseline());
  }

  /** @param startMs  a half hour; left out: the present one */
  servicePlan(emsId: string, startMs?: number) {
    const query = startMs === undefined ? {} : { start_time: isoUtc(startMs) };
    const path = startMs === undefined ? "/serviceplan" : `/serviceplan?start_time=${query.start_time}`;
    return this.ofSite(emsId, "GET", path, (site) => site.servicePlan(query));
  }

  sitePowerHistory(emsId: string, period: Period): Promise<SitePowerHistory | null> {
    const body = { ...wirePeriod(period), interval_seconds: 60 as const };
    return this.ofSite(emsId, "POST", "/measurements/active_power", (site) => site.powerHistory(body), body);
  }

  private ofVpp<T>(method: string, path: string, call: (vpp: VppReads) => Promise<T>, body: object | null = null) {
    const { vpp, vppId } = this.options;
    return this.answer(vpp, { method, path: `/v1/vpp/${vppId}${path}`, body: wireBody(body) }, () => call(vpp));
  }

  private async ofSite<T>(
    emsId: string,
    method: string,
    path: string,
    call: (site: SiteReads) => Promise<T>,
    body: object | null = null,
  ): Promise<T | null> {
    const site = this.options.sites.get(emsId);
    if (site === undefined) return null;
    return this.answer(site, { method, path: `/v2/ems/${emsId}${path}`, body: wireBody(body) }, () => call(site));
  }

  private async answer<T>(client: LimitedClient, request: StoredRequest, call: () => Promise<T>): Promise<T> {
    const { store, pacer, onAnswer } = this.options;
    const stored = store.find(request) as T | undefined;
    const answer = stored ?? (await pacer.request(client, call));
    if (stored === undefined) store.put(request, answer);
    onAnswer();
    return answer;
  }
}

const wireBody = (body: object | null): string => (body === null ? "" : JSON.stringify(body));

const wirePeriod = ({ startMs, endMs }: Period) => ({ start_time: isoUtc(startMs), end_time: isoUtc(endMs) });
