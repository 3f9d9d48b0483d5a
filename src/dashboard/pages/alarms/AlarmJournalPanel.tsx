import { Box, Select } from "@mantine/core";
import type { AlarmJournal } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useSandbox, useSession } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { useAlarmsRead } from "./useAlarms.ts";

type Entry = AlarmJournal["entries"][number];

const CHANGES = ["raised", "changed", "acknowledged", "shelved", "unshelved", "cleared"] as const;
/** Changes that are read and searched: the latest. */
const READ_MAX = 500;

/** What happened to the alarms, newest first, by change and site. */
export function AlarmJournalPanel() {
  const { t, language } = useTexts();
  const [what] = useQueryState("change", "");
  const [site] = useQueryState("alarm_site", "");
  const lastSeq = useAlarmsRead()?.last_seq ?? 0;
  const query = new URLSearchParams({
    lang: language,
    after: String(Math.max(0, lastSeq - READ_MAX)),
    limit: String(READ_MAX),
    ...(what === "" ? {} : { what }),
    ...(site === "" ? {} : { site }),
  });
  const { value } = useSandbox<AlarmJournal>(lastSeq === 0 ? null : `/sandbox/alarms/journal?${query}`, 5_000);
  const entries = [...(value?.entries ?? [])].reverse();
  return (
    <Panel title={t("alarm_journal.title")} actions={<JournalFilters />}>
      {entries.length === 0 ? (
        <EmptyState>{t("alarm_journal.none")}</EmptyState>
      ) : (
        <Box
          component="section"
          h="16rem"
          style={{ overflowY: "auto" }}
          tabIndex={0}
          aria-label={t("alarm_journal.all")}
        >
          <ol>
            {entries.map((entry) => (
              <JournalRow key={entry.seq} entry={entry} />
            ))}
          </ol>
        </Box>
      )}
    </Panel>
  );
}

function JournalFilters() {
  const { t } = useTexts();
  const { sites } = useSession();
  const [what, setWhat] = useQueryState("change", "");
  const [site, setSite] = useQueryState("alarm_site", "");
  const changes = CHANGES.map((value) => ({ value, label: t(`alarm_journal.${value}`) }));
  const names = sites.map(({ name }) => ({ value: name, label: name }));
  return (
    <>
      <Select
        aria-label={t("alarm_journal.change")}
        data={[{ value: "", label: t("alarm_journal.all_changes") }, ...changes]}
        value={what}
        onChange={setWhat}
        w="10rem"
      />
      <Select
        aria-label={t("alarm_journal.of")}
        data={[{ value: "", label: t("events.all_sites") }, ...names]}
        value={site}
        onChange={setSite}
        searchable
        w="10rem"
      />
    </>
  );
}

function JournalRow({ entry: { at, what, text, by, name } }: { readonly entry: Entry }) {
  const { t } = useTexts();
  const times = useTimes();
  const person = by === null ? null : (name ?? t(`app.${by}`));
  return (
    <Box
      component="li"
      display="grid"
      py="xs"
      style={{ gridTemplateColumns: "5rem 7rem minmax(0, 1fr)", gap: "0.5rem", borderTop: "1px solid var(--line)" }}
    >
      <span className="num">{times.clock(msOf(at))}</span>
      <span className="muted">{t(`alarm_journal.${what}`)}</span>
      <span style={{ overflowWrap: "anywhere" }}>
        {text}
        {person === null ? "" : ` · ${person}`}
      </span>
    </Box>
  );
}
