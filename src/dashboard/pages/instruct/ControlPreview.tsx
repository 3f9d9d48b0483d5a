import { Table } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { DispatchPreview, PreviewPeriod, PreviewRequest, PreviewShare } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useNowMs, useResource, useStation } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { refusalText } from "../../messages/refusalText.ts";
import { CauseName } from "../../parts/Cause.tsx";
import { EmptyState, Panel, ResourceView } from "../../parts/Panel.tsx";
import { Refusal } from "../../parts/Refusal.tsx";
import type { ControlDraft } from "./controlDraft.ts";
import { instant, isCapacityOnly } from "./controlRules.ts";
import { type ControlForm, isAsSent } from "./useControlForm.ts";

/** Real ms without a change before the preview is read, and between two reads of it. */
const QUIET_MS = 400;
const PERIOD_MS = 5_000;

/** What the request to a VPP would do if it were sent now; until it is complete, what is missing. */
export function ControlPreview({ form }: { readonly form: ControlForm }) {
  const { t } = useTexts();
  const station = useStation();
  const nowMs = useNowMs();
  // Sent as it stands: what it would do a second time is no longer of interest.
  const isSent = form.exchange?.answer?.kind === "accepted" && isAsSent(form);
  const isReady = form.target.kind === "vpp" && form.problems.length === 0 && !isSent;
  const request = isReady ? previewRequest(form.draft, nowMs) : null;
  const [body] = useDebouncedValue(request === null ? null : JSON.stringify(request), QUIET_MS);
  const path = `/sandbox/vpps/${encodeURIComponent(form.target.name)}/preview`;
  const preview = useResource<DispatchPreview>(
    body === null ? null : `${path} ${body}`,
    () => station.calls.post(path, JSON.parse(body ?? "{}")),
    PERIOD_MS,
  );
  if (form.target.kind !== "vpp") return null;
  return (
    <Panel title={t("preview.title")}>
      {request === null || body === null ? (
        <EmptyState>{t(isSent ? "preview.sent" : "preview.incomplete")}</EmptyState>
      ) : (
        <ResourceView resource={preview}>{(value) => <PreviewText preview={value} />}</ResourceView>
      )}
    </Panel>
  );
}

/** @param nowMs  an immediate instruction begins now, to the minute, so that the preview is not read anew each second */
function previewRequest(draft: ControlDraft, nowMs: number): PreviewRequest {
  const { sku, amountKw, fcrResponseKw, type, startMs, endMs, durationMinutes } = draft;
  const minuteMs = Math.floor(nowMs / 60_000) * 60_000;
  const fromMs = type === "immediate" ? minuteMs : (startMs ?? nowMs);
  const toMs = type === "immediate" ? fromMs + 60_000 * (durationMinutes ?? 0) : (endMs ?? nowMs);
  const power = isCapacityOnly(draft) ? fcrResponseKw : amountKw;
  return { sku, power_kw: power ?? 0, starts_at: instant(fromMs), ends_at: instant(toMs) };
}

function PreviewText({ preview }: { readonly preview: DispatchPreview }) {
  const { t } = useTexts();
  const { refusal, uncovered_kw } = preview;
  return (
    <>
      {refusal !== null && (
        <Refusal>
          {t("preview.refused", { text: `${refusal.error_type}: ${refusal.text}` })}
          {refusal.valid_range !== null && <> {t("instruct.allowed", { range: refusal.valid_range })}</>}
        </Refusal>
      )}
      <Overlaps overlaps={preview.overlaps} />
      {refusal === null && (
        <>
          <p>
            {uncovered_kw > 0 ? <b>{t("preview.uncovered", { kw: formatKw(uncovered_kw) })}</b> : t("preview.covered")}
          </p>
          {preview.allocation.length > 0 && <Shares allocation={preview.allocation} />}
        </>
      )}
      {preview.not_checked.length > 0 && (
        <p className="muted">
          {t("preview.not_checked", {
            list: preview.not_checked.map(({ what }) => t(`preview.check.${what}`)).join(t("list.separator")),
          })}
        </p>
      )}
    </>
  );
}

function Overlaps({ overlaps }: Pick<DispatchPreview, "overlaps">) {
  const { t } = useTexts();
  const times = useTimes();
  const periodText = ({ starts_at, ends_at }: PreviewPeriod) =>
    `${times.time(msOf(starts_at))}–${times.time(msOf(ends_at))}`;
  if (overlaps.length === 0) return <p className="muted">{t("preview.no_overlap")}</p>;
  return (
    <>
      <h3>{t("preview.overlaps")}</h3>
      <ul>
        {overlaps.map(({ schedule_id, name, starts_at, ends_at, effect, remaining }) => (
          <li key={schedule_id}>
            <b>
              {name}
              {t("list.separator")}
              {periodText({ starts_at, ends_at })}
            </b>
            {": "}
            {effect === "reduced" && remaining.length > 0
              ? t("preview.effect.cut", { periods: remaining.map(periodText).join(", ") })
              : t(`preview.effect.${effect}`)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Shares({ allocation }: Pick<DispatchPreview, "allocation">) {
  const { t } = useTexts();
  const times = useTimes();
  const reasonOf = (refusal: NonNullable<PreviewShare["refusal"]>) => {
    const { available_from: at } = refusal;
    const again = at === null ? [] : [t("preview.available_from", { at: times.time(msOf(at)) })];
    return [refusalText(refusal, t), ...again].join(t("list.separator"));
  };
  return (
    <Table>
      <Table.Caption>{t("preview.shares")}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("events.site")}</Table.Th>
          <Table.Th className="num">{t("preview.share")}</Table.Th>
          <Table.Th className="num">{t("preview.headroom")}</Table.Th>
          <Table.Th>{t("preview.limited_by")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {allocation.map(({ site, kw, headroom_kw, cause, refusal }) => (
          <Table.Tr key={site}>
            <Table.Th scope="row">{site}</Table.Th>
            <Table.Td className="num">{formatKw(kw)}</Table.Td>
            <Table.Td className="num">{headroom_kw === null ? "–" : formatKw(headroom_kw)}</Table.Td>
            <Table.Td>
              {cause === null ? "–" : <CauseName cause={cause} />}
              {refusal !== null && (
                <div className="muted" style={{ fontSize: "0.75rem" }}>
                  {reasonOf(refusal)}
                </div>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
