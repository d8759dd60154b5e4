import { newName, newWithin, type Location } from '../../content/access/index.ts'
import { actorOf, addFolder, clashOf, numbered } from '../../content/files/index.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { requireEntered } from './link-place.ts'
import { openInLink, whenFollowed, type GuestPath } from './link-identity.ts'
import { guestPaths, sharedIn } from './link-paths.ts'
import { noteBrought } from './link-uses.ts'
import type { LinksDeps } from './links.deps.ts'
import { visitOf } from './visits.service.ts'

/**
 * Makes a folder of a guest; a name that is taken gets a number, so that nothing shows of what others brought.
 * @returns its path as the guest sees it
 * @throws AppError TOKEN_INVALID, LINK_EXPIRED, PERMISSION_DENIED, PATH_NOT_FOUND, NAME_INVALID, LINK_FORM_REQUIRED
 */
export async function makeGuestFolder(
  deps: LinksDeps,
  ctx: Ctx,
  wanted: { readonly folder: string; readonly name: string },
): Promise<{ readonly path: string }> {
  const { guest, row } = await visitOf(deps, ctx)
  await requireEntered(deps.db, row, guest)
  const { files } = deps
  const { folder, toGuest } = await whenFollowed(deps, row, async (link) => ({
    folder: await folderInLink(deps, { guest, link, path: wanted.folder }),
    toGuest: guestPaths(sharedIn(link)),
  }))
  const name = newName(wanted.name)
  const actor = { ...actorOf({ principal: guest, door: ctx.door }), userId: row.owner_id }
  const path = await files.locks.run(folder, async () => {
    for (let number = 0; ; number++) {
      const made = newWithin(folder, { name: number === 0 ? name : numbered(name, number), kind: 'folder' })
      const taken = await withAppErrors(() => made.store.stat(made.key))
      if (taken !== undefined || (await clashOf(files, folder, made.path.slice(made.path.lastIndexOf('/') + 1))))
        continue
      await addFolder(files, actor, made)
      return made.path
    }
  })
  const shown = toGuest(path)
  const brought = { linkId: row.id, visitId: guest.visitId, path, shown, kind: 'folder', bytes: 0 } as const
  // Now, not with the event: the page asks for the list at once.
  await inTransaction(deps.db, (tx) => noteBrought(deps, tx, { ...brought, at: deps.clock.now() }))
  return { path: shown }
}

/** @throws AppError PATH_NOT_FOUND, PATH_IS_FILE */
async function folderInLink(deps: LinksDeps, path: GuestPath): Promise<Location> {
  const { location, entry } = await openInLink(deps, path, 'makeFolder')
  if (entry.kind !== 'folder') throw new AppError('PATH_IS_FILE')
  return location
}
