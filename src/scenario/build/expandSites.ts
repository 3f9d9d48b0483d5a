import { shown } from "../parse/inputError.ts";
import type { Reading } from "../parse/reading.ts";
import { readRows } from "../parse/readRows.ts";
import { NAME_PATTERN } from "../schema/shapes.ts";
import { type SiteKeys, siteSchema } from "../schema/siteSchema.ts";

/** One site as written; the keys are shared by all sites of one entry until a patch touches them. */
export interface ExpandedSite {
  readonly name: string;
  readonly keys: SiteKeys;
}

/** Entries with `count` and fleets from CSV files, one by one in scenario order, every name once. */
export function expandSites(reading: Reading, entries: readonly object[] | undefined): ExpandedSite[] {
  const { checker } = reading;
  const sites: ExpandedSite[] = [];
  const names = new Set<string>();
  for (const keys of readRows<SiteKeys>(reading, entries, siteSchema)) {
    // A wrong name or count has been reported; what it would have named cannot be known.
    if (keys.name === undefined || keys.count === undefined) continue;
    if (keys.count > 1 && !keys.name.includes("{n")) {
      checker.report(
        keys,
        "name",
        shown(keys.name),
        `{n} in the name of ${keys.count} sites, as in ${shown(`${keys.name}-{n}`)}`,
      );
    }
    if (keys.count > 1 && keys.ems_id !== undefined) {
      checker.report(
        keys,
        "ems_id",
        shown(keys.ems_id),
        `no ems_id where count is ${keys.count}: each site needs its own`,
      );
    }
    for (const name of namesOf(keys)) {
      if (names.has(name)) checker.report(keys, "name", `${shown(name)} again`, "each site name once");
      else if (!NAME.test(name)) checker.report(keys, "name", shown(name), "letters, digits, - and _");
      names.add(name);
      sites.push({ name, keys });
    }
  }
  return sites;
}

const NAME = new RegExp(NAME_PATTERN);

/** {n} is 1..count; {n:03} pads it with zeros to three digits. */
function namesOf({ name, count }: SiteKeys): string[] {
  if (!name.includes("{n")) return [name];
  return Array.from({ length: count }, (_, k) =>
    name.replace(/\{n(?::0?(\d))?\}/g, (_all, width: string | undefined) =>
      String(k + 1).padStart(Number(width ?? 0), "0"),
    ),
  );
}
