import { platform } from "#platform";

/** Paths of files as text, by the rules of the host. */
export const { basename, dirname, isAbsolute, join, relative, resolve } = platform.paths;
