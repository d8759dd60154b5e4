import type { DashboardStorage, ErrorName } from '@godwit/contract'
import { errorText, type Locale } from '@godwit/i18n'
import { listStorages, type RunningStorages } from '../../foundation/storages/index.ts'
import type { Db } from '../../kernel/db/index.ts'

export interface StorageRoomDeps {
  readonly db: Db
  readonly data: string
  readonly storages: Pick<RunningStorages, 'withId'>
}

/** A storage with its room, before its error has a language. */
export type StorageRoom = Omit<DashboardStorage, 'message'>

/** Every storage, how it is, and how much room it has. */
export async function storageRooms(deps: StorageRoomDeps): Promise<readonly StorageRoom[]> {
  const storages = await listStorages(deps)
  return Promise.all(
    storages.map(async ({ id, name, kind, error }) => {
      const room = error === '' ? await roomOf(deps, id) : undefined
      return { id, name, kind, error, freeBytes: room?.freeBytes ?? null, totalBytes: room?.totalBytes ?? null }
    }),
  )
}

async function roomOf({ storages }: StorageRoomDeps, id: number) {
  try {
    return await storages.withId(id)?.space()
  } catch {
    // The look that writes down why it does not answer is under way; until then its room is unknown.
    return undefined
  }
}

export function presentRoom(room: StorageRoom, locale: Locale): DashboardStorage {
  return { ...room, message: room.error === '' ? '' : errorText(locale, room.error as ErrorName) }
}
