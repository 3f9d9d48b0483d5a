import type { ReactNode } from "react";
import type { PageName } from "./route.ts";

/** Line drawings of 24 units; their texts stand beside them. */
function icon(path: string): ReactNode {
  return (
    <svg width="1.25rem" height="1.25rem" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth={2} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

export const PAGE_ICONS: Readonly<Record<PageName, ReactNode>> = {
  now: icon("M4 4v16h16M7 15l4-5 3 3 5-7"),
  sites: icon("M4 20h16M6 20V9l6-5 6 5v11M10 20v-6h4v6"),
  schedules: icon("M4 5h9v4H4zM9 10h11v4H9zM6 15h8v4H6z"),
  instruct: icon("M4 12h14M13 6l6 6-6 6"),
  alarms: icon("M12 4l9 16H3zM12 10v5M12 17.5v.5"),
  instructor: icon("M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-5 3-7 8-7s8 2 8 7"),
  report: icon("M6 3h9l4 4v14H6zM9 11h7M9 15h7"),
};

export const FREEZE_ICON = icon("M8 5v14M16 5v14");
export const RUN_ICON = icon("M8 5l11 7-11 7z");
export const THEME_ICON = icon("M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18");
export const LABEL_ICON = icon("M4 20l1-5L16 4l4 4L9 19z");
