import type { Tx } from '../../kernel/db/index.ts'
import type { AnyDurableEvent, DurableEvents, Subscription } from '../../kernel/events/index.ts'
import { guestPaths, sharedIn } from './link-paths.ts'
import { noteBrought } from './link-uses.ts'
import type { LinksDeps } from './links.deps.ts'
import { linksStore } from './links.store.ts'

/** Notes what guests bring, once, whatever carried it. Most uploads are no guest's: those of a batch take one transaction. */
export function brought(
  deps: Pick<LinksDeps, 'dialect' | 'ids'>,
): Subscription<'file.committed'> & Subscription<'folder.made'> {
  return {
    subscriber: 'links.brought',
    async handleManyWithin(events: readonly AnyDurableEvent[], tx: Tx) {
      for (const { type, payload } of events)
        if (type === 'file.committed' || type === 'folder.made') await noteArrival(deps, tx, payload)
    },
  }
}

type Arrival = DurableEvents['file.committed']

async function noteArrival(deps: Pick<LinksDeps, 'dialect' | 'ids'>, tx: Tx, event: Arrival): Promise<void> {
  const { by, path, kind, size, at } = event
  if (by.kind !== 'guest' || by.visitId === undefined) return
  const link = await linksStore.byId(tx, by.id)
  if (link === undefined) return
  const shown = guestPaths(sharedIn(link))(path)
  await noteBrought(deps, tx, { visitId: by.visitId, linkId: by.id, path, shown, kind, bytes: size ?? 0, at })
}
