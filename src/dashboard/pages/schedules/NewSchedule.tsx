import { Stack } from "@mantine/core";
import { useEffect } from "react";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useSession, useStation } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { Columns, HALVES, Panel } from "../../parts/Panel.tsx";
import { ControlExchangeView, ControlFormView } from "../instruct/ControlFormView.tsx";
import { ControlPreview } from "../instruct/ControlPreview.tsx";
import { isCapacityOnly } from "../instruct/controlRules.ts";
import { targetOf } from "../instruct/controlTarget.ts";
import { useControlForm } from "../instruct/useControlForm.ts";
import type { TimeBar } from "./timeLine.ts";

interface NewScheduleProps {
  readonly vpp: string;
  /** Called with the draft to draw, and with `null` when the form closes. */
  readonly onDraft: (draft: TimeBar | null) => void;
}

/** The form of a new schedule of a VPP, what it would do, and the request as curl. */
export function NewSchedule({ vpp, onDraft }: NewScheduleProps) {
  const { t } = useTexts();
  const times = useTimes();
  const session = useSession();
  const { reads } = useStation();
  const form = useControlForm(targetOf(session, `vpp:${vpp}`), "schedule");
  const { startMs, endMs, amountKw, fcrResponseKw, sku } = form.draft;
  const isAccepted = form.exchange?.answer?.kind === "accepted";
  const powerKw = isCapacityOnly(form.draft) ? fcrResponseKw : amountKw;
  const name = sku === null ? t("schedules.draft") : sku.toUpperCase();
  const label = powerKw === null ? name : `${name} ${formatKw(powerKw)} kW`;
  const title = `${t("schedules.draft")}: ${label}, ${times.time(startMs ?? 0)}–${times.time(endMs ?? 0)}`;
  useEffect(() => {
    const isDrawn = startMs !== null && endMs !== null && startMs < endMs && !isAccepted;
    onDraft(isDrawn ? { id: "draft", startMs, endMs, label, title, state: "draft" } : null);
    if (isAccepted) reads.refresh();
    return () => onDraft(null);
  }, [startMs, endMs, label, title, isAccepted, onDraft, reads]);
  return (
    <Columns template={HALVES}>
      <Stack gap="sm">
        <Panel title={t("schedules.new")} note={vpp}>
          <ControlFormView form={form} hasType={false} />
        </Panel>
        <Panel title={t("instruct.request")}>
          <ControlExchangeView form={form} />
        </Panel>
      </Stack>
      <ControlPreview form={form} />
    </Columns>
  );
}
