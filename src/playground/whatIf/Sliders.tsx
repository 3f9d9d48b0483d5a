import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { groupBy } from "../../base/lists.ts";
import type { LiveParameter } from "../../browser/liveParameters.ts";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import type { WhatIfModel, WhatIfState } from "./whatIfModel.ts";

interface SlidersProps {
  readonly whatIf: WhatIfModel;
  readonly state: WhatIfState;
}

const KINDS = ["weight", "size"] as const;

/** A slider and a number field for each weight; the sizes are behind the second button. */
export function Sliders({ whatIf, state: { parameters, position } }: SlidersProps) {
  const { t } = useTexts();
  const [kind, setKind] = useState<(typeof KINDS)[number]>("weight");
  const groups = groupBy(
    parameters.filter((parameter) => parameter.kind === kind),
    (parameter) => (kind === "weight" ? parameter.of : parameter.site),
  );
  return (
    <div className="live grow">
      <div className="group">
        {KINDS.map((each) => (
          <Button key={each} aria-pressed={kind === each} onClick={() => setKind(each)}>
            {t(each === "weight" ? "playground.weights" : "playground.sizes")}
          </Button>
        ))}
        <Button className="end" onClick={() => whatIf.moveTo({})}>
          {t("playground.reset")}
        </Button>
      </div>
      <div className="scrolled">
        {[...groups].map(([name, own]) => (
          <fieldset key={name} className="sliders">
            <legend className="muted">{name}</legend>
            {own.map((parameter) => (
              <Slider
                key={parameter.path}
                parameter={parameter}
                value={numberAt(position[parameter.path]) ?? parameter.written}
                move={(value) => whatIf.move(parameter, value)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </div>
  );
}

const numberAt = (value: number | string | undefined): number | null => (typeof value === "number" ? value : null);

interface SliderProps {
  readonly parameter: LiveParameter;
  readonly value: number;
  readonly move: (value: number) => void;
}

/** Digits of a value that a slider gives. */
const DIGITS = 4;

function Slider({ parameter, value, move }: SliderProps) {
  const { path, kind, site, of, written } = parameter;
  const id = useId();
  // What is typed, while it is no number.
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string): void => {
    const isNumber = text !== "" && Number.isFinite(Number(text));
    setTyped(isNumber ? null : text);
    if (isNumber) move(Number(text));
  };
  return (
    <div className={value === written ? "slider" : "slider moved"}>
      <label htmlFor={id} title={path}>
        {kind === "weight" ? site : of}
      </label>
      <input
        id={id}
        type="range"
        data-testid={`slider-${path}`}
        min={0}
        max={rangeMax(written, value)}
        step="any"
        value={value}
        onChange={({ target }) => move(Number(target.valueAsNumber.toPrecision(DIGITS)))}
      />
      <input
        type="number"
        aria-label={path}
        min={0}
        step="any"
        value={typed ?? value}
        onChange={({ target }) => change(target.value)}
        onBlur={() => setTyped(null)}
      />
    </div>
  );
}

/** Of a slider: twice the value that is written, a hundred at least for a weight of 0; a typed value is within too. */
const rangeMax = (written: number, value: number): number => Math.max(written === 0 ? 100 : 2 * written, value);
