export { authEndpoints } from './auth.routes.ts'
export { openSession, type AuthDeps, type AuthSwitches } from './auth.service.ts'
export { createSessions, type Sessions } from './sessions.service.ts'
export { loadActor } from './actors.ts'
