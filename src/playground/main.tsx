import "@mantine/core/styles.css";
import "../dashboard/library.css";
import "./page.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { publishApi } from "./app/api.ts";
import { isSupported, loadParts } from "./app/boot.ts";
import { openFragment } from "./app/fragment.ts";
import { Playground } from "./app/playground.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");
const playground = new Playground();

async function start(): Promise<void> {
  const parts = await loadParts();
  playground.start(parts);
  await openFragment(playground, location.hash, parts.given);
}

const isUsable = isSupported();
if (isUsable) {
  const ready = start();
  publishApi(playground, ready);
  ready.catch((error) =>
    playground.notify({ key: "playground.start_failed", values: { details: String(error.message ?? error) } }),
  );
  addEventListener("hashchange", () => void openFragment(playground, location.hash, null));
}
createRoot(root).render(
  <StrictMode>
    <App playground={playground} isUsable={isUsable} />
  </StrictMode>,
);
