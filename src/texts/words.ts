/** The field's words, as the design's table gives them. */
export const words = {
  "sentence.end": { en: ". ", ja: "。" },
  "word.requested": { en: "Requested", ja: "要求量" },
  "word.delivered": { en: "Delivered", ja: "供出量" },
  "word.uncovered": { en: "Uncovered", ja: "未割当量" },
  "word.not_delivered": { en: "Not delivered", ja: "未達量" },
} as const;
