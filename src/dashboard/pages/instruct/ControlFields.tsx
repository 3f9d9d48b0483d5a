import { Box, Checkbox, NumberInput, SegmentedControl, Select, SimpleGrid, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../../app/preferences.tsx";
import { useResource, useStation } from "../../data/hooks.ts";
import { useMessageText } from "../../messages/useMessageText.ts";
import { InstantInput } from "../../parts/InstantInput.tsx";
import { type ControlDraft, LEGS, type Leg } from "./controlDraft.ts";
import { type ControlField, DURATION_MINUTES, fieldsOf, kwMaxOf, skusOf } from "./controlRules.ts";
import { RefusalText } from "./RefusalText.tsx";
import { type ControlForm, refusedField } from "./useControlForm.ts";

interface FieldsProps {
  readonly form: ControlForm;
}

/** The fields of the product, type and API, each with its rule or the refusal that concerns it. */
export function ControlFields({ form }: FieldsProps) {
  const fields = fieldsOf(form.draft);
  const views: Readonly<Record<ControlField, ReactNode>> = {
    sku: <ProductField form={form} />,
    amount: <AmountField form={form} />,
    fcr_response: <CapacityField form={form} />,
    breakdown: <BreakdownFields form={form} />,
    duration: <DurationField form={form} />,
    start: <InstantField form={form} field="start" />,
    end: <InstantField form={form} field="end" />,
    component: <ComponentField form={form} />,
    baseline: <BaselineField form={form} />,
    member_baselines: null,
  };
  return fields.map((field) => (
    <div key={field} data-field={field}>
      {views[field]}
    </div>
  ));
}

/** Problem or refusal of a field, for its `error`. */
export function useFieldError({ form }: FieldsProps): (field: ControlField) => ReactNode {
  const textOf = useMessageText();
  return (field) => {
    const problem = form.shownProblem(field);
    if (problem !== null) return textOf(problem);
    const answer = form.exchange?.answer;
    return answer?.kind === "refused" && refusedField(form) === field ? <RefusalText error={answer.error} /> : null;
  };
}

/** The order that aligns the inputs of a row. */
const DESCRIPTION_LAST: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

/** A number of an input of the library; `null`: it is empty or no number. */
const numberOf = (value: string | number): number | null =>
  value === "" || !Number.isFinite(Number(value)) ? null : Number(value);

function ProductField({ form }: FieldsProps) {
  const { t } = useTexts();
  const error = useFieldError({ form })("sku");
  const { draft, change } = form;
  const products = skusOf(draft.api).map((value) => ({ value: value as string, label: t(`products.${value}`) }));
  return (
    <Stack gap="xs">
      <Select
        label={t("instruct.product")}
        data={[{ value: "", label: t("products.none") }, ...products]}
        value={draft.sku ?? ""}
        error={error}
        onChange={(value) => change({ sku: value === "" ? null : (value as ControlDraft["sku"]) })}
      />
      {draft.sku === "compound" && (
        <Checkbox
          label={t("instruct.breakdown")}
          checked={draft.hasBreakdown}
          onChange={({ currentTarget }) => change({ hasBreakdown: currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

function AmountField({ form }: FieldsProps) {
  const { t } = useTexts();
  const error = useFieldError({ form })("amount");
  const { draft, change } = form;
  const isTarget = draft.api === "site-v2" && draft.amountKind === "site_kw";
  return (
    <Stack gap="xs">
      {draft.api === "site-v2" && (
        <SegmentedControl
          fullWidth
          aria-label={t("instruct.amount_is")}
          data={(["delta_kw", "site_kw"] as const).map((value) => ({
            value,
            label: t(`instruct.amount_is.${value}`),
          }))}
          value={draft.amountKind}
          onChange={(value) => change({ amountKind: value as ControlDraft["amountKind"] })}
        />
      )}
      <NumberInput
        label={t(isTarget ? "instruct.target_power" : "instruct.amount")}
        inputWrapperOrder={DESCRIPTION_LAST}
        description={t("instruct.amount_hint")}
        value={draft.amountKw ?? ""}
        decimalScale={1}
        thousandSeparator=","
        required
        error={error}
        onChange={(value) => change({ amountKw: numberOf(value) })}
      />
    </Stack>
  );
}

function CapacityField({ form }: FieldsProps) {
  const { t } = useTexts();
  const error = useFieldError({ form })("fcr_response");
  const { draft, change } = form;
  return (
    <NumberInput
      label={t("instruct.capacity")}
      inputWrapperOrder={DESCRIPTION_LAST}
      description={t("instruct.capacity_hint")}
      value={draft.fcrResponseKw ?? ""}
      decimalScale={1}
      thousandSeparator=","
      required={draft.sku === "fcr"}
      error={error}
      onChange={(value) => change({ fcrResponseKw: numberOf(value) })}
    />
  );
}

const LEG_NAMES: Readonly<Record<Leg, string>> = { fcr_response_kw: "FCR", "s-frr": "S-FRR", frr: "FRR", rr: "RR" };

function BreakdownFields({ form }: FieldsProps) {
  const { t } = useTexts();
  const error = useFieldError({ form })("breakdown");
  const { draft, change } = form;
  return (
    <Box component="fieldset" m={0} p={0} bd={0}>
      <legend>{t("instruct.breakdown")}</legend>
      <SimpleGrid minColWidth="9rem" spacing="sm">
        {LEGS.map((leg) => (
          <NumberInput
            key={leg}
            label={t("instruct.leg", { leg: LEG_NAMES[leg] })}
            value={draft.breakdown[leg] ?? ""}
            decimalScale={1}
            error={error !== null}
            onChange={(value) => change({ breakdown: { ...draft.breakdown, [leg]: numberOf(value) } })}
          />
        ))}
      </SimpleGrid>
      {error !== null && (
        <div className="field-error" role="alert">
          {error}
        </div>
      )}
    </Box>
  );
}

function DurationField({ form }: FieldsProps) {
  const { t } = useTexts();
  const error = useFieldError({ form })("duration");
  const { draft, change } = form;
  return (
    <NumberInput
      label={t("instruct.duration")}
      value={draft.durationMinutes ?? ""}
      allowDecimal={false}
      min={DURATION_MINUTES.min}
      clampBehavior="none"
      required
      error={error}
      onChange={(value) => change({ durationMinutes: numberOf(value) })}
    />
  );
}

interface InstantFieldProps extends FieldsProps {
  readonly field: "start" | "end";
}

function InstantField({ form, field }: InstantFieldProps) {
  const { t } = useTexts();
  const error = useFieldError({ form })(field);
  const { draft, change } = form;
  const set = (atMs: number | null) => {
    if (field === "end") change({ endMs: atMs });
    else change({ startMs: atMs, endMs: movedEnd(draft, atMs) });
  };
  return (
    <InstantInput
      label={t(`instruct.${field}`)}
      precision="minutes"
      atMs={field === "start" ? draft.startMs : draft.endMs}
      error={error}
      onChange={set}
    />
  );
}

/** A schedule that is moved keeps its length. */
function movedEnd({ startMs, endMs }: ControlDraft, nextStartMs: number | null): number | null {
  return startMs === null || endMs === null || nextStartMs === null ? endMs : nextStartMs + (endMs - startMs);
}

/** Real ms between two reads of what does not change. */
const SLOW_MS = 60_000;

function ComponentField({ form }: FieldsProps) {
  const { t } = useTexts();
  const station = useStation();
  const error = useFieldError({ form })("component");
  const { draft, change, target } = form;
  const { value } = useResource(
    target.kind === "site" ? `specifications ${target.name}` : null,
    () => station.site(target.name).specifications(),
    SLOW_MS,
  );
  const ids = value?.components.map(({ component_id }) => component_id) ?? [];
  return (
    <Select
      label={t("instruct.component")}
      data={[{ value: "", label: t("instruct.whole_site") }, ...ids.map((id) => ({ value: id, label: id }))]}
      value={draft.componentId ?? ""}
      error={error}
      onChange={(id) => change({ componentId: id === "" ? null : id })}
    />
  );
}

function BaselineField({ form }: FieldsProps) {
  const { t } = useTexts();
  const error = useFieldError({ form })("baseline");
  const { draft, change } = form;
  return (
    <NumberInput
      label={t("instruct.baseline")}
      inputWrapperOrder={DESCRIPTION_LAST}
      description={t("instruct.baseline_hint")}
      value={draft.baselineKw ?? ""}
      decimalScale={1}
      max={kwMaxOf(draft.api)}
      clampBehavior="none"
      thousandSeparator=","
      error={error}
      onChange={(value) => change({ baselineKw: numberOf(value) })}
    />
  );
}
