/** The instructor station. */
export const instructor = {
  "instructor.title": { en: "Instructor station", ja: "教官卓" },
  "instructor.drill": { en: "Drill", ja: "訓練" },
  "instructor.no_drill": { en: "No drill: free session", ja: "訓練なし（自由操作）" },
  "instructor.last_action": { en: "last action {at}: {text}", ja: "最後の操作 {at}：{text}" },
  "instructor.trainee_page": { en: "Trainee's page", ja: "訓練生の画面" },
  "instructor.alarms_active": {
    en: "{count} alarms are active at the trainee's station",
    ja: "訓練生の画面に警報 {count} 件",
  },
} as const;
