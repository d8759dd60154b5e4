import type { ActorView } from '@godwit/contract'
import { usersStore } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Access } from '../access/index.ts'
import { parseOrigin, type Origin } from '../file-events/index.ts'
import type { ActivityRow } from './activity.schema.ts'

/** Who did a change, as the reader sees it. */
export type Actors = (row: Pick<ActivityRow, 'origin'>) => ActorView

/** Looks up the names of those who did some changes. */
export async function actorsOf(
  { db, access }: { readonly db: Db; readonly access: Pick<Access, 'guestName'> },
  { principal }: Pick<UserCtx, 'principal'>,
  rows: ReadonlyArray<Pick<ActivityRow, 'origin'>>,
): Promise<Actors> {
  const names = new Map<string, string>()
  for (const { by } of rows.map(originOf)) {
    if (names.has(keyOf(by))) continue
    names.set(keyOf(by), await nameOf(by))
  }
  async function nameOf({ kind, id }: Origin['by']): Promise<string> {
    switch (kind) {
      case 'system':
      case 'reviewer':
        return ''
      case 'guest':
        return access.guestName(id)
      case 'user':
      case 'client':
      case 'job':
      case 'api-token': {
        const user = await usersStore.byId(db, id)
        return user === undefined ? '' : user.name || user.account
      }
    }
  }
  return (row) => {
    const { by } = originOf(row)
    return { kind: kindOf(by, principal.id), name: names.get(keyOf(by)) ?? '' }
  }
}

function originOf({ origin }: Pick<ActivityRow, 'origin'>): Origin {
  return parseOrigin(origin, '')
}

function keyOf({ kind, id }: Origin['by']): string {
  return `${kind === 'guest' || kind === 'system' ? kind : 'account'} ${id}`
}

function kindOf({ kind, id }: Origin['by'], readerId: string): ActorView['kind'] {
  if (kind === 'system' || kind === 'guest') return kind
  return id === readerId ? 'me' : 'user'
}
