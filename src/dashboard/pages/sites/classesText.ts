import type { SiteView } from "../../../api/client/sandboxTypes.ts";
import { knownKey } from "../../../texts/catalogue.ts";
import type { Texts } from "../../app/preferences.tsx";

/** The kinds of a site's components in words, such as `battery, load`. */
export function classesText({ classes }: Pick<SiteView, "classes">, t: Texts["t"]): string {
  const names = classes.map((name) => {
    const key = knownKey(`component.${name}`);
    return key === null ? name.replaceAll("_", " ") : t(key);
  });
  return names.join(t("component.and"));
}
