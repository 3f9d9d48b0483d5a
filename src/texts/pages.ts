/** Pages of reports: what all of them have. */
export const pages = {
  "page.contents": { en: "Contents", ja: "目次" },
  "page.skip_contents": { en: "Skip the contents", ja: "目次を飛ばす" },
} as const;
