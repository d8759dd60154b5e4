export { authEndpoints } from './auth.routes.ts'
export { openSession, type AuthDeps } from './auth.service.ts'
export { actorOf, createSessions, type Sessions } from './sessions.service.ts'
