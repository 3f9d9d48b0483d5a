import { Button, NumberInput, SimpleGrid } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { formatKw } from "../../format/numbers.ts";
import { useFieldError } from "./ControlFields.tsx";
import type { ControlForm } from "./useControlForm.ts";

/** The baselines that a request of the VPP API carries, folded up: they are filled in as the sites report them. */
export function MemberBaselines({ form }: { readonly form: ControlForm }) {
  const { t } = useTexts();
  const error = useFieldError({ form })("member_baselines");
  const { draft, change, reloadBaselines } = form;
  const { memberBaselines } = draft;
  const set = (emsId: string, baselineKw: number | null) =>
    change({
      memberBaselines: memberBaselines.map((member) => (member.emsId === emsId ? { ...member, baselineKw } : member)),
    });
  const sumKw = memberBaselines.reduce((sum, { baselineKw }) => sum + (baselineKw ?? 0), 0);
  return (
    <details open={error !== null || undefined}>
      <summary>
        {t("instruct.member_baselines")}: {formatKw(sumKw)}
      </summary>
      <p className="muted">{t("instruct.member_baselines_hint")}</p>
      {error !== null && (
        <div className="field-error" role="alert">
          {error}
        </div>
      )}
      <SimpleGrid minColWidth="9rem" spacing="sm">
        {memberBaselines.map(({ emsId, site, baselineKw, isInService }) => (
          <NumberInput
            key={emsId}
            label={isInService ? site : `${site} (${t("instruct.member_out")})`}
            value={baselineKw ?? ""}
            decimalScale={1}
            onChange={(value) => set(emsId, value === "" ? null : Number(value))}
          />
        ))}
      </SimpleGrid>
      <Button mt="xs" onClick={reloadBaselines}>
        {t("instruct.reload_baselines")}
      </Button>
    </details>
  );
}
