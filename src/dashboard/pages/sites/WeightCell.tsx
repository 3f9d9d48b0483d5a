import { Box, NumberInput, Popover } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { ApiError } from "../../../api/client/apiError.ts";
import type { TextKey } from "../../../texts/catalogue.ts";
import { useTexts } from "../../app/preferences.tsx";
import { useConnection, useMay, useStation } from "../../data/hooks.ts";

const WEIGHT_MAX = 999_999.9;

/** What the VPP API answered to the last weight. */
type Answer = { readonly kind: "none" | "saving" | "saved" } | { readonly kind: "refused"; readonly details: string };

const ANSWER_TEXTS: Readonly<Record<Answer["kind"], TextKey | null>> = {
  none: null,
  saving: "weight.saving",
  saved: "weight.saved",
  refused: "weight.refused",
};

interface WeightCellProps {
  readonly vpp: string;
  readonly site: string;
  readonly weight: number;
}

/** The weight of a member: Enter sends it by the VPP API, Escape takes the change back. The answer is shown beside it. */
export function WeightCell({ vpp, site, weight }: WeightCellProps) {
  const { t } = useTexts();
  const station = useStation();
  const mayChange = useMay("weights");
  const isConnected = useConnection() !== "disconnected";
  const [draft, setDraft] = useState<number | string | null>(null);
  const [answer, setAnswer] = useState<Answer>({ kind: "none" });

  const send = async () => {
    const value = Number(draft);
    if (draft === null || draft === "" || value === weight) return setDraft(null);
    setAnswer({ kind: "saving" });
    try {
      const emsId = station.session.sites.find(({ name }) => name === site)?.ems_id ?? "";
      await station.vpp(vpp).updateMember(emsId, { allocation_weight: value });
      setAnswer({ kind: "saved" });
      setDraft(null);
    } catch (error) {
      setAnswer({ kind: "refused", details: refusalText(error) });
    }
    station.reads.refresh();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") void send();
    else if (event.key === "Escape") {
      setDraft(null);
      setAnswer({ kind: "none" });
    }
  };
  const answerText = ANSWER_TEXTS[answer.kind];
  return (
    <span className="inline">
      <Box component="span" w="3rem" c="dimmed" fz="xs" ta="right" role="status">
        {answerText === null ? "" : t(answerText)}
      </Box>
      <Popover opened={answer.kind === "refused"} position="left" withArrow trapFocus={false} withRoles={false}>
        <Popover.Target>
          <NumberInput
            w="4.5rem"
            styles={{ input: { textAlign: "right" } }}
            aria-label={t("weight.of", { site })}
            title={mayChange ? undefined : t("weight.fixed")}
            value={draft ?? weight}
            min={0}
            max={WEIGHT_MAX}
            decimalScale={1}
            clampBehavior="none"
            disabled={!mayChange || !isConnected}
            error={answer.kind === "refused"}
            onChange={(value) => {
              setDraft(value);
              setAnswer({ kind: "none" });
            }}
            onKeyDown={onKeyDown}
            onBlur={() => answer.kind !== "refused" && setDraft(null)}
          />
        </Popover.Target>
        <Popover.Dropdown bg="var(--alarm-1-tint)" role="alert">
          {answer.kind === "refused" && answer.details}
        </Popover.Dropdown>
      </Popover>
    </span>
  );
}

function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const { error_type, message, details, valid_range } = error.error;
  return [error_type ?? message, details, valid_range].filter((part) => part !== undefined).join(" · ");
}
