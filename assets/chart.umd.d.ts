/** The part of Chart.js that charts.js uses. The file is served under the name chart.umd.js. */
export type ChartClass = new (canvas: HTMLCanvasElement, config: object) => {readonly destroy: () => void}
