import type { AdminCleaningPreview, AdminCleaningRule, AdminCleaningState } from '@godwit/contract'
import {
  askForCleaning,
  cleaningOf,
  previewDue,
  setCleaning,
  type CleaningDeps,
  type Due,
} from '../../content/cleaning/index.ts'
import type { RecordChange } from '../../foundation/operation-log/index.ts'
import { storagesStore } from '../../foundation/storages/index.ts'
import { mayCall } from '../../identity/administrators/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'

/** Somebody waits at a page. */
const PREVIEW_MS = 20_000

/** @returns null for a storage that keeps everything */
export async function presentCleaning(db: Db, id: number): Promise<AdminCleaningState | null> {
  const state = await cleaningOf({ db }, id)
  if (state === undefined) return null
  const { basis, days, isBusy, last } = state
  return { basis, days, isBusy, last: last ?? null }
}

interface WantedOf {
  readonly id: number
  readonly rule: AdminCleaningRule
}

/** @throws AppError STORAGE_NOT_FOUND */
export async function setConsoleCleaning(
  deps: CleaningDeps,
  record: RecordChange,
  { id, rule }: { readonly id: number; readonly rule: AdminCleaningRule | undefined },
): Promise<void> {
  await setCleaning(deps, { storageId: id, rule }, async (tx, before) => {
    const name = (await storagesStore.byId(tx, id))?.name ?? ''
    await record(tx, { kind: 'storage', id, name, before: before ?? { days: 0 }, after: rule ?? { days: 0 } })
  })
}

/** Names are shown to those alone who may see everybody's folders. @throws AppError STORAGE_NOT_FOUND */
export async function previewConsoleCleaning(
  deps: CleaningDeps,
  { principal }: UserCtx,
  { id, rule }: WantedOf,
): Promise<AdminCleaningPreview> {
  const { first, ...counted } = await previewDue(deps, { storageId: id, rule }, PREVIEW_MS)
  const { standing } = accountOf(principal)
  const maySee = mayCall(standing, { right: 'folders.list' }) && standing?.folderScope === 'all'
  return { ...counted, first: maySee ? await Promise.all(first.map((due) => presentDue(deps.db, due))) : [] }
}

async function presentDue(db: Db, { place, file }: Due): Promise<AdminCleaningPreview['first'][number]> {
  const group = place.groupId > 0 ? await groupsStore.byId(db, place.groupId) : undefined
  const keeper = group?.name ?? (await usersStore.byId(db, place.ownerId))?.account ?? ''
  return { keeper, path: file.path, size: file.size, modifiedAt: Math.floor(file.modifiedMs) }
}

/** @throws AppError STORAGE_NOT_FOUND, STORAGE_NOT_CLEANED */
export async function cleanConsoleStorage(deps: CleaningDeps, id: number): Promise<void> {
  if ((await storagesStore.byId(deps.db, id)) === undefined) throw new AppError('STORAGE_NOT_FOUND')
  await askForCleaning(deps, id)
}
