export { renderQlog } from './qlog.ts'
export { renderSvg } from './svg.ts'
