/** Files of data/ that a run may name, by path below it; the build puts their texts in place of this module (build/browser.mjs). */
export const SHIPPED_FILES: Readonly<Record<string, string>> = {};
