import type { Db } from '../../kernel/db/index.ts'
import { folderOf } from '../file-events/index.ts'
import type { ActivityRow } from './activity.schema.ts'
import { activityStore, type Span, type Tree } from './activity.store.ts'

/** How long an entry had one path, seen from its end. */
export interface Stretch extends Span {
  readonly path: string
  /** Of what began as a copy: where its source was in the same tree, before which change. */
  readonly source?: { readonly path: string; readonly before: number }
}

/** An entry that was moved more often is followed no further. */
const STRETCHES_MAX = 200

/**
 * The paths that an entry had, the last first: back through renames, moves and restores, its own and those of the folders above.
 * It ends where the entry was made, or where something else of that name was before.
 */
export async function* lifeOf(
  db: Db,
  tree: Tree,
  { path: last, before = Number.MAX_SAFE_INTEGER }: { readonly path: string; readonly before?: number },
): AsyncGenerator<Stretch, void, void> {
  let path = last
  let until = before
  for (let count = 0; count < STRETCHES_MAX; count++) {
    const paths = chainOf(path)
    const turn = await activityStore.lastTurn(db, tree, { paths, until })
    if (turn === undefined) return yield { path, since: 0, until }
    const { n } = turn
    if (!paths.includes(turn.path) || turn.type === 'file.deleted') return yield { path, since: n + 1, until }
    const below = path.slice(turn.path.length)
    switch (turn.type) {
      case 'file.committed':
      case 'file.replaced':
      case 'folder.made':
        return yield { path, since: n, until }
      case 'file.copied':
        if (turn.replaces === 1 && below === '') {
          yield { path, since: n, until }
          until = n
          break
        }
        return yield { path, since: n, until, ...sourceOf(turn, below) }
      case 'file.renamed':
      case 'file.moved':
        yield { path, since: n, until }
        path = turn.from_path + below
        until = n
        break
      case 'file.restored': {
        yield { path, since: n, until }
        const deletion = await activityStore.deletionOf(db, tree, turn.recycle_id)
        if (deletion === undefined || deletion.entry !== turn.entry) return
        path = deletion.path + below
        if (below === '') yield { path, since: deletion.n, until: deletion.n + 1 }
        until = deletion.n
      }
    }
  }
}

function sourceOf(turn: ActivityRow, below: string): Pick<Stretch, 'source'> {
  const isSameTree = turn.from_group_id === turn.group_id
  return isSameTree ? { source: { path: turn.from_path + below, before: turn.n } } : {}
}

/** A path and the folders above it, without the root, which stays what it is. */
function chainOf(path: string): string[] {
  const chain: string[] = []
  for (let at = path; at !== '/' && at !== ''; at = folderOf(at)) chain.push(at)
  return chain
}
