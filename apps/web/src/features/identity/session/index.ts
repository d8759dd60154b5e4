export { SessionWatch } from './session-watch.tsx'
