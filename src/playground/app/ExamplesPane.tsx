import { Button, TextInput } from "@mantine/core";
import { useContext, useId, useRef, useState } from "react";
import { LanguageContext, useTexts } from "../../dashboard/app/preferences.tsx";
import { knownKey } from "../../texts/catalogue.ts";
import type { Example } from "./examples.ts";
import { chosenFiles } from "./givenFiles.ts";
import { usePlayground, usePlaygroundState } from "./hooks.ts";

export const FIND_ID = "find-example";

/** The gallery, and where own files are dropped. */
export function ExamplesPane() {
  const { t } = useTexts();
  const playground = usePlayground();
  const { gallery, example } = usePlaygroundState();
  const [wanted, setWanted] = useState("");
  const textOf = useDescriptions();
  const isWanted = (text: string): boolean => text.toLowerCase().includes(wanted.trim().toLowerCase());
  return (
    <section className="side" aria-label={t("playground.examples")}>
      <h2>{t("playground.examples")}</h2>
      <TextInput
        id={FIND_ID}
        type="search"
        placeholder={t("playground.find_placeholder")}
        aria-label={t("playground.find")}
        value={wanted}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      <div className="gallery" data-testid="gallery">
        {gallery.examples
          .filter((each) => isWanted(`${each.name} ${textOf(each)}`))
          .map((each) => (
            <button
              key={each.name}
              type="button"
              data-testid={`example-${each.name}`}
              aria-current={each.name === example ? "true" : undefined}
              onClick={() => void playground.openExample(each.name)}
            >
              <b>{each.name}</b>
              <small>{textOf(each)}</small>
            </button>
          ))}
      </div>
      <OwnFiles />
    </section>
  );
}

/** Descriptions in the person's language; the scenarios have the English ones. */
function useDescriptions(): (example: Example) => string {
  const { t } = useTexts();
  const language = useContext(LanguageContext);
  return ({ name, description }) => {
    const key = language === "en" ? null : knownKey(`example.${name.replaceAll("-", "_")}`);
    return key === null ? description : t(key);
  };
}

/** Fields of files and of a folder; the whole page takes what is dropped. */
function OwnFiles() {
  const { t } = useTexts();
  const playground = usePlayground();
  const id = useId();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = async (input: HTMLInputElement): Promise<void> => {
    const chosen = await chosenFiles(input.files ?? []);
    // The same files can be chosen again.
    input.value = "";
    await playground.take(chosen);
  };
  const field = { type: "file", hidden: true, multiple: true };
  return (
    <fieldset className="dropbox" aria-labelledby={id}>
      <p id={id}>{t("playground.drop")}</p>
      <Button onClick={() => files.current?.click()}>{t("playground.choose_files")}</Button>
      <Button onClick={() => folder.current?.click()}>{t("playground.choose_folder")}</Button>
      <p>{t("playground.stays")}</p>
      <input
        {...field}
        ref={files}
        data-testid="file-input"
        aria-label={t("playground.choose_files")}
        onChange={({ currentTarget }) => void take(currentTarget)}
      />
      <input
        {...field}
        ref={(input) => {
          folder.current = input;
          // React's types do not have the attribute.
          input?.setAttribute("webkitdirectory", "");
        }}
        data-testid="folder-input"
        aria-label={t("playground.choose_folder")}
        onChange={({ currentTarget }) => void take(currentTarget)}
      />
    </fieldset>
  );
}
