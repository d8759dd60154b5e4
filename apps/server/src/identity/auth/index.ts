export { byAppPassword } from './app-passwords.ts'
export {
  invite,
  inviteAgain,
  inviteLater,
  inviteWaiting,
  readdressInvitation,
  withdrawInvitation,
  type InvitationDeps,
} from './invitations.service.ts'
export { authFeature } from './auth.feature.ts'
export { guardGuess, provePassword, type AuthDeps } from './auth.service.ts'
export { openSession } from './session-opening.ts'
export { requireSignInsOpen } from './paused-sign-ins.ts'
export { needsSecondFactor, ownerOfSetUp } from './required-factor.ts'
export { AUTH_SETTINGS, type AuthSwitches } from './auth.settings.ts'
export { maskedEmail } from './codes.policy.ts'
export { sendCode, takeCode, type CodesDeps } from './codes.service.ts'
export { CLOCK_SKEW_MS, sourceOf } from './attempts.policy.ts'
export { attemptsStore } from './attempts.store.ts'
export { signInHistory, signInLog } from './sign-ins.ts'
export { signInsStore } from './sign-ins.store.ts'
export { sessionsSearch } from './sessions.search.ts'
export { createSessions, SESSION_CACHE_MS, type Sessions, type TokenPair } from './sessions.service.ts'
