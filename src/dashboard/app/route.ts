import { useCallback, useSyncExternalStore } from "react";
import type { StationKind } from "../data/station.ts";

/** Pages of the rail, in its order. */
export const PAGES = ["now", "sites", "schedules", "instruct", "alarms", "report"] as const;
export type PageName = (typeof PAGES)[number] | "instructor";

/** Pages of a station: the instructor has one more, which comes first. */
export const pagesOf = (kind: StationKind): readonly PageName[] =>
  kind === "instructor" ? ["instructor", ...PAGES] : PAGES;

/** Keys of the query that go with the person from page to page. */
const LASTING_KEYS = ["vpp", "lang", "theme"];

/** The part of the address behind `#`: where the person is, and what is shown there. */
export interface Route {
  /** Such as `["sites", "battery-1"]`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export function parseHash(hash: string): Route {
  const [path, query = ""] = hash.replace(/^#/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decodePart), query: new URLSearchParams(query) };
}

/** Text of a part; a part that is no UTF-8 stands for itself. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function formatHash({ path, query }: Route): string {
  const text = query.toString();
  return `#/${path.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
}

const subscribe = (listener: () => void): (() => void) => {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
};

/** Address of a page, with the lasting state of the present address. */
export function hrefTo(path: readonly string[], state: Readonly<Record<string, string>> = {}): string {
  const { query } = parseHash(location.hash);
  const kept = [...query].filter(([key]) => LASTING_KEYS.includes(key));
  return formatHash({ path, query: new URLSearchParams([...kept, ...Object.entries(state)]) });
}

export function navigate(path: readonly string[], state: Readonly<Record<string, string>> = {}): void {
  location.hash = hrefTo(path, state);
}

export function useRoute(): Route {
  return parseHash(useSyncExternalStore(subscribe, () => location.hash));
}

/** The page of the rail that is shown; unknown addresses show the first. */
export function pageOf({ path }: Route, kind: StationKind): PageName {
  const pages = pagesOf(kind);
  return pages.find((name) => name === path[0]) ?? pages[0];
}

/** One value in the query of the address. `null` or the fallback removes it. It makes no entry in the browser's history. */
export function useQueryState(key: string, fallback: string): readonly [string, (value: string | null) => void] {
  const value = useRoute().query.get(key) ?? fallback;
  const set = useCallback((next: string | null) => setQuery(key, next === fallback ? null : next), [key, fallback]);
  return [value, set];
}

function setQuery(key: string, value: string | null): void {
  const { path, query } = parseHash(location.hash);
  if (value === null) query.delete(key);
  else query.set(key, value);
  history.replaceState(null, "", formatHash({ path, query }));
  dispatchEvent(new HashChangeEvent("hashchange"));
}
