/** Paths of files as text; the only place below the hosts that takes them from Node. */
export { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
