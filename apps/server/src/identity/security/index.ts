export { securityEndpoints } from './security.routes.ts'
export type { SecurityDeps } from './security.service.ts'
