// Everything of the server that reaches into undocumented parts of Node; `http.nodeInternals` switches it off (ADR 0016).
export { takeBodies, type BodyTakeover } from './body-takeover.ts'
