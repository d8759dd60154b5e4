import type { Settings } from '../../foundation/settings/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { FAVORITE_SETTINGS } from './favorites.settings.ts'
import { favoritesStore } from './favorites.store.ts'

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    readonly 'favorite.added': { readonly userId: string; readonly path: string }
  }
}
declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly 'favorites.trim': { readonly payload: null; readonly progress: { readonly removed: number } }
  }
}

export interface FavoritesDeps extends Pick<Kernel, 'db' | 'ids' | 'outbox' | 'queue'> {
  readonly settings: Settings
}

/** Marks a path. The row and `favorite.added` commit together. @returns how many the caller has now */
export async function addFavorite(deps: FavoritesDeps, { principal }: UserCtx, path: string): Promise<number> {
  const { db, ids, outbox } = deps
  await inTransaction(db, async (tx) => {
    await favoritesStore.insert(tx, { id: ids.next(), user_id: principal.id, path })
    await outbox.add(tx, 'favorite.added', { userId: principal.id, path })
  })
  outbox.nudge()
  return (await favoritesStore.ofUser(db, principal.id)).length
}

/** Asks for a trim when an account has more than it may. */
export async function requestTrim({ db, queue, settings }: FavoritesDeps, userId: string): Promise<void> {
  const { 'favorites.max': most } = await settings.of(FAVORITE_SETTINGS, { userId })
  if ((await favoritesStore.ofUser(db, userId)).length <= most) return
  await queue.add({ kind: 'favorites.trim', ownerId: userId, payload: null, progress: { removed: 0 } })
}

/** Forgets the oldest ones beyond the limit; running it twice removes nothing more. @returns how many went */
export async function trimFavorites({ db, settings }: FavoritesDeps, userId: string): Promise<number> {
  const { 'favorites.max': most } = await settings.of(FAVORITE_SETTINGS, { userId })
  const oldest = (await favoritesStore.ofUser(db, userId)).slice(most)
  if (oldest.length > 0)
    await favoritesStore.remove(
      db,
      oldest.map(({ id }) => id),
    )
  return oldest.length
}
