/** Paths with "/" between folders. */

/** The working directory, from which relative paths count. */
let workingFolder = "/";

export function enterFolder(path: string): void {
  workingFolder = path;
}

function normalised(path: string): string {
  const parts: string[] = [];
  const isFromRoot = path.startsWith("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || !isFromRoot) parts.push(part);
  }
  return `${isFromRoot ? "/" : ""}${parts.join("/")}` || (isFromRoot ? "/" : ".");
}

export const isAbsolute = (path: string): boolean => path.startsWith("/");

export const join = (...parts: string[]): string => normalised(parts.filter((part) => part !== "").join("/"));

export const resolve = (...parts: string[]): string => {
  const start = parts.findLastIndex(isAbsolute);
  return normalised(start < 0 ? [workingFolder, ...parts].join("/") : parts.slice(start).join("/"));
};

export function dirname(path: string): string {
  const end = path.replace(/(.)\/+$/, "$1").lastIndexOf("/");
  return end < 0 ? "." : end === 0 ? "/" : path.slice(0, end);
}

export function basename(path: string, ending = ""): string {
  const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return ending !== "" && name !== ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
}

export function relative(from: string, to: string): string {
  const [start, end] = [resolve(from), resolve(to)].map((path) => path.split("/").filter(Boolean));
  let shared = 0;
  while (shared < start.length && start[shared] === end[shared]) shared++;
  return [...start.slice(shared).map(() => ".."), ...end.slice(shared)].join("/");
}
