import { fileOperations, LIMITS } from '@godwit/contract'
import type { Settings } from '../../foundation/settings/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { mountsStore } from '../../identity/mounts/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { operation } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { mountOfGroup, personalHome } from '../access/index.ts'
import type { FilesDeps } from '../files/index.ts'
import { groupHome } from '../groups/index.ts'
import type { Contents } from './contents.ts'
import type { EntryWatch } from './entry-watch.ts'
import { foldersStore, type RootPlace } from './folders.store.ts'
import { workOnIndex, type ScanDeps } from './scan.ts'
import { search } from './search.service.ts'
import { SEARCH_SETTINGS } from './search.settings.ts'
import { searchSubscriptions } from './search.subscribers.ts'

export interface SearchFeatureDeps {
  readonly files: FilesDeps
  readonly settings: Settings
  readonly contents: Contents
  readonly watch: EntryWatch
}

/** New places, and folders whose content is not known yet, wait at most this long. */
const WORK_MS = 2_000
const HOUR_MS = 3_600_000

/** Finds entries by their names, from an index that follows the events of files. */
export function searchFeature(kernel: Kernel, { files, settings, contents, watch }: SearchFeatureDeps): Feature {
  const { db, clock } = kernel
  const scan: ScanDeps = { ...kernel, storages: files.storages, rootKeyOf: (place) => rootKeyOf(db, place), watch }
  return defineFeature({
    name: 'search',
    settings: SEARCH_SETTINGS,
    operations: [
      operation(fileOperations.search, (ctx, input) =>
        search({ ...kernel, access: files.access, contents }, ctx, input),
      ),
    ],
    on: searchSubscriptions(watch),
    every: [
      { name: 'index', everyMs: WORK_MS, onOneNode: true, work: (signal) => workOnIndex(scan, signal) },
      {
        name: 'rounds',
        everyMs: HOUR_MS / 4,
        onOneNode: true,
        async work() {
          const { 'search.scanHours': hours } = await settings.of(SEARCH_SETTINGS)
          if (hours > 0) await foldersStore.beginRounds(db, clock.now() - hours * HOUR_MS)
        },
      },
    ],
  })
}

/** Where the files of a place are on its storage; undefined when its account or group is gone. */
export async function rootKeyOf(db: Db, { ownerId, spaceId, groupId }: RootPlace): Promise<string | undefined> {
  if (groupId < LIMITS.defaultGroupId) {
    const mount = await mountsStore.byId(db, mountOfGroup(groupId))
    return mount?.removed_at === null ? mount.path : undefined
  }
  if (groupId !== LIMITS.defaultGroupId) {
    return (await groupsStore.byId(db, groupId)) && groupHome({ spaceId, groupId })
  }
  const user = await usersStore.byId(db, ownerId)
  return user && personalHome(user.home, spaceId)
}
