import { Modal, Table } from "@mantine/core";
import { useEffect } from "react";
import type { AwardStory } from "../../../client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useSandbox, useStation } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { CauseName } from "../../parts/Cause.tsx";
import { ResourceView } from "../../parts/ResourceView.tsx";

/** Real ms between two reads of a story. */
const PERIOD_MS = 5_000;

interface StoryDialogProps {
  readonly awardId: string;
  readonly onClose: () => void;
}

/** What `vppsim explain` says of an award. */
export function StoryDialog({ awardId, onClose }: StoryDialogProps) {
  const { t } = useTexts();
  const { calls } = useStation();
  const story = useSandbox<AwardStory>(`/sandbox/awards/${encodeURIComponent(awardId)}/story`, PERIOD_MS);
  useEffect(() => {
    // Only a record for the instructor: the story opens without it too.
    calls.post("/sandbox/actions", { kind: "opened_story", text: awardId }).catch(() => {});
  }, [calls, awardId]);
  return (
    <Modal opened onClose={onClose} size="xl" title={t("story.title", { award: awardId })}>
      <ResourceView resource={story}>{(value) => <StoryText story={value} />}</ResourceView>
    </Modal>
  );
}

function StoryText({ story: { lines, instants, causes } }: { readonly story: AwardStory }) {
  const { t } = useTexts();
  const times = useTimes();
  return (
    <>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <h3>{t("story.by_cause")}</h3>
      {causes.length === 0 ? (
        <p className="empty">{t("story.no_shortfall")}</p>
      ) : (
        <Table>
          <Table.Tbody>
            {causes.map(({ cause, site, kwh }) => (
              <Table.Tr key={`${cause} ${site}`}>
                <Table.Td>
                  <CauseName cause={cause} />
                </Table.Td>
                <Table.Td>{site}</Table.Td>
                <Table.Td className="num">{formatKw(kwh)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <ol className="story">
        {instants.map((instant) => (
          <li key={`${instant.at} ${instant.lines[0]}`}>
            <time dateTime={instant.at}>{times.clock(msOf(instant.at))}</time>
            <div>
              {instant.lines.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
