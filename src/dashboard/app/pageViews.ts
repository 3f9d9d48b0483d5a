import type { ComponentType } from "react";
import { AlarmsPage } from "../pages/alarms/AlarmsPage.tsx";
import { InstructPage } from "../pages/instruct/InstructPage.tsx";
import { InstructorPage } from "../pages/instructor/InstructorPage.tsx";
import { NowPage } from "../pages/now/NowPage.tsx";
import { ReportPage } from "../pages/report/ReportPage.tsx";
import { SchedulesPage } from "../pages/schedules/SchedulesPage.tsx";
import { SitesPage } from "../pages/sites/SitesPage.tsx";
import type { PageName } from "./route.ts";

export const PAGE_VIEWS: Readonly<Record<PageName, ComponentType>> = {
  now: NowPage,
  sites: SitesPage,
  schedules: SchedulesPage,
  instruct: InstructPage,
  alarms: AlarmsPage,
  report: ReportPage,
  instructor: InstructorPage,
};
