import path from 'node:path'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Storages } from '../../foundation/storages/index.ts'
import { loadJobPrincipal } from '../../identity/principals/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { push, type Watch } from '../../kernel/push.ts'
import { defineSettings } from '../../kernel/setting.ts'
import type { Quotas } from '../quotas/index.ts'
import { followOtherNodes } from './files.changes.ts'
import { createFiles, type FilesDeps } from './files.deps.ts'
import { filesOperations } from './files.operations.ts'
import { placeOf, requireFolder, SITE_TYPE_SETTINGS, siteAndAccountRules, type Access } from '../access/index.ts'
import { FILE_SETTINGS } from './files.settings.ts'
import { createFolderWatch, type FolderWatch, LOOK_MS } from './files.watch.ts'
import { jobNotesStore } from './steps/index.ts'
import { fileJobs, fileJobsOperations, isFileJob, presentJob, type FileJobsDeps } from './jobs/index.ts'

export interface FilesFeatureDeps {
  readonly storages: Storages
  readonly quotas: Quotas
  readonly settings: Settings
}

const DAY_MS = 24 * 3_600_000
/** How long ended jobs can be looked at. */
const JOB_HISTORY_MS = 7 * DAY_MS
const HOUR_MS = 3_600_000
/** How long a change may be taken and not booked after a fault. */
const SETTLE_MS = 10_000

export function filesFeature(kernel: Kernel, deps: FilesFeatureDeps): FeatureWith<FilesDeps> {
  const { config, clock, random, queue } = kernel
  const cacheFolder = path.join(config.data, 'cache', 'listings')
  const rulesOf = siteAndAccountRules(() => deps.settings.of(SITE_TYPE_SETTINGS))
  const files = createFiles({ ...kernel, ...deps, rulesOf }, { cacheFolder, random })
  const jobs: FileJobsDeps = { ...kernel, ...deps, files, principalOf: (job) => loadJobPrincipal(kernel, job) }
  const watch = createFolderWatch(files)
  const unfollow = followOtherNodes(files)
  return defineFeature({
    name: 'files',
    api: files,
    operations: [...filesOperations(files), ...fileJobsOperations(jobs)],
    jobs: fileJobs(jobs),
    settings: defineSettings({ ...FILE_SETTINGS.specs, ...SITE_TYPE_SETTINGS.specs }, SITE_TYPE_SETTINGS.check),
    push: [
      push('job.changed', {
        signal: 'job.changed',
        to: ({ job }) => (isFileJob(job) ? job.ownerId : undefined),
        message: ({ job }, { locale }) => ({ job: presentJob(job, locale) }),
      }),
    ],
    watches: [folderWatch(files.access, watch)],
    every: [
      { name: 'watched-folders', everyMs: LOOK_MS, work: () => watch.look() },
      { name: 'ended-locks', everyMs: HOUR_MS, onOneNode: true, work: () => files.fileLocks.sweep() },
      { name: 'unsettled-steps', everyMs: SETTLE_MS, work: () => files.steps.recover() },
      {
        name: 'ended-jobs',
        everyMs: HOUR_MS,
        onOneNode: true,
        work: async () => {
          await queue.purge(clock.now() - JOB_HISTORY_MS)
          await jobNotesStore.sweep(kernel.db)
        },
      },
    ],
    start: async () => void (await files.steps.recover()),
    stop: async () => {
      watch.stop()
      unfollow()
    },
  })
}

function folderWatch(access: Access, watch: FolderWatch): Watch<'folder.changed'> {
  return {
    name: 'folder.changed',
    async open(ctx, target, notify) {
      const open = () => access.open(ctx, placeOf(target), target.folder, 'list')
      const folder = await requireFolder(await open())
      // Whoever may not list the folder any more is not shown either that something happened in it, or when.
      return watch.watch(folder, () => void open().then(notify, () => undefined))
    },
  }
}
