import type { Ctx, UploaderCtx } from '../../kernel/context.ts'
import type { Principal } from '../../kernel/principal.ts'
import { requireAccount } from '../../identity/principals/index.ts'
import type { Access, GuestFolder, PlaceIds } from '../access/index.ts'

/** Who uploads, and how paths look to them: those of a guest count from the folder of the link. */
export interface Uploader {
  readonly ctx: UploaderCtx
  readonly isGuest: boolean
  /** Where what they name really is. */
  target(wanted: PlaceIds & { readonly folder: string }): PlaceIds & { readonly folder: string }
  /** A path of the place as they see it. */
  readonly shown: (path: string) => string
}

/** @throws AppError TOKEN_INVALID, LINK_EXPIRED */
export async function uploaderOf(access: Access, ctx: Ctx): Promise<Uploader> {
  const { principal } = ctx
  if (principal?.kind !== 'guest') {
    const own = { ...ctx, principal: requireAccount(ctx) }
    return { ctx: own, isGuest: false, target: ({ spaceId, groupId, folder }) => ({ spaceId, groupId, folder }), shown }
  }
  const folder = await access.guestFolder(principal)
  return {
    ctx: { ...ctx, principal, ownerId: folder.ownerId },
    isGuest: true,
    // What it leads to is decided where paths are resolved: nothing but the folder exists for a guest.
    target: (wanted) => ({ ...folder.ids, folder: `${folder.path}/${wanted.folder}` }),
    shown: (path) => below(folder, path),
  }
}

/** How a path looks to whoever may act on an upload. */
export async function shownTo(access: Access, principal: Principal): Promise<(path: string) => string> {
  if (principal.kind !== 'guest') return shown
  const folder = await access.guestFolder(principal)
  return (path) => below(folder, path)
}

function shown(path: string): string {
  return path
}

function below({ path: folder }: GuestFolder, path: string): string {
  const base = folder === '/' ? '' : folder
  return path.startsWith(`${base}/`) ? path.slice(base.length) : '/'
}
