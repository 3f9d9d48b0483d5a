import { Box, Group, Stack } from "@mantine/core";
import type { SandboxEvent, SiteView, VppMembersView } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { useEventHistory, useNowMs, useSandbox, useSession } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { useEventText } from "../../messages/useMessageText.ts";
import { BESIDE, Columns, EmptyState, EventLine, Panel } from "../../parts/Panel.tsx";
import { classesText } from "./classesText.ts";
import { MemberFigures } from "./MemberFigures.tsx";
import { SiteCharts } from "./SiteCharts.tsx";
import { ComponentsPanel, SchedulesPanel, SlotsPanel } from "./SiteFacts.tsx";

const SHOWN_MAX = 30;

/** Events with the newest instant first; of one instant the command comes before its effect. */
export const newestInstantFirst = (events: readonly SandboxEvent[]): readonly SandboxEvent[] =>
  [...events].sort((a, b) => (a.at === b.at ? a.seq - b.seq : a.at < b.at ? 1 : -1));

/** What happened at a site, newest first; each links to its moment on the chart. */
function SiteEvents({ site }: { readonly site: string }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const textOf = useEventText();
  const ofSite = useEventHistory().filter((event) => event.site === site);
  const events = newestInstantFirst(ofSite.slice(-SHOWN_MAX));
  return (
    <Panel title={t("site.events")}>
      {events.length === 0 ? (
        <EmptyState>{t("site.no_events")}</EmptyState>
      ) : (
        <ul>
          {events.map((event) => (
            <EventLine key={event.seq}>
              <a className="nowrap" href={hrefTo(["sites", site], { at: event.at })}>
                {times.instant(msOf(event.at), nowMs)}
              </a>
              <span>{textOf(event)}</span>
            </EventLine>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** One site: its figures, history, components, baseline slots, schedules and events. */
export function SitePage({ site: name }: { readonly site: string }) {
  const { t } = useTexts();
  const { sites } = useSession();
  const site = sites.find((entry) => entry.name === name);
  if (site === undefined)
    return (
      <>
        <h1 className="visually-hidden">{name}</h1>
        <Panel title={t("sites.title")}>
          <EmptyState>{t("site.unknown", { site: name })}</EmptyState>
          <a href={hrefTo(["sites"])}>{t("sites.title")}</a>
        </Panel>
      </>
    );
  return (
    <Stack gap="sm">
      <h1 className="visually-hidden">{name}</h1>
      <SitePath site={site} />
      <Columns template={BESIDE}>
        <Stack gap="sm">
          <SiteHead site={site} />
          <SiteCharts site={name} />
        </Stack>
        <Stack gap="sm">
          <ComponentsPanel site={name} />
          <SlotsPanel site={name} />
          <SchedulesPanel site={name} />
          <SiteEvents site={name} />
        </Stack>
      </Columns>
    </Stack>
  );
}

/** Where the person is, and the sites before and after. */
function SitePath({ site: { name } }: { readonly site: SiteView }) {
  const { t } = useTexts();
  const { sites } = useSession();
  const k = sites.findIndex((entry) => entry.name === name);
  const [before, after] = [sites[k - 1], sites[k + 1]];
  return (
    <Group component="nav" gap="0.375rem" aria-label={t("site.path")}>
      <a href={hrefTo(["now"])}>{t("nav.now")}</a> / <a href={hrefTo(["sites"])}>{t("nav.sites")}</a> /{" "}
      <span aria-current="page">{name}</span>
      <Group component="span" gap="xs" ml="auto">
        {before !== undefined && (
          <a href={hrefTo(["sites", before.name])} title={t("site.previous")}>
            ‹ {before.name}
          </a>
        )}
        {after !== undefined && (
          <a href={hrefTo(["sites", after.name])} title={t("site.next")}>
            {after.name} ›
          </a>
        )}
      </Group>
    </Group>
  );
}

function SiteHead({ site }: { readonly site: SiteView }) {
  const { name } = site;
  const { t } = useTexts();
  const { vpps } = useSession();
  const vpp = vpps.find(({ members }) => members.includes(name));
  const { value: members } = useSandbox<VppMembersView>(
    vpp === undefined ? null : `/sandbox/vpps/${encodeURIComponent(vpp.name)}/members`,
  );
  const member = members?.members.find((entry) => entry.site === name);
  const note = vpp === undefined ? t("site.no_member") : t("site.member_of", { vpp: vpp.name });
  return (
    <Panel title={<span style={{ fontSize: "1rem" }}>{name}</span>} note={`${classesText(site, t)} · ${note}`}>
      {vpp !== undefined && (
        <Box mih="5.5rem">
          {member !== undefined && members !== null && <MemberFigures member={member} at={members.at} vpp={vpp.name} />}
        </Box>
      )}
    </Panel>
  );
}
