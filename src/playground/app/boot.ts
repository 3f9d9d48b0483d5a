import { readProject } from "../../browser/link.ts";
import type { Project } from "../../browser/project.ts";
import type { Schema } from "../editor/schemaAt.ts";
import { fetchPart } from "../head/fetchPart.ts";
import type { Gallery } from "./examples.ts";

/** What a run needs, in memory. */
export interface Parts {
  readonly gallery: Gallery;
  /** Of the scenario format. */
  readonly schema: Schema;
  /** The scenario of `vppsim playground <scenario>`. */
  readonly given: Project | null;
  readonly startWorker: () => Worker;
}

/** The worker's file in memory, and the worker that started from it while the page loaded. */
export interface FirstWorker {
  readonly url: string;
  readonly worker: Worker;
}

declare global {
  interface Window {
    firstWorker: Promise<FirstWorker>;
  }
}

/** Loads all parts: afterwards the page sends no request. */
export async function loadParts(): Promise<Parts> {
  const [first, gallery, schema, given] = await Promise.all([
    window.firstWorker,
    fetchPart("gallery").then((answer): Promise<Gallery> => answer.json()),
    fetchPart("schema").then((answer): Promise<Schema> => answer.json()),
    givenProject(),
  ]);
  let next: Worker | null = first.worker;
  const startWorker = (): Worker => {
    const worker = next ?? new Worker(first.url, { type: "module" });
    next = null;
    return worker;
  };
  return { gallery, schema, given, startWorker };
}

/** The project beside the page. */
async function givenProject(): Promise<Project | null> {
  try {
    const given: unknown = await (await fetch("./project.json")).json();
    return given === null ? null : readProject(given);
  } catch {
    // A host may leave the file out, and answer with a page of its own.
    return null;
  }
}

/** Whether this browser can do a run. */
export function isSupported(): boolean {
  let asked = false;
  const options = {
    get type(): "module" {
      asked = true;
      return "module";
    },
  };
  try {
    new Intl.DateTimeFormat("en", { timeZone: "Asia/Tokyo" });
    const url = URL.createObjectURL(new Blob([], { type: "text/javascript" }));
    new Worker(url, options).terminate();
    URL.revokeObjectURL(url);
  } catch {
    return false;
  }
  return asked;
}
