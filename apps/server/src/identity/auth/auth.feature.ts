import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { defineSettings } from '../../kernel/setting.ts'
import type { MailSystem } from '../../foundation/mail/index.ts'
import type { ServerState } from '../../foundation/server-state/index.ts'
import { CLIENT_VERSION, PROTOCOL_VERSION, type Settings } from '../../foundation/settings/index.ts'
import type { Elsewhere } from '../providers/index.ts'
import { forgetTickets } from '../tickets/index.ts'
import type { UsersDeps } from '../users/index.ts'
import { authEndpoints } from './auth.routes.ts'
import type { AuthDeps } from './auth.service.ts'
import { AUTH_SETTINGS } from './auth.settings.ts'
import { purgeCodes } from './codes.service.ts'
import { lockSettings } from './lock.settings.ts'
import { endSessionsOfLocked } from './locked-accounts.ts'
import { createSessions } from './sessions.service.ts'
import { forgetSignIns, keepFailures } from './sign-ins.ts'

/** Look-ups of an account by its address, for each caller's address. */
const LOOK_UPS = { name: 'auth.look-ups', calls: 60, periodMs: 60_000 } as const
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export interface AuthFeatureDeps {
  readonly users: UsersDeps
  readonly settings: Settings
  readonly mail: MailSystem
  readonly elsewhere: Elsewhere
  readonly state: ServerState
}

export function authFeature(
  kernel: Kernel,
  { users, settings, mail, elsewhere, state }: AuthFeatureDeps,
): FeatureWith<AuthDeps> {
  const { config, limits } = kernel
  const sessions = createSessions({
    ...kernel,
    idleMs: config['security.idleMinutes'] * MINUTE_MS,
    severalAddresses: async () => (await settings.of(AUTH_SETTINGS)).multiIpSwitch === 1,
  })
  const lock = lockSettings(config)
  const auth: AuthDeps = {
    ...kernel,
    ...{ users, sessions, elsewhere, state },
    mailer: mail.mailer,
    switches: () => settings.of(AUTH_SETTINGS),
    invitationDays: async () => (await settings.of(AUTH_SETTINGS))['security.invitationDays'],
    lookUps: limits.callLimit(LOOK_UPS),
    async accountRule() {
      const { 'security.lockAttempts': attempts, 'security.lockMinutes': minutes } = await settings.of(lock)
      return { attempts, windowMs: minutes * MINUTE_MS }
    },
    versions: { protocol: PROTOCOL_VERSION, client: CLIENT_VERSION },
  }
  keepFailures(kernel)
  endSessionsOfLocked(kernel, sessions)
  return defineFeature({
    name: 'auth',
    api: auth,
    endpoints: authEndpoints(auth),
    settings: defineSettings({ ...AUTH_SETTINGS.specs, ...lock.specs }),
    every: [
      { name: 'idle-sessions', everyMs: MINUTE_MS, onOneNode: true, work: () => sessions.sweepIdle() },
      { name: 'sign-in-history', everyMs: HOUR_MS, onOneNode: true, work: () => forgetSignIns(kernel) },
      { name: 'expired-codes', everyMs: HOUR_MS, onOneNode: true, work: () => purgeCodes(auth) },
      { name: 'expired-tickets', everyMs: MINUTE_MS, onOneNode: true, work: () => forgetTickets(kernel) },
    ],
  })
}
