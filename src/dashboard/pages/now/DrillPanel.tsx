import { Box, Button, Stack } from "@mantine/core";
import type { DrillView } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useDrill } from "../../app/useDrill.ts";
import { freeze, useCommand, useMay, useNowMs, useSession, useStation } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { Confirmed } from "../../parts/Confirmed.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Refusal } from "../../parts/Refusal.tsx";

/** The briefing of a drill, its goals and its steps; nothing in a session without a drill. */
export function DrillPanel() {
  const drill = useDrill();
  return drill === null ? null : <Drill drill={drill} />;
}

function Drill({ drill: { title, briefing, goals, steps, ends_at, has_ended } }: { readonly drill: DrillView }) {
  const { t } = useTexts();
  const times = useTimes();
  const end = times.instant(msOf(ends_at), useNowMs());
  const next = steps.findIndex(({ state }) => state === "open" || state === "waiting");
  return (
    <Panel title={title} note={t(has_ended ? "drill.ended" : "drill.ends", { time: end })}>
      <p>{briefing}</p>
      {steps.length > 0 && (
        <Stack component="ol" gap="0.375rem" pl="1.25rem" style={{ listStyle: "decimal" }}>
          {steps.map(({ text, state }, k) => (
            <Box
              component="li"
              key={text}
              fw={k === next ? 600 : undefined}
              aria-current={k === next ? "step" : undefined}
            >
              {state === "done" && <span className="muted">{t("drill.done")}</span>}
              {state === "missed" && <b>{t("drill.missed")}</b>}
              {text}
            </Box>
          ))}
        </Stack>
      )}
      {goals.length > 0 && (
        <details open>
          <summary>{t("drill.goals")}</summary>
          <Stack component="ul" gap="0.375rem" pl="1.25rem" style={{ listStyle: "disc" }}>
            {goals.map(({ name, text }) => (
              <li key={name}>{text}</li>
            ))}
          </Stack>
        </details>
      )}
      <TryAgain hasEnded={has_ended} />
    </Panel>
  );
}

/** Starts the drill again, where no instructor has the session. Before the end it asks first. */
function TryAgain({ hasEnded }: { readonly hasEnded: boolean }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const station = useStation();
  const { scenario } = useSession();
  const mayReset = useMay("reset");
  const { isBusy, refusal, send } = useCommand();
  if (!mayReset || station.kind !== "trainee") return null;
  const label = t("drill.try_again");
  const reset = () =>
    void send(async () => {
      await freeze(station);
      await station.calls.post("/sandbox/reset");
    });
  const question = t("drill.try_again_sure", { at: times.instant(msOf(scenario.opened_at), nowMs) });
  return (
    <Box mt="sm">
      {hasEnded ? (
        <Button size="compact-xs" disabled={isBusy} onClick={reset}>
          {label}
        </Button>
      ) : (
        <Confirmed label={label} name={label} question={question} isBusy={isBusy} onYes={reset} />
      )}
      {refusal !== null && <Refusal>{refusal.text}</Refusal>}
    </Box>
  );
}
