import type { ErrorObject } from "../../../api/client/apiError.ts";
import { useTexts } from "../../app/preferences.tsx";

/** What an API refused, the rule, and the allowed range, in the words of the API. */
export function RefusalText({ error }: { readonly error: ErrorObject }) {
  const { t } = useTexts();
  const { error_type, message, details, valid_range, required_action } = error;
  return (
    <span role="alert">
      <b>{t("instruct.refused", { type: error_type ?? message })}</b> {details ?? message}
      {valid_range !== undefined && <> {t("instruct.allowed", { range: valid_range })}</>}
      {required_action !== undefined && <> {required_action}</>}
    </span>
  );
}
