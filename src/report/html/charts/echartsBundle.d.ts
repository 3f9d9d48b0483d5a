/** The one-file build of ECharts; it exports what `echarts` does. */
declare module "echarts/dist/echarts.esm.min" {
  export { init } from "echarts";
}
