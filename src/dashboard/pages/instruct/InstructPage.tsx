import { Input, SegmentedControl, Select, Stack } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useVppName } from "../../app/vppChoice.tsx";
import { useSession } from "../../data/hooks.ts";
import { Columns, HALVES, Panel } from "../../parts/Panel.tsx";
import { ControlExchangeView, ControlFormView } from "./ControlFormView.tsx";
import { ControlPreview } from "./ControlPreview.tsx";
import type { ControlDraft } from "./controlDraft.ts";
import { apisOf, type ControlTarget, targetKey, targetOf } from "./controlTarget.ts";
import { useControlForm } from "./useControlForm.ts";

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
  const apis = apisOf(target);
  return (
    <>
      <Stack gap="sm">
        <Panel title={t("instruct.title")} note={t("instruct.lead")}>
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
