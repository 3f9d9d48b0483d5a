import { Box, Stack, Table } from "@mantine/core";
import { useEffect } from "react";
import type { AwardStory, CauseEnergy, SandboxEvent } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { useEventHistory, useSandbox, useStation } from "../../data/hooks.ts";
import { SandboxError } from "../../data/sandboxCalls.ts";
import { isApiId } from "../../format/isApiId.ts";
import { formatKw, shownParts } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { useEventText } from "../../messages/useMessageText.ts";
import { CauseName } from "../../parts/Cause.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { EmptyState, ResourceView, TimedRow } from "../../parts/Panel.tsx";

/** Real ms between two reads of a story. */
const PERIOD_MS = 5_000;

interface StoryDialogProps {
  readonly awardId: string;
  readonly onClose: () => void;
}

/** Why power of an award is missing, what happened in it, and what `vppsim explain` says of it. */
export function StoryDialog({ awardId, onClose }: StoryDialogProps) {
  const { t } = useTexts();
  const { calls } = useStation();
  const story = useSandbox<AwardStory>(`/sandbox/awards/${encodeURIComponent(awardId)}/story`, PERIOD_MS);
  useEffect(() => {
    // Only a record for the instructor: the story opens without it too.
    calls.post("/sandbox/actions", { kind: "opened_story", text: awardId }).catch(() => {});
  }, [calls, awardId]);
  return (
    <Dialog onClose={onClose} size="xl" title={t("story.title", { award: story.value?.name ?? nameOrNone(awardId) })}>
      {story.error instanceof SandboxError && story.error.status === 404 ? (
        <EmptyState>{t("story.unknown", { award: nameOrNone(awardId) })}</EmptyState>
      ) : (
        <ResourceView resource={story}>{(value) => <StoryText story={value} />}</ResourceView>
      )}
    </Dialog>
  );
}

/** The name of the scenario; an instruction that the API numbered has none before its story is read. */
const nameOrNone = (awardId: string): string => (isApiId(awardId) ? "…" : awardId);

function StoryText({ story: { award_id, lines, causes } }: { readonly story: AwardStory }) {
  const { t } = useTexts();
  return (
    <Stack gap="sm">
      <Shortfall causes={causes} />
      <Happenings awardId={award_id} />
      <details>
        <summary>{t("story.explain")}</summary>
        <Box
          component="pre"
          mah="24rem"
          fz="sm"
          style={{ overflow: "auto", whiteSpace: "pre-wrap" }}
          lang="en"
          tabIndex={0}
        >
          {lines.join("\n")}
        </Box>
      </details>
    </Stack>
  );
}

function Shortfall({ causes }: { readonly causes: readonly CauseEnergy[] }) {
  const { t } = useTexts();
  const total = causes.reduce((sum, { kwh }) => sum + kwh, 0);
  const rows = shownParts(causes, "kwh", total);
  return (
    <section>
      <h3>{t("story.by_cause")}</h3>
      {rows.length === 0 ? (
        <EmptyState>{t("story.no_shortfall")}</EmptyState>
      ) : (
        <Table style={{ overflowWrap: "anywhere" }}>
          <Table.Tbody>
            {rows.map(({ cause, site, kwh }) => (
              <Table.Tr key={`${cause} ${site}`}>
                <Table.Td>
                  <CauseName cause={cause} />
                </Table.Td>
                <Table.Td>
                  {site === null ? t("story.other_sites") : <a href={hrefTo(["sites", site])}>{site}</a>}
                </Table.Td>
                <Table.Td className="num">{formatKw(kwh)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row">{t("report.total")}</Table.Th>
              <Table.Td />
              <Table.Th className="num">{formatKw(total)}</Table.Th>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      )}
    </section>
  );
}

/** Events of an award, and of the sites while it was in force, oldest first; each links to its moment on the chart. */
function Happenings({ awardId }: { readonly awardId: string }) {
  const { t } = useTexts();
  const times = useTimes();
  const textOf = useEventText();
  const events = storyEvents(useEventHistory(), awardId);
  if (events.length === 0) return null;
  return (
    <section>
      <h3>{t("story.events")}</h3>
      <Box component="ol" mt="md">
        {events.map((event) => (
          <TimedRow key={event.seq}>
            <a href={hrefTo(["now"], { at: event.at })} title={event.at}>
              {times.clock(msOf(event.at))}
            </a>
            <span>{textOf(event)}</span>
          </TimedRow>
        ))}
      </Box>
    </section>
  );
}

/** Kinds of events of sites that explain an award. */
const SITE_KINDS: ReadonlySet<string> = new Set(["status_changed", "fault_noticed", "fault_cleared", "weight_changed"]);

/** Events of the award, and those of sites between its start and its end. */
export function storyEvents(events: readonly SandboxEvent[], awardId: string): readonly SandboxEvent[] {
  const started = events.find(({ kind, award_id }) => kind === "award_started" && award_id === awardId);
  const ended = events.find(({ kind, award_id }) => kind === "award_ended" && award_id === awardId);
  const isWithin = ({ seq }: SandboxEvent) =>
    started !== undefined && started.seq < seq && seq < (ended?.seq ?? Number.POSITIVE_INFINITY);
  return events.filter((event) => event.award_id === awardId || (SITE_KINDS.has(event.kind) && isWithin(event)));
}
