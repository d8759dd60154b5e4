import type { Migration } from '../kernel/db/index.ts'
import { migration as foundation } from './0001-foundation.ts'
import { migration as uploads } from './0002-uploads.ts'
import { migration as files } from './0003-files.ts'
import { migration as hashKeys } from './0004-hash-keys.ts'
import { migration as mailAndNotices } from './0005-mail-and-notices.ts'
import { migration as portal } from './0006-portal.ts'
import { migration as intake } from './0007-intake.ts'
import { migration as settings } from './0008-settings.ts'
import { migration as sharedState } from './0009-shared-state.ts'
import { migration as eventSubscribers } from './0011-event-subscribers.ts'
import { migration as storages } from './0012-storages.ts'
import { migration as origins } from './0013-origins.ts'
import { migration as groups } from './0014-groups.ts'
import { migration as fileSteps } from './0015-file-steps.ts'

/** One timeline for all features. A migration that was released is never edited; a new one is added below. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation,
  '0002-uploads': uploads,
  '0003-files': files,
  '0004-hash-keys': hashKeys,
  '0005-mail-and-notices': mailAndNotices,
  '0006-portal': portal,
  '0007-intake': intake,
  '0008-settings': settings,
  '0009-shared-state': sharedState,
  '0011-event-subscribers': eventSubscribers,
  '0012-storages': storages,
  '0013-origins': origins,
  '0014-groups': groups,
  '0015-file-steps': fileSteps,
}
