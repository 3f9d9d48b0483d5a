import type { ClockRecord, VppBalance, VppMembersView } from "../../../api/client/sandboxTypes.ts";
import { connectionState } from "../../data/connection.ts";
import { Observable } from "../../data/observable.ts";
import { CLOCK_KEY, type Station } from "../../data/station.ts";
import { alarmConditions } from "./alarmConditions.ts";
import { type AlarmList, acknowledge, activeIds, NO_ALARMS, updateAlarms } from "./alarmList.ts";

/** Real ms between two reads of what alarms depend on. */
const PERIOD_MS = 1_000;

export const balancePath = (vpp: string): string => `/sandbox/vpps/${encodeURIComponent(vpp)}/balance`;
const membersPath = (vpp: string): string => `/sandbox/vpps/${encodeURIComponent(vpp)}/members`;

/** Where acknowledgements outlive a reload of the page. */
interface AlarmStorage {
  load(): string | null;
  save(text: string): void;
}

/** The alarms of one station, kept up to date while it runs. */
export class AlarmDesk {
  readonly alarms: Observable<AlarmList>;
  private readonly station: Station;
  private readonly storage: AlarmStorage;

  constructor(station: Station, storage: AlarmStorage) {
    this.station = station;
    this.storage = storage;
    this.alarms = new Observable(storedAlarms(storage));
  }

  /** Begins to watch. @returns ends it */
  start(): () => void {
    const { reads, calls, session } = this.station;
    const update = () => this.update();
    const paths = session.vpps.flatMap(({ name }) => [balancePath(name), membersPath(name)]);
    const ends = paths.map((path) => reads.watch(path, () => calls.get(path), PERIOD_MS, update));
    ends.push(reads.watch(CLOCK_KEY, () => this.station.readClock(), PERIOD_MS, update));
    return () => ends.forEach((end) => end());
  }

  acknowledge(id: string): void {
    this.set(acknowledge(this.alarms.get(), id));
  }

  /** Waits for a whole set of answers: an alarm must not clear because a read failed. */
  private update(): void {
    const { reads, session } = this.station;
    const clock = reads.resource<ClockRecord>(CLOCK_KEY);
    const connection = connectionState(clock);
    const read = session.vpps.map(({ name }) => ({
      balance: reads.resource<VppBalance>(balancePath(name)).value,
      members: reads.resource<VppMembersView>(membersPath(name)).value,
    }));
    const vpps = read.flatMap(({ balance, members }) =>
      balance === null || members === null
        ? []
        : [{ balance, members: members.members, atMs: Math.max(Date.parse(balance.at), Date.parse(members.at)) }],
    );
    if (vpps.length < read.length && connection !== "disconnected") return;
    const list = this.alarms.get();
    const lagSeconds = clock.value?.lag_seconds ?? 0;
    // Both are read one after the other, while the clock runs: neither shows anything after the later instant.
    const atMs = Math.max(...vpps.map((vpp) => vpp.atMs), ...(vpps.length === 0 ? [0] : []));
    const conditions = alarmConditions({ atMs, vpps, connection, lagSeconds, activeIds: activeIds(list) });
    this.set(updateAlarms(list, conditions, atMs));
  }

  private set(list: AlarmList): void {
    this.alarms.set(list);
    this.storage.save(JSON.stringify(list));
  }
}

function storedAlarms(storage: AlarmStorage): AlarmList {
  try {
    return (JSON.parse(storage.load() ?? "null") as AlarmList | null) ?? NO_ALARMS;
  } catch {
    return NO_ALARMS;
  }
}

/** In the tab's storage, for one session. */
export function tabStorage({ session }: Station): AlarmStorage {
  const { name, opened_at } = session.scenario;
  const key = `vppsim.alarm-list.${name}.${opened_at}`;
  return { load: () => sessionStorage.getItem(key), save: (text) => sessionStorage.setItem(key, text) };
}
