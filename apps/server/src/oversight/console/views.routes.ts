import { adminViewRoutes, VIEWS_MAX, type SavedView } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps, type RecordChange } from '../../foundation/operation-log/index.ts'
import { foldCase } from '../../identity/users/index.ts'
import { inTransaction, isDuplicate, type Db } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint, type EndpointInput } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { ConsoleViewRow } from './views.schema.ts'
import { viewsStore } from './views.store.ts'

const TRIES = 3

/** Views of lists that people keep for themselves. */
export function viewEndpoints({ db, ids }: { readonly db: Db; readonly ids: Ids }, log: OperationLogDeps): Endpoint[] {
  return [
    endpoint(adminViewRoutes.list, async ({ principal }, { query: { list } }) => ({
      views: (await viewsStore.ofList(db, { userId: principal.id, list })).map(present),
    })),
    loggedEndpoint(log, adminViewRoutes.save, async ({ principal }, { body }, record) => ({
      view: await saveView({ db, ids }, { userId: principal.id, wanted: body, record }),
    })),
    loggedEndpoint(log, adminViewRoutes.remove, async ({ principal }, { body: { viewId: id } }, record) => {
      await inTransaction(db, async (tx) => {
        const row = await viewsStore.byId(tx, { userId: principal.id, id })
        if (row === undefined) throw new AppError('VIEW_NOT_FOUND')
        await viewsStore.remove(tx, id)
        await record(tx, { kind: 'view', id, name: row.name, before: { list: row.list, name: row.name } })
      })
      return {}
    }),
  ]
}

type WantedView = EndpointInput<typeof adminViewRoutes.save>['body']

interface Saving {
  readonly userId: string
  readonly wanted: WantedView
  readonly record: RecordChange
}

/** @throws AppError VIEWS_TOO_MANY */
async function saveView(
  deps: { readonly db: Db; readonly ids: Ids },
  { userId, wanted: { list, name, search }, record }: Saving,
  attempt = 1,
): Promise<SavedView> {
  const change = { name, search: JSON.stringify(search) }
  const key = foldCase(name)
  try {
    return await inTransaction(deps.db, async (tx) => {
      const views = await viewsStore.ofList(tx, { userId, list })
      const known = views.find(({ name_key: other }) => other === key)
      if (known === undefined && views.length >= VIEWS_MAX) throw new AppError('VIEWS_TOO_MANY', { max: VIEWS_MAX })
      const row = { id: known?.id ?? deps.ids.next(), user_id: userId, list, name_key: key, ...change }
      if (known === undefined) await viewsStore.insert(tx, row)
      else await viewsStore.change(tx, known.id, change)
      await record(tx, { kind: 'view', id: row.id, name, after: { list, name, search } })
      return present(row)
    })
  } catch (thrown) {
    // Saved twice at once: the later one replaces the other.
    if (!isDuplicate(thrown) || attempt === TRIES) throw thrown
    return saveView(deps, { userId, wanted: { list, name, search }, record }, attempt + 1)
  }
}

function present({ id, name, search }: ConsoleViewRow): SavedView {
  return { id, name, search: JSON.parse(search) as SavedView['search'] }
}
