import { Alert, Input, SegmentedControl, Select, Stack } from "@mantine/core";
import { useEffect } from "react";
import type { VppBalance } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useVppName } from "../../app/vppChoice.tsx";
import { balancePath, useNowMs, useSandbox, useSession } from "../../data/hooks.ts";
import { Columns, HALVES, Panel } from "../../parts/Panel.tsx";
import { ControlExchangeView, ControlFormView } from "./ControlFormView.tsx";
import { ControlPreview } from "./ControlPreview.tsx";
import type { ControlDraft } from "./controlDraft.ts";
import { apisOf, type ControlTarget, targetKey, targetOf } from "./controlTarget.ts";
import { REDISPATCH_KEY, redispatchDraft } from "./redispatch.ts";
import { type ControlForm, useControlForm } from "./useControlForm.ts";

/** Immediate and scheduled control of a VPP or a site, with the request as curl. */
export function InstructPage() {
  const { t } = useTexts();
  const session = useSession();
  const vpp = useVppName();
  const [key, choose] = useQueryState("target", targetKey({ kind: "vpp", name: vpp }));
  const target = targetOf(session, key);
  const groups = [
    { group: t("vpp.choose"), items: session.vpps.map(({ name }) => optionOf("vpp", name)) },
    { group: t("nav.sites"), items: session.sites.map(({ name }) => optionOf("site", name)) },
  ];
  return (
    <Columns template={HALVES}>
      <h1 className="visually-hidden">{t("instruct.title")}</h1>
      <InstructForm key={targetKey(target)} target={target}>
        <Select label={t("instruct.target")} data={groups} value={targetKey(target)} onChange={choose} searchable />
      </InstructForm>
    </Columns>
  );
}

const optionOf = (kind: ControlTarget["kind"], name: string) => ({ value: targetKey({ kind, name }), label: name });

interface InstructFormProps {
  readonly target: ControlTarget;
  readonly children: React.ReactNode;
}

function InstructForm({ target, children }: InstructFormProps) {
  const { t } = useTexts();
  const form = useControlForm(target);
  const isMissing = useRedispatch(form);
  const apis = apisOf(target);
  return (
    <>
      <Stack gap="sm">
        <Panel title={t("instruct.title")} note={t("instruct.lead")}>
          {isMissing && <Alert p="xs">{t("redispatch.not_in_force")}</Alert>}
          <ControlFormView form={form} hasType>
            {children}
            {apis.length > 1 && (
              <Input.Wrapper component="div" label={t("instruct.api")} labelElement="div">
                <SegmentedControl
                  fullWidth
                  aria-label={t("instruct.api")}
                  data={apis.map((api) => ({ value: api, label: t(`instruct.api.${api}`) }))}
                  value={form.draft.api}
                  onChange={(api) => form.change({ api: api as ControlDraft["api"], sku: null })}
                />
              </Input.Wrapper>
            )}
          </ControlFormView>
        </Panel>
        <ControlPreview form={form} />
      </Stack>
      <Panel title={t("instruct.request")}>
        <ControlExchangeView form={form} />
      </Panel>
    </>
  );
}

/**
 * Fills the form in with the rest of the award that the address names, once: what the person changes then stays.
 *
 * @returns whether that award is not in force
 */
function useRedispatch({ target, change }: ControlForm): boolean {
  const [awardId, setAwardId] = useQueryState(REDISPATCH_KEY, "");
  const nowMs = useNowMs();
  const isWanted = awardId !== "" && target.kind === "vpp";
  const { value } = useSandbox<VppBalance>(isWanted ? balancePath(target.name) : null);
  const award = value?.awards.find(({ award_id }) => award_id === awardId);
  useEffect(() => {
    if (award === undefined) return;
    change(redispatchDraft(award, nowMs));
    setAwardId(null);
  });
  return isWanted && value !== null && award === undefined;
}
