/** What `vppsim twin calibrate` prints, and its page. */
export const calibration = {
  "calibration.count": {
    en: "{identified} of {all} parameters of {sites} {sites|site|sites} identified; {patched} in the patch",
    ja: "{sites} 拠点の {all} パラメータのうち {identified} を同定、パッチに {patched}",
  },
  "calibration.written": { en: "Written: {place}", ja: "出力先：{place}" },
} as const;
