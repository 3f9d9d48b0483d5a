import { Box } from "@mantine/core";
import { useStation } from "../data/hooks.ts";
import { PAGE_ICONS } from "./icons.tsx";
import { useTexts } from "./preferences.tsx";
import { hrefTo, type PageName, pagesOf } from "./route.ts";

/** Links to the pages, always in the same order. */
export function Rail({ page }: { readonly page: PageName }) {
  const { t, language } = useTexts();
  const { kind } = useStation();
  return pagesOf(kind).map((name) => (
    <Box
      key={name}
      component="a"
      className="rail-link"
      display="grid"
      py="sm"
      style={{ justifyItems: "center", gap: 2 }}
      fz="xs"
      lts={language === "ja" ? "-0.03em" : undefined}
      href={hrefTo([name])}
      aria-current={name === page ? "page" : undefined}
    >
      {PAGE_ICONS[name]}
      {t(`nav.${name}`)}
    </Box>
  ));
}
