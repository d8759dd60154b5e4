import { createSpaceUsage } from '../../content/search/index.ts'
import type { Quotas } from '../../content/quotas/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import { forgetOperations, LOG_SETTINGS } from '../../foundation/operation-log/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { RunningStorages } from '../../foundation/storages/index.ts'
import type { AuthDeps } from '../../identity/auth/index.ts'
import type { UsersDeps } from '../../identity/users/index.ts'
import { PROGRAM_FOLDER } from '../../kernel/config/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { logEndpoints, logExport } from './log.routes.ts'
import { meEndpoints } from './me.routes.ts'
import { mountEndpoints } from './mounts.routes.ts'
import { departmentEndpoints, groupEndpoints } from './places.routes.ts'
import { administratorEndpoints, roleEndpoints } from './roles.routes.ts'
import { spaceEndpoints } from './spaces.routes.ts'
import { storageEndpoints } from './storages.routes.ts'
import { userExport } from './users.export.ts'
import { userEndpoints } from './users.routes.ts'
import { viewEndpoints } from './views.routes.ts'

export interface ConsoleFeatureDeps {
  readonly users: UsersDeps
  readonly auth: AuthDeps
  readonly quotas: Quotas
  readonly settings: Settings
  readonly storages: RunningStorages
  readonly licence: Licence
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The administrator's console: people, places and the record of what was done. */
export function consoleFeature(
  { config, db, dialect, clock, bus, ids, random, vault, queue, locks }: Kernel,
  { users, auth, quotas, settings, storages, licence }: ConsoleFeatureDeps,
): Feature {
  const idleMs = config['security.idleMinutes'] * MINUTE_MS
  const log = { db, clock }
  const deps = {
    db,
    clock,
    bus,
    queue,
    idleMs,
    users,
    auth,
    licence,
    quotas,
    sessions: auth.sessions,
    data: config.data,
    transfer: { clock, ids, dialect, settings },
  }
  const places = { db, clock, random, data: config.data, reserveBytes: config['storage.reserveBytes'] }
  const storageDeps = { ...places, vault: () => vault, program: PROGRAM_FOLDER, storages }
  return defineFeature({
    name: 'console',
    endpoints: [
      ...meEndpoints(deps),
      ...viewEndpoints({ db, ids }, log),
      ...userEndpoints(deps, log),
      ...roleEndpoints(deps, log),
      ...administratorEndpoints(deps, log),
      ...departmentEndpoints(deps, log),
      ...groupEndpoints({ ...deps, settings, ids, dialect }, log),
      ...spaceEndpoints({ ...deps, locks, settings, ids, dialect, usageOfSpaces: createSpaceUsage(db, clock) }, log),
      ...storageEndpoints(storageDeps, log),
      ...mountEndpoints({ db, clock, storages, bus }, log),
      ...logEndpoints(deps, log),
    ],
    raw: [logExport(deps, log), userExport(deps, log)],
    settings: LOG_SETTINGS,
    every: [
      {
        name: 'operation-log',
        everyMs: HOUR_MS,
        onOneNode: true,
        async work() {
          await forgetOperations(log, (await settings.of(LOG_SETTINGS))['log.operationDays'])
        },
      },
    ],
  })
}
