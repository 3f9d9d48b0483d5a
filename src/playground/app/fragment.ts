import type { Project } from "../../browser/project.ts";
import type { Playground } from "./playground.ts";

const FIRST_EXAMPLE = "quickstart";

/**
 * Opens what the fragment of the address names: `#example=quickstart`. Without one, the given project, else the first example.
 *
 * @param given  of `vppsim playground <scenario>`
 */
export async function openFragment(playground: Playground, fragment: string, given: Project | null): Promise<void> {
  const [, name] = /^#example=(.*)$/s.exec(fragment) ?? [];
  if (name !== undefined) await playground.openExample(decodeURIComponent(name));
  else if (given !== null) await playground.open(given);
  else await playground.openExample(FIRST_EXAMPLE);
}
