import { Box, Stack } from "@mantine/core";
import type { DrillView } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useDrill } from "../../app/useDrill.ts";
import { useNowMs } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { Panel } from "../../parts/Panel.tsx";

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
    </Panel>
  );
}
