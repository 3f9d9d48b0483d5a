import holidayJp from "@holiday-jp/holiday_jp";

/** The holidays as one text that is parsed when they are read: as an object literal, they take longer to load than the command line. */
export const packHolidays = {
  name: "pack-holidays",
  load(id) {
    if (!id.endsWith("/@holiday-jp/holiday_jp/lib/holiday_jp.js")) return null;
    const names = Object.entries(holidayJp.holidays).map(([date, { name_en }]) => [date, { name_en }]);
    const text = JSON.stringify(JSON.stringify(Object.fromEntries(names)));
    const code = `let known; export default { get holidays() { return (known ??= JSON.parse(${text})); } };`;
    return { code, moduleType: "js" };
  },
};
