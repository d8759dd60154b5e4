import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { AccountSpeeds } from '../account-speeds/index.ts'
import type { FilesDeps } from '../files/index.ts'
import { holderOf, type Quotas } from '../quotas/index.ts'
import { webTransfers } from '../spaces/index.ts'
import { limitIdle } from './idle-uploads.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { INTAKE_SETTINGS } from './intake.settings.ts'
import { createIntake, openIntakeDeps, type Intake } from './intake.service.ts'
import { arrivedBytes } from './reservations.ts'

const HOUR_MS = 3_600_000
const IDLE_LOOK_MS = 60_000

export interface IntakeFeatureDeps {
  readonly files: FilesDeps
  readonly quotas: Quotas
  readonly sessions: Sessions
  readonly speeds: AccountSpeeds
  readonly settings: Pick<Settings, 'of'>
  readonly state: ServerState
}

export interface IntakeApi {
  readonly intake: Intake
  readonly deps: IntakeDeps
}

export function intakeFeature(kernel: Kernel, given: IntakeFeatureDeps): FeatureWith<IntakeApi> {
  const { config } = kernel
  const deps = openIntakeDeps({
    ...kernel,
    ...given,
    requireWeb: webTransfers({ ...kernel, ...given }),
    limits: {
      maxBytes: config['upload.maxBytes'],
      partBytes: config['upload.partBytes'],
      grantMs: config['upload.grantHours'] * HOUR_MS,
    },
  })
  given.quotas.countArrived((bucket) => arrivedBytes(kernel.db, holderOf(bucket)))
  const intake = createIntake(deps)
  const closeIdle = async (): Promise<void> => {
    await limitIdle(deps, (await given.settings.of(INTAKE_SETTINGS))['uploads.closeDays'])
  }
  return defineFeature({
    name: 'intake',
    api: { intake, deps },
    every: [...intake.every, { name: 'idle', everyMs: IDLE_LOOK_MS, work: closeIdle }],
    settings: INTAKE_SETTINGS,
    start: () => intake.start(),
    stop: () => Promise.resolve(intake.stop()),
  })
}
