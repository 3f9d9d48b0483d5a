import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { usePlayground, usePlaygroundState } from "./hooks.ts";

/** The gallery, and where own files are dropped. */
export function ExamplesPane() {
  const { t } = useTexts();
  const playground = usePlayground();
  const { gallery, example } = usePlaygroundState();
  const [wanted, setWanted] = useState("");
  const isWanted = (text: string): boolean => text.toLowerCase().includes(wanted.trim().toLowerCase());
  return (
    <section className="side" aria-label={t("playground.examples")}>
      <h2>{t("playground.examples")}</h2>
      <TextInput
        type="search"
        placeholder={t("playground.find")}
        aria-label={t("playground.find")}
        value={wanted}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      <div className="gallery" data-testid="gallery">
        {gallery.examples
          .filter(({ name, description }) => isWanted(`${name} ${description}`))
          .map(({ name, description }) => (
            <button
              key={name}
              type="button"
              data-testid={`example-${name}`}
              aria-current={name === example ? "true" : undefined}
              onClick={() => void playground.openExample(name)}
            >
              <b>{name}</b>
              <small>{description}</small>
            </button>
          ))}
      </div>
      <p className="muted dropbox">{t("playground.stays")}</p>
    </section>
  );
}
