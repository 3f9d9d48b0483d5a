import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { ClockRecord, SandboxAction, SandboxEvent, SessionView, Speed } from "../../api/client/sandboxTypes.ts";
import type { SiteV2Client } from "../../api/client/siteV2Client.ts";
import type { VppClient } from "../../api/client/vppClient.ts";
import { isoOf } from "../format/times.ts";
import { type ConnectionState, connectionState } from "./connection.ts";
import type { Resource } from "./reads.ts";
import { SandboxError } from "./sandboxCalls.ts";
import { CLOCK_KEY, EVENTS_KEY, type Station } from "./station.ts";
import type { TelemetryState } from "./telemetryLink.ts";

export const StationContext = createContext<Station | null>(null);

export function useStation(): Station {
  const station = useContext(StationContext);
  if (station === null) throw new Error("useStation is used outside of StationContext");
  return station;
}

export const useSession = (): SessionView => useStation().session;

/**
 * Reads something at intervals while the component is shown.
 *
 * @param key  names the resource; components with the same key share its requests; `null`: nothing is read
 * @param load  the request; may depend on the present instant
 * @param everyMs  shortest real period between two requests
 */
export function useResource<T>(key: string | null, load: () => Promise<T>, everyMs = 1_000): Resource<T> {
  const { reads } = useStation();
  const latestLoad = useRef(load);
  latestLoad.current = load;
  const options = reads.options(key ?? "", () => latestLoad.current(), everyMs);
  const { data, error } = useQuery({ ...options, enabled: key !== null }, reads.client);
  return { value: data ?? null, error };
}

/** The same with the value of the last key until the first value of this one is read. */
export function useKept<T>(resource: Resource<T>): Resource<T> {
  const kept = useRef<T | null>(null);
  if (resource.value !== null) kept.current = resource.value;
  return resource.value === null && resource.error === null ? { ...resource, value: kept.current } : resource;
}

/** A read of `/sandbox`, such as `useSandbox<VppBalance>("/sandbox/vpps/east/balance")`. */
export function useSandbox<T>(path: string | null, everyMs = 1_000): Resource<T> {
  const { calls } = useStation();
  return useResource(path, () => calls.get<T>(path ?? ""), everyMs);
}

export const balancePath = (vpp: string): string => `/sandbox/vpps/${encodeURIComponent(vpp)}/balance`;

export const SESSION_PATH = "/sandbox/session";
const SESSION_PERIOD_MS = 5_000;

/** The session as it is now: what the person may do changes when a drill ends. */
export function useLiveSession(): SessionView {
  const { session } = useStation();
  return useSandbox<SessionView>(SESSION_PATH, SESSION_PERIOD_MS).value ?? session;
}

/** Whether the person may do something beside reading. */
export const useMay = (action: SandboxAction): boolean => useLiveSession().may.includes(action);

/** The clock, read once a real second. */
export function useClock(): Resource<ClockRecord> {
  const station = useStation();
  return useResource(CLOCK_KEY, () => station.readClock());
}

/** Simulated now as epoch ms; the session's first now until the clock was read. */
export function useNowMs(): number {
  const { value } = useClock();
  const { now } = useSession();
  return Date.parse(value?.now ?? now);
}

/** Calls back when the simulated time goes back, with the instant that it left and the present one, as epoch ms. */
export function useOnBacktrack(onBacktrack: (fromMs: number, toMs: number) => void): void {
  const nowMs = useNowMs();
  const knownMs = useRef(nowMs);
  useEffect(() => {
    const fromMs = knownMs.current;
    knownMs.current = nowMs;
    if (nowMs < fromMs) onBacktrack(fromMs, nowMs);
  });
}

export const useConnection = (): ConnectionState => connectionState(useClock());

/** A read of the latest events that the role may see, oldest first. */
export function useEventsRead(): Resource<readonly SandboxEvent[]> {
  const { events } = useStation();
  return useResource(EVENTS_KEY, () => events.load());
}

/** The latest events that the role may see, oldest first; none until they are read. */
export const useEvents = (): readonly SandboxEvent[] => useEventsRead().value ?? NO_EVENTS;

/** The history of events that the role may see, oldest first. It stays in memory while the component is shown, and read in steps. */
export function useEventHistory(): readonly SandboxEvent[] {
  const { events, reads } = useStation();
  const latest = useEvents();
  useEffect(() => events.holdHistory(), [events]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step that was read asks for the next one
  useEffect(() => {
    if (events.lacksHistory) reads.refresh(EVENTS_KEY);
  }, [reads, events, latest]);
  return latest;
}

const NO_EVENTS: readonly SandboxEvent[] = [];

/** Client of the VPP API of one VPP. */
export const useVppApi = (name: string): VppClient => useStation().vpp(name);

/** Client of the site API 2.2 of one site. */
export const useSiteApi = (name: string): SiteV2Client => useStation().site(name);

/** State of the telemetry subscription of one VPP. */
export function useTelemetry(vpp: string): TelemetryState {
  const { state } = useStation().telemetry(vpp);
  return useSyncExternalStore(state.subscribe, state.get);
}

/** Simulated ms between two reads: the site API counts reads of a simulated hour, and others use it too. */
const SIMULATED_PERIOD_MS = 30_000;
const REAL_PERIOD_MS = 2_000;

/** A read of the site API that repeats as the simulated time goes on, and not more often than its rate limit bears. */
export function useSiteRead<T>(key: string, load: () => Promise<T>): Resource<T> {
  const nowMs = useNowMs();
  const last = useRef<{ readonly key: string; readonly atMs: number; readonly value: T } | null>(null);
  return useResource(
    key,
    async () => {
      const known = last.current;
      if (known?.key === key && Math.abs(nowMs - known.atMs) < SIMULATED_PERIOD_MS) return known.value;
      const value = await load();
      last.current = { key, atMs: nowMs, value };
      return value;
    },
    REAL_PERIOD_MS,
  );
}

/** Speeds that the page offers, simulated seconds per real second. */
export const SPEEDS: readonly Speed[] = [1, 10, 60, 300, 1000, "max"];

const command = (station: Station, path: string, body: object): Promise<ClockRecord> =>
  station.calls.post<ClockRecord>(`/sandbox/clock/${path}`, body);

export const freeze = (station: Station): Promise<ClockRecord> => command(station, "pause", {});

export const run = (station: Station, speed: Speed): Promise<ClockRecord> => command(station, "resume", { speed });

/**
 * Advances to an instant at full speed. A running clock runs on from there at its speed.
 *
 * @param toMs  later than now
 */
export async function advanceTo(station: Station, toMs: number): Promise<void> {
  const clock = station.reads.resource<ClockRecord>(CLOCK_KEY).value ?? (await station.readClock());
  if (clock.mode === "running") await freeze(station);
  await command(station, "advance", { to: isoOf(toMs) });
  if (clock.mode === "running" && toMs < Date.parse(clock.scenario_end)) await run(station, clock.speed);
}

/** Why a command failed. */
interface CommandRefusal {
  readonly text: string;
  /** The key of the body that was refused; `null`: none. */
  readonly parameter: string | null;
}

/** Sends commands one at a time, and keeps why the last one failed. */
export function useCommand() {
  const { reads } = useStation();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<CommandRefusal | null>(null);
  const send = async (command: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setRefusal(null);
    try {
      await command();
      return true;
    } catch (error) {
      const parameter = error instanceof SandboxError ? error.parameter : null;
      setRefusal({ text: error instanceof Error ? error.message : String(error), parameter });
      return false;
    } finally {
      setBusy(false);
      reads.refresh();
    }
  };
  return { isBusy, refusal, send, clear: () => setRefusal(null) };
}
