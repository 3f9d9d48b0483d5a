import { Alert, Box, Button, Group, Input, SegmentedControl, Stack } from "@mantine/core";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { useTexts } from "../../app/preferences.tsx";
import { formatKw } from "../../format/numbers.ts";
import { CurlBlock } from "../../parts/CurlBlock.tsx";
import { Refusal } from "../../parts/Refusal.tsx";
import { ControlFields } from "./ControlFields.tsx";
import type { ControlDraft } from "./controlDraft.ts";
import type { ControlAnswer } from "./controlTarget.ts";
import { MemberBaselines } from "./MemberBaselines.tsx";
import { RefusalText } from "./RefusalText.tsx";
import { type ControlForm, refusedField, useShownRequest } from "./useControlForm.ts";

interface ControlFormViewProps {
  readonly form: ControlForm;
  /** Whether the person chooses between immediate and scheduled. */
  readonly hasType: boolean;
  /** First fields, such as the target. */
  readonly children?: ReactNode;
}

/** The fields of a control request with its buttons. Ctrl+Enter sends it. */
export function ControlFormView({ form, hasType, children }: ControlFormViewProps) {
  const { t } = useTexts();
  const { draft, change, maySend, isConnected, isSending, send } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  };
  return (
    <form className="control-form" onSubmit={submit} onKeyDown={sendByKey} noValidate>
      {children}
      {hasType && (
        <Input.Wrapper component="div" label={t("instruct.type")} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t("instruct.type")}
            data={(["immediate", "schedule"] as const).map((value) => ({ value, label: t(`instruct.type.${value}`) }))}
            value={draft.type}
            onChange={(value) => change({ type: value as ControlDraft["type"] })}
          />
        </Input.Wrapper>
      )}
      <ControlFields form={form} />
      <Stack gap="xs" className="wide">
        {draft.api === "vpp-v1" && <MemberBaselines form={form} />}
        <HeadRefusal form={form} />
        {!maySend && <Alert>{t("instruct.not_allowed")}</Alert>}
        {!isConnected && <Alert>{t("instruct.disconnected")}</Alert>}
        <Group>
          <Button type="submit" variant="filled" disabled={!maySend || !isConnected || isSending}>
            {t(isSending ? "instruct.sending" : "instruct.send")}
          </Button>
          <AnswerLine answer={form.exchange?.answer ?? null} />
        </Group>
      </Stack>
    </form>
  );
}

/** A refusal that concerns no field of the form. */
function HeadRefusal({ form }: { readonly form: ControlForm }) {
  const { t } = useTexts();
  const answer = form.exchange?.answer;
  if (answer?.kind === "unanswered")
    return (
      <Refusal>
        {t("instruct.unanswered")} ({answer.details})
      </Refusal>
    );
  if (answer?.kind !== "refused" || refusedField(form) !== null) return null;
  return (
    <Refusal>
      <RefusalText error={answer.error} />
    </Refusal>
  );
}

function AnswerLine({ answer }: { readonly answer: ControlAnswer | null }) {
  const { t } = useTexts();
  if (answer?.kind !== "accepted") return <span role="status" />;
  const { delta_kw, fcr_response_kw, uncovered_kw = 0, warning, message } = answer.body;
  const kw = formatKw(Math.abs(uncovered_kw));
  const text =
    warning !== undefined
      ? t("instruct.accepted_warning", { text: message })
      : uncovered_kw === 0
        ? t("instruct.accepted")
        : uncovered_kw === (delta_kw ?? fcr_response_kw)
          ? t("instruct.accepted_no_effect", { kw })
          : t("instruct.accepted_uncovered", { kw });
  return (
    <Box component="b" role="status" px="sm" py="xs">
      {text}
    </Box>
  );
}

/** The request as curl with the answer of the server. */
export function ControlExchangeView({ form }: { readonly form: ControlForm }) {
  const request = useShownRequest(form);
  const answer = form.exchange?.answer ?? null;
  const shown =
    answer === null || answer.kind === "unanswered"
      ? {}
      : { status: answer.status, answer: answer.kind === "accepted" ? answer.body : { error: answer.error } };
  return <CurlBlock request={request} {...shown} />;
}
