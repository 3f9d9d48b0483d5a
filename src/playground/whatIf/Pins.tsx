import { Button } from "@mantine/core";
import { utf8Bytes } from "../../base/bytes.ts";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { formatChange, formatKw } from "../../dashboard/format/numbers.ts";
import { download } from "../app/share.ts";
import { isShown, PIN_NAMES, patchText, type WhatIfModel, type WhatIfState } from "./whatIfModel.ts";

interface PinsProps {
  readonly whatIf: WhatIfModel;
  readonly state: WhatIfState;
}

/** The scenario as written and the pinned variants, each a button that brings its values back. */
export function Pins({ whatIf, state }: PinsProps) {
  const { t } = useTexts();
  const { pins, writtenKwh, position } = state;
  const changes = (shortfallKwh: number): string =>
    writtenKwh === null || writtenKwh === 0
      ? ""
      : `${formatChange((100 * (shortfallKwh - writtenKwh)) / writtenKwh)} %`;
  return (
    <div className="pins">
      {writtenKwh !== null && (
        <button type="button" className="pin base" onClick={() => whatIf.moveTo({})}>
          <b aria-hidden="true">○</b>
          <span>{formatKw(writtenKwh)}</span>
          <small>{t("playground.as_written")}</small>
        </button>
      )}
      {pins.map(({ position: pinned, shortfallKwh }, k) => (
        <button
          key={PIN_NAMES[k]}
          type="button"
          className="pin"
          data-testid={`variant-${PIN_NAMES[k]}`}
          data-kwh={shortfallKwh.toFixed(3)}
          onClick={() => whatIf.moveTo(pinned)}
        >
          <b>{PIN_NAMES[k]}</b>
          <span>
            {formatKw(shortfallKwh)} <span className="muted">{changes(shortfallKwh)}</span>
          </span>
          <small>{t("playground.values", { count: Object.keys(pinned).length })}</small>
        </button>
      ))}
      <Button data-testid="pin" disabled={!isShown(state)} onClick={() => whatIf.pin()}>
        {t("playground.pin")}
      </Button>
      <Button
        data-testid="download-patch"
        disabled={!isShown(state)}
        onClick={() => download("what-if.patch.yaml", utf8Bytes(patchText(position)))}
      >
        {t("playground.patch")}
      </Button>
    </div>
  );
}
