import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { SandboxNotes } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useCommand, useNowMs, useSandbox, useStation } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel, TimedRow } from "../../parts/Panel.tsx";
import { Refusal } from "../../parts/Refusal.tsx";

/** Notes with their simulated time, for the debriefing. */
export function NotesPanel() {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const { calls } = useStation();
  const { value } = useSandbox<SandboxNotes>("/sandbox/notes");
  const [text, setText] = useState("");
  const { isBusy, refusal, send } = useCommand();
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    void send(() => calls.post("/sandbox/notes", { text })).then((isDone) => isDone && setText(""));
  };
  const notes = [...(value?.notes ?? [])].reverse();
  return (
    <Panel title={t("instructor.notes")}>
      <form onSubmit={add}>
        <Textarea
          label={t("instructor.note", { at: times.clock(nowMs) })}
          placeholder={t("instructor.note_hint")}
          value={text}
          maxLength={2000}
          autosize
          minRows={2}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" mt="xs" disabled={isBusy || text.trim() === ""}>
          {t("instructor.note_add")}
        </Button>
      </form>
      {refusal !== null && <Refusal>{refusal.text}</Refusal>}
      {notes.length === 0 && <EmptyState>{t("instructor.no_notes")}</EmptyState>}
      <ol>
        {notes.map((note) => (
          <TimedRow key={`${note.at} ${note.text}`}>
            <time dateTime={note.at}>{times.clock(msOf(note.at))}</time>
            <span>{note.text}</span>
          </TimedRow>
        ))}
      </ol>
    </Panel>
  );
}
