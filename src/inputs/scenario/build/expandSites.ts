import { IDENTIFIER_PATTERN, IDENTIFIER_TITLE } from "../../../base/schemaBuilders.ts";
import { formatValue } from "../parse/inputError.ts";
import type { LoadContext } from "../parse/loadContext.ts";
import { readEntries } from "../parse/readEntries.ts";
import { type SiteConfig, siteSchema } from "../schema/siteSchema.ts";

/** One site as written. Sites of one entry share the keys until a patch copies them. */
export interface ExpandedSite {
  readonly name: string;
  readonly config: SiteConfig;
}

/**
 * Expands entries with `count` and fleets from CSV files into single sites, in scenario order, and checks unique names.
 */
export function expandSites(loadContext: LoadContext, entries: readonly object[] | undefined): ExpandedSite[] {
  const { checker } = loadContext;
  const sites: ExpandedSite[] = [];
  const names = new Set<string>();
  for (const config of readEntries<SiteConfig>(loadContext, entries, siteSchema)) {
    // A wrong name or count is reported already; its site names are unknown.
    if (config.name === undefined || config.count === undefined) continue;
    if (config.count > 1 && !config.name.includes("{n")) {
      checker.reportError(
        config,
        "name",
        formatValue(config.name),
        `{n} in the name of ${config.count} sites, as in ${formatValue(`${config.name}-{n}`)}`,
      );
    }
    if (config.count > 1 && config.ems_id !== undefined) {
      checker.reportError(
        config,
        "ems_id",
        formatValue(config.ems_id),
        `no ems_id where count is ${config.count}: each site needs its own`,
      );
    }
    for (const name of namesOf(config)) {
      if (names.has(name)) checker.reportError(config, "name", `${formatValue(name)} again`, "each site name once");
      else if (!SITE_NAME_PATTERN.test(name)) checker.reportError(config, "name", formatValue(name), IDENTIFIER_TITLE);
      names.add(name);
      sites.push({ name, config });
    }
  }
  return sites;
}

const SITE_NAME_PATTERN = new RegExp(IDENTIFIER_PATTERN);

/** {n} is 1..count; {n:03} pads it with zeros to three digits. */
function namesOf({ name, count }: SiteConfig): string[] {
  if (!name.includes("{n")) return [name];
  return Array.from({ length: count }, (_, k) =>
    name.replace(/\{n(?::0?(\d))?\}/g, (_all, width: string | undefined) =>
      String(k + 1).padStart(Number(width ?? 0), "0"),
    ),
  );
}
