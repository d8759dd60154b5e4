export { serverStateFeature } from './server-state.feature.ts'
export {
  announceOrder,
  orderStop,
  setPaused,
  type ServerOrdersDeps,
  type ServerState,
  type StopOrder,
} from './server-state.service.ts'
export { CAN_RESTART, supervisor } from './supervisor.ts'
export { serverStateStore } from './server-state.store.ts'
