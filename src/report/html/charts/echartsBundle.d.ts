/** The single-file build of ECharts; it has the exports of `echarts`. */
declare module "echarts/dist/echarts.esm.min" {
  export { init } from "echarts";
}
