import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useContext, useEffect, useEffectEvent, useState } from "react";
import { THEME_ICON } from "../../dashboard/app/icons.tsx";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { useShortcut } from "../../dashboard/app/useShortcut.ts";
import { FIND_ID } from "./ExamplesPane.tsx";
import { canRun, usePlayground, usePlaygroundState } from "./hooks.ts";
import { PreferencesContext } from "./preferences.ts";
import { RunStatus } from "./RunStatus.tsx";
import { ShortcutSheet } from "./Shortcuts.tsx";
import { copyLink, download, zipOf } from "./share.ts";

/** A host that has the documents names them in the page: `<link rel="help" href="…">`. */
const DOCUMENTATION = document.querySelector<HTMLLinkElement>("link[rel=help]")?.href ?? null;
const RUN_KEY = "Ctrl ↵";

/** Run and its state, sharing, language and theme. */
export function Header() {
  const { t } = useTexts();
  useEffect(() => {
    document.title = t("playground.document");
  }, [t]);
  return (
    <header className="top">
      <h1 className="brand">
        {t("app.name")}
        <span>{t("playground.title")}</span>
      </h1>
      <RunButtons />
      <RunStatus />
      <nav className="group end" aria-label={t("playground.share")}>
        <ShareButtons />
        <Settings />
      </nav>
    </header>
  );
}

function RunButtons() {
  const { t } = useTexts();
  const playground = usePlayground();
  const state = usePlaygroundState();
  const run = (): void => {
    // The page shows what came of it.
    if (canRun(state)) playground.run().catch(() => {});
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    // Before the editor takes the key.
    addEventListener("keydown", listener, { capture: true });
    return () => removeEventListener("keydown", listener, { capture: true });
  }, []);
  return (
    <div className="group">
      <Button
        variant="filled"
        data-testid="run"
        disabled={!canRun(state)}
        onClick={run}
        rightSection={<Kbd>{RUN_KEY}</Kbd>}
      >
        {t("playground.run")}
      </Button>
      <Button data-testid="cancel" disabled={state.run.kind !== "running"} onClick={() => playground.cancel()}>
        {t("playground.cancel")}
      </Button>
    </div>
  );
}

function ShareButtons() {
  const { t } = useTexts();
  const playground = usePlayground();
  const state = usePlaygroundState();
  const isIdle = state.run.kind !== "loading" && state.run.kind !== "running";
  return (
    <>
      <Button data-testid="permalink" disabled={state.run.kind === "loading"} onClick={() => void copyLink(playground)}>
        {t("playground.link")}
      </Button>
      <Button data-testid="download-zip" disabled={!isIdle} onClick={() => download("report.zip", zipOf(state))}>
        {t("playground.zip")}
      </Button>
      {DOCUMENTATION !== null && (
        <Button component="a" href={DOCUMENTATION}>
          {t("playground.documentation")}
        </Button>
      )}
    </>
  );
}

function Settings() {
  const { t } = useTexts();
  const { language, toggleLanguage, toggleScheme } = useContext(PreferencesContext);
  const [hasSheet, setSheet] = useState(false);
  useShortcut("?", () => setSheet(true));
  useShortcut("/", () => document.getElementById(FIND_ID)?.focus());
  return (
    <>
      <Button data-testid="language" lang={language === "en" ? "ja" : "en"} onClick={toggleLanguage}>
        {t("language.other")}
      </Button>
      <ActionIcon data-testid="theme" size="input-xs" aria-label={t("playground.theme")} onClick={toggleScheme}>
        {THEME_ICON}
      </ActionIcon>
      <ActionIcon size="input-xs" aria-label={t("playground.keys")} onClick={() => setSheet(true)}>
        ?
      </ActionIcon>
      {hasSheet && <ShortcutSheet onClose={() => setSheet(false)} />}
    </>
  );
}
