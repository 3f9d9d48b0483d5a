import { Group, Stack } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { hrefTo, useRoute } from "../../app/route.ts";
import { useVppName, VppChoice } from "../../app/vppChoice.tsx";
import { useSession } from "../../data/hooks.ts";
import { Panel } from "../../parts/Panel.tsx";
import { classesText } from "./classesText.ts";
import { MembersPanel } from "./MembersPanel.tsx";
import { SitePage } from "./SitePage.tsx";

/** All sites, or the site that the address names. */
export function SitesPage() {
  const { path, query } = useRoute();
  const vpp = useVppName();
  const { t } = useTexts();
  if (path.length > 1) return <SitePage key={path[1]} site={path[1]} />;
  return (
    <Stack gap="sm">
      <h1 className="visually-hidden">{t("nav.sites")}</h1>
      <VppChoice />
      <MembersPanel vpp={vpp} height="calc(100vh - 13rem)" isFinding={query.get("find") === "1"} />
      <OtherSites vpp={vpp} />
    </Stack>
  );
}

/** Sites that are no members of the VPP that is shown. */
function OtherSites({ vpp }: { readonly vpp: string }) {
  const { t } = useTexts();
  const { sites, vpps } = useSession();
  const members = new Set(vpps.find(({ name }) => name === vpp)?.members);
  const others = sites.filter(({ name }) => !members.has(name));
  if (others.length === 0) return null;
  return (
    <Panel title={t("sites.others")}>
      <Group component="ul" gap="0.25rem 1rem">
        {others.map((site) => (
          <li key={site.name}>
            <a href={hrefTo(["sites", site.name])}>{site.name}</a> <span className="muted">{classesText(site, t)}</span>
          </li>
        ))}
      </Group>
    </Panel>
  );
}
