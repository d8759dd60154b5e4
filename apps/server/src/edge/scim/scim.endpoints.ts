import { SCIM_PATH } from '@godwit/contract'
import {
  actorOf,
  addAccount,
  addProvisionedGroup,
  changeAccount,
  changeProvisionedGroup,
  deleteAccount,
  deleteProvisionedGroup,
  getAccount,
  getGroup,
  searchAccounts,
  searchGroups,
  type ProvisionedAccount,
  type Provisioning,
} from '../../oversight/provisioning/index.ts'
import { failureFields, type Ctx, type Log } from '../../kernel/context.ts'
import type { RawEndpoint, RawExchange } from '../../kernel/endpoint.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { matchSegments } from '../http/index.ts'
import { answer, answerFault } from './scim.answers.ts'
import { bodyJson } from './scim.bodies.ts'
import { RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER_CONFIG } from './scim.discovery.ts'
import { conditionOf } from './scim.filter.ts'
import { GROUP_FIELDS, groupPatch, presentGroup, wantedGroup } from './scim.groups.ts'
import { listOfResources, shown, wants, windowOf } from './scim.lists.ts'
import type { Resource } from './scim.patch.ts'
import { patchedUser, presentUser, resourceIn, USER_FIELDS, wantedAccount } from './scim.users.ts'

export interface ScimDeps {
  readonly provisioning: Provisioning
  readonly log: Pick<Log, 'error'>
}

interface Asked {
  readonly provisioning: Provisioning
  readonly ctx: Ctx
  readonly exchange: RawExchange
  /** Of the resource that the path names; '' for a list. */
  readonly id: string
}

type Handle = (asked: Asked) => Promise<void> | void

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

const ROUTES: ReadonlyArray<{ readonly path: string; readonly methods: Partial<Readonly<Record<Method, Handle>>> }> = [
  { path: 'Users', methods: { GET: listUsers, POST: createUser } },
  { path: 'Users/:id', methods: { GET: getUser, PUT: replaceUser, PATCH: patchUser, DELETE: removeUser } },
  { path: 'Groups', methods: { GET: listGroups, POST: createGroup } },
  { path: 'Groups/:id', methods: { GET: showGroup, PUT: replaceGroup, PATCH: patchGroup, DELETE: removeGroup } },
  { path: 'ServiceProviderConfig', methods: { GET: ({ exchange }) => reply(exchange, SERVICE_PROVIDER_CONFIG) } },
  { path: 'ResourceTypes', methods: { GET: ({ exchange }) => replyAll(exchange, RESOURCE_TYPES) } },
  { path: 'ResourceTypes/:id', methods: { GET: (asked) => replyOne(asked, RESOURCE_TYPES) } },
  { path: 'Schemas', methods: { GET: ({ exchange }) => replyAll(exchange, SCHEMAS) } },
  { path: 'Schemas/:id', methods: { GET: (asked) => replyOne(asked, SCHEMAS) } },
]

/**
 * SCIM 2.0 (RFC 7643 and 7644), by which an identity management keeps accounts and groups. Only the protocol is here; what may
 * become of an account is decided in `oversight/provisioning`.
 */
export function scimEndpoints(deps: ScimDeps): RawEndpoint[] {
  return [SCIM_PATH, `${SCIM_PATH}/*`].flatMap((path) =>
    METHODS.map((method) => ({
      spec: { method, path, access: 'public' as const },
      handle: (ctx: Ctx, exchange: RawExchange) => serve(deps, ctx, exchange),
    })),
  )
}

async function serve({ provisioning, log }: ScimDeps, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { req, res, body } = exchange
  try {
    // Before the body is read.
    await provisioning.require(ctx)
    const { methods, id } = routeOf(exchange)
    const handle = methods[(req.method === 'HEAD' ? 'GET' : req.method) as Method]
    if (handle === undefined) answer(res, { status: 405, headers: { allow: Object.keys(methods).join(', ') } })
    else await handle({ provisioning, ctx, exchange, id })
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.status >= 500) log.error(failureFields(ctx, error), 'a SCIM request failed')
    if (!ctx.signal.aborted) answerFault(ctx, res, error)
  } finally {
    body.close()
  }
}

/** @throws AppError ROUTE_NOT_FOUND */
function routeOf({ params }: RawExchange) {
  const parts = (params['*'] ?? '').replace(/\/$/, '').split('/')
  for (const { path, methods } of ROUTES) {
    const found = matchSegments(path.split('/'), parts)
    if (found !== undefined) return { methods, id: found['id'] ?? '' }
  }
  throw new AppError('ROUTE_NOT_FOUND')
}

function reply({ res, query }: RawExchange, resource: object, status = 200): void {
  const { meta } = resource as { readonly meta?: { readonly version?: string; readonly location?: string } }
  answer(res, {
    status,
    body: shown(resource, query),
    headers: {
      ...(meta?.version === undefined ? {} : { etag: meta.version }),
      ...(status === 201 && meta?.location !== undefined ? { location: meta.location } : {}),
    },
  })
}

function replyAll({ res }: RawExchange, resources: readonly object[]): void {
  answer(res, { status: 200, body: listOfResources(resources, resources.length, 0) })
}

function replyOne({ exchange, id }: Asked, resources: ReadonlyArray<{ readonly id: string }>): void {
  const found = resources.find((resource) => resource.id.toLowerCase() === id.toLowerCase())
  if (found === undefined) throw new AppError('ROUTE_NOT_FOUND')
  reply(exchange, found)
}

async function listUsers({ provisioning, exchange: { res, query } }: Asked): Promise<void> {
  const filter = query.get('filter')
  const condition = filter === null || filter === '' ? undefined : conditionOf(filter, USER_FIELDS)
  const window = windowOf(query)
  const { accounts, total } = await searchAccounts(provisioning.db, condition, window)
  const resources = accounts.map((account) => shown(presentUser(account), query))
  answer(res, { status: 200, body: listOfResources(resources, total, window.offset) })
}

async function createUser({ provisioning, ctx, exchange }: Asked): Promise<void> {
  const wanted = wantedAccount(resourceIn(await bodyJson(exchange)))
  const id = await addAccount(provisioning, actorOf(ctx), wanted)
  reply(exchange, presentUser(await getAccount(provisioning.db, id)), 201)
}

async function getUser({ provisioning, exchange, id }: Asked): Promise<void> {
  const resource = presentUser(await getAccount(provisioning.db, id))
  if (isKnown(exchange, resource.meta.version)) return answer(exchange.res, { status: 304 })
  reply(exchange, resource)
}

async function replaceUser(asked: Asked): Promise<void> {
  const resource = resourceIn(await bodyJson(asked.exchange))
  // Who is not said to be switched on or off stays what they are.
  await changeUser(asked, ({ user }) => ({ active: user.locked === 0, ...resource }))
}

async function patchUser(asked: Asked): Promise<void> {
  const body = await bodyJson(asked.exchange)
  await changeUser(asked, (account) => patchedUser(account, body))
}

/** Tries of a change that meets others. */
const ATTEMPTS = 5

/** Does a change; when somebody was first and the request did not say what it started from, it starts again. */
async function settle(exchange: RawExchange, change: (revision: number | undefined) => Promise<void>): Promise<void> {
  const revision = revisionIn(exchange)
  for (let attempt = 1; ; attempt++) {
    try {
      return await change(revision)
    } catch (thrown) {
      const isRace = thrown instanceof AppError && thrown.code === 'EDIT_CONFLICT' && revision === undefined
      if (!isRace || attempt === ATTEMPTS) throw thrown
    }
  }
}

async function changeUser(
  { provisioning, ctx, exchange, id }: Asked,
  change: (account: ProvisionedAccount) => Resource,
): Promise<void> {
  await settle(exchange, async (wantedRevision) => {
    const account = await getAccount(provisioning.db, id)
    const wanted = wantedAccount(change(account))
    const revision = wantedRevision ?? account.user.revision
    await changeAccount(provisioning, actorOf(ctx), { id, revision, wanted })
  })
  reply(exchange, presentUser(await getAccount(provisioning.db, id)))
}

async function removeUser({ provisioning, ctx, exchange, id }: Asked): Promise<void> {
  await deleteAccount(provisioning, actorOf(ctx), { id, revision: revisionIn(exchange) })
  answer(exchange.res, { status: 204 })
}

async function listGroups({ provisioning, exchange: { res, query } }: Asked): Promise<void> {
  const filter = query.get('filter')
  const condition = filter === null || filter === '' ? undefined : conditionOf(filter, GROUP_FIELDS)
  const window = { ...windowOf(query), withMembers: wants(query, 'members') }
  const { groups, total } = await searchGroups(provisioning.db, condition, window)
  const resources = groups.map((group) => shown(presentGroup(group), query))
  answer(res, { status: 200, body: listOfResources(resources, total, window.offset) })
}

async function createGroup({ provisioning, ctx, exchange }: Asked): Promise<void> {
  const id = await addProvisionedGroup(provisioning, actorOf(ctx), wantedGroup(await bodyJson(exchange)))
  await replyGroup(provisioning, exchange, { id, status: 201 })
}

async function showGroup({ provisioning, exchange, id }: Asked): Promise<void> {
  await replyGroup(provisioning, exchange, { id: groupId(id), status: 200 })
}

async function replaceGroup({ provisioning, ctx, exchange, id }: Asked): Promise<void> {
  const wanted = wantedGroup(await bodyJson(exchange))
  await settle(exchange, (revision) =>
    changeProvisionedGroup(provisioning, actorOf(ctx), { id: groupId(id), revision, wanted }),
  )
  await replyGroup(provisioning, exchange, { id: groupId(id), status: 200 })
}

async function patchGroup({ provisioning, ctx, exchange, id }: Asked): Promise<void> {
  const wanted = groupPatch(await bodyJson(exchange))
  await settle(exchange, (revision) =>
    changeProvisionedGroup(provisioning, actorOf(ctx), { id: groupId(id), revision, wanted }),
  )
  // The members of a big group are nothing that anybody wants to hear after each of them joined (RFC 7644 §3.5.2 allows it).
  answer(exchange.res, { status: 204 })
}

async function removeGroup({ provisioning, ctx, exchange, id }: Asked): Promise<void> {
  const removed = { id: groupId(id), revision: revisionIn(exchange) }
  await deleteProvisionedGroup(provisioning, actorOf(ctx), removed)
  answer(exchange.res, { status: 204 })
}

async function replyGroup(
  { db }: Provisioning,
  exchange: RawExchange,
  { id, status }: { readonly id: number; readonly status: number },
): Promise<void> {
  const resource = presentGroup(await getGroup(db, id, wants(exchange.query, 'members')))
  if (status === 200 && isKnown(exchange, resource.meta.version)) return answer(exchange.res, { status: 304 })
  reply(exchange, resource, status)
}

/** @throws AppError GROUP_NOT_FOUND */
function groupId(id: string): number {
  if (!/^[1-9]\d{0,8}$/.test(id)) throw new AppError('GROUP_NOT_FOUND')
  return Number(id)
}

/** The revision that a change starts from; undefined when it does not say. @throws AppError EDIT_CONFLICT for one of no resource here */
function revisionIn({ req }: RawExchange): number | undefined {
  const tag = req.headers['if-match']
  if (tag === undefined || tag === '*') return undefined
  const revision = /^(?:W\/)?"(\d{1,9})"$/.exec(tag)?.[1]
  if (revision === undefined) throw new AppError('EDIT_CONFLICT')
  return Number(revision)
}

function isKnown({ req }: RawExchange, version: string): boolean {
  return req.method === 'GET' && req.headers['if-none-match'] === version
}
