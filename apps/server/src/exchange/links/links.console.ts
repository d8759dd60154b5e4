import {
  adminLinkRoutes,
  LINK_STATUS,
  LINKS_PER_CALL,
  SHARE_URL_TYPE,
  type AdminLinkFilter,
  type ChosenLinks,
} from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import { loggedEndpoint, type RecordChange } from '../../foundation/operation-log/index.ts'
import { departmentsStore, lineOf } from '../../identity/departments/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { foldCase } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { changeLinks, needsChange, type ManagedChange } from './links.changes.ts'
import { presentAdminLink, presentAdminLinks, presentAdminUse } from './links.console.present.ts'
import type { LinksDeps } from './links.deps.ts'
import { guestsOf } from './links.present.ts'
import type { Link, LinkRow } from './links.schema.ts'
import { linksStore, type LinkScope, type LinkSearch } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

/** Everybody's links, for those who run the installation. */
export function adminLinkEndpoints(deps: LinksDeps): Endpoint[] {
  const changing = (
    spec: (typeof adminLinkRoutes)['disable' | 'enable' | 'unbind'] | (typeof adminLinkRoutes)['remove'],
    change: ManagedChange['change'],
  ): Endpoint =>
    loggedEndpoint(deps, spec, (ctx, { body: { chosen } }, record) =>
      changeChosen(deps, ctx, { chosen, change, record }),
    )
  return [
    endpoint(adminLinkRoutes.list, async (ctx, { query: { page, size, sort, order, ...filter } }) => {
      const wanted = { ...(await searchOf(deps, ctx, filter)), orderBy: columnOf(sort, filter.kind), order }
      const { rows, total } = await linksStore.search(deps.db, { ...wanted, offset: (page - 1) * size, limit: size })
      return { rows: await presentAdminLinks(deps, rows), total, page, size }
    }),
    endpoint(adminLinkRoutes.get, async (ctx, { params }) => ({
      link: await presentAdminLink(deps, await requireSeen(deps.db, ctx, params.linkId)),
    })),
    endpoint(adminLinkRoutes.uses, async (ctx, { params, query: { page, size } }) => {
      const { id } = await requireSeen(deps.db, ctx, params.linkId)
      const { rows, total } = await visitsStore.uses(deps.db, id, { offset: (page - 1) * size, limit: size })
      const guestOf = await guestsOf(deps.db, rows)
      return { rows: rows.map((row) => presentAdminUse(row, guestOf(row))), total, page, size }
    }),
    loggedEndpoint(deps, adminLinkRoutes.tryOut, (ctx, { body: { chosen, change } }) =>
      changeChosen(deps, ctx, { chosen, change: CHANGES[change], record: undefined }),
    ),
    changing(adminLinkRoutes.disable, CHANGES.disable),
    changing(adminLinkRoutes.enable, CHANGES.enable),
    changing(adminLinkRoutes.unbind, CHANGES.unbind),
    changing(adminLinkRoutes.remove, CHANGES.remove),
  ]
}

const CHANGES = { disable: 'canceled', enable: 'enabled', unbind: 'unbound', remove: 'removed' } as const

type Search = Omit<LinkSearch, 'orderBy' | 'order' | 'offset' | 'limit'>

async function searchOf({ db, clock }: LinksDeps, ctx: UserCtx, filter: AdminLinkFilter): Promise<Search> {
  const { kind, text, owner, state, departmentId } = filter
  return {
    urlType: kind === 'share' ? SHARE_URL_TYPE.download : SHARE_URL_TYPE.upload,
    status: state === undefined ? undefined : LINK_STATUS[state],
    text: (text ?? '').toLowerCase(),
    ownerText: foldCase(owner ?? ''),
    departmentIds: departmentId === undefined ? undefined : await withinDepartment(db, departmentId),
    scope: scopeOf(ctx),
    now: clock.now(),
  }
}

/** A department and all below it. */
async function withinDepartment(db: Db, id: number): Promise<number[]> {
  const branches = await departmentsStore.parents(db)
  const below = branches.filter((branch) => lineOf(branches, branch.id).includes(id))
  return [id, ...below.map((branch) => branch.id).filter((each) => each !== id)]
}

/** Links name files of others: who sees only folders of their own sees links of their own, and of what they look after. */
function scopeOf({ principal }: UserCtx): LinkScope | undefined {
  const { standing } = accountOf(principal)
  if (standing?.folderScope === 'all') return undefined
  return { ownerId: principal.id, spaceIds: standing?.spaceIds ?? [], groupIds: standing?.groupIds ?? [] }
}

const COLUMNS = { name: 'label', created: 'created_at', expires: 'expires_at', status: 'status' } as const

function columnOf(sort: keyof typeof COLUMNS | 'uses', kind: AdminLinkFilter['kind']): LinkSearch['orderBy'] {
  if (sort !== 'uses') return COLUMNS[sort]
  return kind === 'share' ? 'download_count' : 'upload_count'
}

/** @throws AppError LINK_NOT_FOUND, also for what is outside the caller's scope */
async function requireSeen(db: Db, ctx: UserCtx, id: string): Promise<Link> {
  const [row] = await linksStore.rows(db, [id], scopeOf(ctx))
  const link = row === undefined ? undefined : await linksStore.byId(db, row.id)
  if (link === undefined) throw new AppError('LINK_NOT_FOUND')
  return link
}

interface Wanted {
  readonly chosen: ChosenLinks
  readonly change: ManagedChange['change']
  /** Left out: only says what would happen. */
  readonly record: RecordChange | undefined
}

/** Changes links in one transaction with their rows of the log, and names those that are not there. */
async function changeChosen(deps: LinksDeps, ctx: UserCtx, { chosen, change, record }: Wanted) {
  const found = await chosenLinks(deps, ctx, chosen)
  const rows = found.filter((row) => needsChange(row, change))
  const ids = rows.map(({ id }) => id)
  const visits = change === 'enabled' ? 0 : await visitsStore.countOpen(deps.db, ids, deps.clock.now())
  if (record !== undefined)
    await changeLinks(deps, {
      ...{ rows, change, by: ctx.principal.id },
      record: (tx) => record(tx, ...rows.map((row) => loggedChange(row, change))),
    })
  const known = new Set(found.map(({ id }) => id))
  const missing = 'ids' in chosen ? [...new Set(chosen.ids)].filter((id) => !known.has(id)) : []
  const { wire: code, code: name } = new AppError('LINK_NOT_FOUND')
  return {
    ...{ changed: rows.length, unchanged: found.length - rows.length, visits },
    owners: new Set(rows.map((row) => row.owner_id)).size,
    failed: missing.map((id) => ({ id, code, message: errorText(ctx.locale, name) })),
  }
}

async function chosenLinks(deps: LinksDeps, ctx: UserCtx, chosen: ChosenLinks): Promise<LinkRow[]> {
  if ('ids' in chosen) return linksStore.rows(deps.db, [...new Set(chosen.ids)], scopeOf(ctx))
  return linksStore.matching(deps.db, { ...(await searchOf(deps, ctx, chosen.filter)), limit: LINKS_PER_CALL })
}

const STATES = new Map<number, string>(Object.entries(LINK_STATUS).map(([name, status]) => [status, name]))

function loggedChange(row: LinkRow, change: ManagedChange['change']) {
  const thing = { kind: 'link', id: row.id, name: row.label }
  const before = { ownerId: row.owner_id, state: STATES.get(row.status), device: row.bind_device }
  if (change === 'removed') return { ...thing, before }
  if (change === 'unbound') return { ...thing, before: { device: row.bind_device }, after: { device: '' } }
  const state = change === 'enabled' ? 'normal' : 'canceled'
  return { ...thing, before: { state: before.state }, after: { state } }
}
