import { Button } from "@mantine/core";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useTexts } from "../../app/preferences.tsx";
import { Observable } from "../../data/observable.ts";
import { useAlarmsRead } from "./useAlarms.ts";

/** A browser lets a page sound only after a person has pressed something: `null` until the sound is switched on. */
const sound = new Observable<AudioContext | null>(null);

const useSound = (): AudioContext | null => useSyncExternalStore(sound.subscribe, sound.get);

/** Switches the sound of alarms on and off; it is off at first. */
export function SoundSwitch() {
  const { t } = useTexts();
  const context = useSound();
  const toggle = () => {
    void context?.close();
    sound.set(context === null ? new AudioContext() : null);
  };
  return (
    <Button size="compact-xs" aria-pressed={context !== null} onClick={toggle}>
      {t(context === null ? "alarms.sound_off" : "alarms.sound_on")}
    </Button>
  );
}

/** One short tone for each alarm of priority 1 or 2 that is raised. */
export function AlarmSound() {
  const context = useSound();
  const list = useAlarmsRead();
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (list === null) return;
    const urgent = list.alarms.filter(({ priority, state }) => priority < 3 && state === "new");
    const raised = new Set(urgent.map(({ id, raised_at }) => `${id} ${raised_at}`));
    const before = known.current ?? raised;
    known.current = raised;
    if (context === null) return;
    [...raised].filter((raise) => !before.has(raise)).forEach((_, k) => playTone(context, k));
  }, [list, context]);
  return null;
}

const TONE = { frequencyHz: 880, seconds: 0.2, everySeconds: 0.4, gain: 0.2 };

/** @param k  place among the tones that begin now */
function playTone(context: AudioContext, k: number): void {
  const from = context.currentTime + k * TONE.everySeconds;
  const gain = new GainNode(context, { gain: TONE.gain });
  const tone = new OscillatorNode(context, { frequency: TONE.frequencyHz });
  tone.connect(gain).connect(context.destination);
  tone.start(from);
  tone.stop(from + TONE.seconds);
}
