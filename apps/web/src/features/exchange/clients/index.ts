export { ClientBar, useUpdate } from './client-bar.tsx'
export { setClientSpace, useClient } from './client-query.ts'
export { ConnectionLimit } from './connection-limit.tsx'
export { ClientPackages } from './packages.tsx'
