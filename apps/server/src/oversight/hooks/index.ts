export { hooksStore } from './hooks.store.ts'
export { listDeliveries, listHooks, tryHook } from './hooks.service.ts'
export { hooksFeature } from './hooks.feature.ts'
