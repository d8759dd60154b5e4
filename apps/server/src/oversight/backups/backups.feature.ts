import { backupRoutes, type BackupView } from '@godwit/contract'
import { loggedEndpoint } from '../../foundation/operation-log/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { RunningStorages } from '../../foundation/storages/index.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { BackupsTable } from './backups.schema.ts'
import { beginBackup, beginDrill, beginScheduled, drillOne, folderOf, writeOne } from './backups.service.ts'
import { BACKUP_SETTINGS } from './backups.settings.ts'
import { backupsStore } from './backups.store.ts'

/** How the backups stand, for the dashboard. */
export interface BackupSummary {
  readonly isOn: boolean
  /** The newest one; null when there is none. */
  readonly last: BackupView | null
  /** When the last good one was made, Unix milliseconds. */
  readonly lastDoneAt: number | null
}

export interface Backups {
  summary(): Promise<BackupSummary>
}

const MINUTE_MS = 60_000

/** Archives of the whole installation by a schedule, and drills that prove that they restore. */
export function backupsFeature(
  kernel: Kernel,
  given: { readonly settings: Settings; readonly storages: RunningStorages },
): FeatureWith<Backups> {
  const { config, db, clock } = kernel
  const deps = { ...kernel, ...given, data: config.data, reserveBytes: config['storage.reserveBytes'] }
  const log = { db, clock }
  const list = async (): Promise<BackupView[]> => (await backupsStore.all(db)).map(present)
  const isOn = async () => (await given.settings.of(BACKUP_SETTINGS))['backup.switch'] === 1
  return defineFeature<Backups>({
    name: 'backups',
    api: {
      async summary() {
        const all = await list()
        const lastDoneAt = all.find(({ state }) => state === 'done')?.finishedAt ?? null
        return { isOn: await isOn(), last: all[0] ?? null, lastDoneAt }
      },
    },
    settings: BACKUP_SETTINGS,
    endpoints: [
      endpoint(backupRoutes.list, async () => ({
        backups: await list(),
        folder: await folderOf(deps),
        isOn: await isOn(),
      })),
      loggedEndpoint(log, backupRoutes.begin, async ({ principal }) => ({
        backupId: await beginBackup(deps, principal.id),
      })),
      loggedEndpoint(log, backupRoutes.drill, async ({ principal }, { body }) => {
        await beginDrill(deps, body.backupId, principal.id)
        return {}
      }),
    ],
    jobs: {
      'backup.write': async ({ payload }, { signal }) => {
        await writeOne(deps, payload.backupId, signal)
        return null
      },
      'backup.drill': async ({ payload }, { signal }) => {
        await drillOne(deps, payload.backupId, signal)
        return null
      },
    },
    // It reads every file there is: nobody's copy waits behind it.
    jobLane: 'backups',
    every: [{ name: 'schedule', everyMs: MINUTE_MS, onOneNode: true, work: () => beginScheduled(deps) }],
  })
}

function present(row: BackupsTable): BackupView {
  return {
    ...{ id: row.id, state: row.state, occasion: row.occasion, file: row.file, reason: row.reason },
    ...{ bytes: Number(row.bytes), files: Number(row.files) },
    ...{ startedAt: Number(row.started_at), finishedAt: row.finished_at === null ? null : Number(row.finished_at) },
    ...{ drillState: row.drill_state, drillReason: row.drill_reason },
    drilledAt: row.drilled_at === null ? null : Number(row.drilled_at),
  }
}
