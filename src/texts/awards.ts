/** Tables of awards and of causes. */
export const awards = {
  "awards.no_shortfall": { en: "No award had a shortfall.", ja: "不足のあった約定はありません。" },
  "awards.worst": {
    en: "The {count}\u00a0{count|award|awards} with the largest shortfall",
    ja: "不足の大きい約定 {count} 件",
  },
  "awards.worst_rest": {
    en: "{caption}; the other {count} with a shortfall have {kwh} together",
    ja: "{caption}。不足のある他の {count} 件は合計 {kwh}",
  },
  "awards.worst_none": { en: "{caption}; {count} had none", ja: "{caption}。不足なし {count} 件" },
  "awards.the_one": { en: "The one award or instruction, times in {zone}", ja: "約定・即時指令 1 件、時刻は {zone}" },
  "awards.all": {
    en: "All {count}\u00a0{count|award|awards} and instructions, times in {zone}",
    ja: "約定・即時指令 全 {count} 件、時刻は {zone}",
  },
  "awards.excerpt": {
    en: "The {shown} of {count}\u00a0{count|award|awards} with the largest shortfall, times in {zone}; {none} had none. awards.csv has all",
    ja: "約定 {count} 件のうち不足の大きい {shown} 件、時刻は {zone}。不足なし {none} 件。全件は awards.csv",
  },
  "awards.instruction": { en: "(instruction)", ja: "（即時指令）" },
  "awards.refused": { en: "{count}\u00a0{count|refused award|refused awards}", ja: "拒否された約定 {count} 件" },
  "awards.refused_excerpt": { en: "{caption}, the first {shown} of them", ja: "{caption}、うち最初の {shown} 件" },
  "awards.no_reason": { en: "no reason was recorded", ja: "理由の記録なし" },
  "awards.causes": { en: "Causes that occurred", ja: "発生した原因" },
} as const;
