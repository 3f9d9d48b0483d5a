import { useStation } from "../data/hooks.ts";
import { PAGE_ICONS } from "./icons.tsx";
import { useTexts } from "./preferences.tsx";
import { hrefTo, type PageName, pagesOf } from "./route.ts";

/** Links to the pages, always in the same order. */
export function Rail({ page }: { readonly page: PageName }) {
  const { t } = useTexts();
  const { kind } = useStation();
  return pagesOf(kind).map((name) => (
    <a key={name} className="rail-link" href={hrefTo([name])} aria-current={name === page ? "page" : undefined}>
      {PAGE_ICONS[name]}
      {t(`nav.${name}`)}
    </a>
  ));
}
