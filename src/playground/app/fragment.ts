import { InputErrors } from "../../base/inputError.ts";
import { unpackLink } from "../../browser/link.ts";
import type { Project } from "../../browser/project.ts";
import { EMPTY, type Playground } from "./playground.ts";

const FIRST_EXAMPLE = "quickstart";

/**
 * Opens what the fragment of the address names: `#example=quickstart`, or a link `#p=1.…`. Without one, the given project, else the first
 * example. A fragment that cannot be opened leaves the last project, and says why.
 *
 * @param given  of `vppsim playground <scenario>`
 */
export async function openFragment(playground: Playground, fragment: string, given: Project | null): Promise<void> {
  const [, name] = /^#example=(.*)$/s.exec(fragment) ?? [];
  if (name !== undefined) return openNamed(playground, decoded(name));
  if (fragment.startsWith("#p=")) return openLink(playground, fragment);
  if (given !== null) return playground.open(given);
  await playground.openExample(FIRST_EXAMPLE);
}

async function openNamed(playground: Playground, name: string): Promise<void> {
  if (playground.hasExample(name)) return playground.openExample(name);
  await openNothing(playground);
  playground.notify({ key: "playground.unknown_example", values: { name } });
}

async function openLink(playground: Playground, fragment: string): Promise<void> {
  try {
    const project = unpackLink(fragment);
    await playground.open(project);
  } catch (error) {
    await openNothing(playground);
    const why = error instanceof InputErrors ? error.message : String(error);
    playground.notify({ key: "playground.link_damaged", values: { why } });
  }
}

async function openNothing(playground: Playground): Promise<void> {
  if (playground.state.get().opened === 0) await playground.open(EMPTY);
}

/** What is no escaped text stands for itself. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
