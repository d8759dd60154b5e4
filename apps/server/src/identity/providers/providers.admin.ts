import { X509Certificate } from 'node:crypto'
import type {
  AuthProvider,
  AuthProviderChange,
  NewAuthProvider,
  ProviderProof,
  ProviderSource,
  TriedAuthProvider,
} from '@godwit/contract'
import type { Clock } from '@godwit/base'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { departmentsStore } from '../departments/index.ts'
import { groupsStore } from '../groups/index.ts'
import { foldCase } from '../users/index.ts'
import { accountOfPerson } from './people.policy.ts'
import type { Person, Provider } from './provider.types.ts'
import {
  faultOf,
  isSameTarget,
  openProvider,
  openSource,
  secretIn,
  secretPurpose,
  sourceIn,
  type OpenDeps,
} from './providers.kinds.ts'
import type { ProviderRow } from './providers.schema.ts'
import { providersStore } from './providers.store.ts'
import { requireProvider } from './sync.service.ts'
import { syncsStore } from './syncs.store.ts'

export interface ProvidersAdminDeps extends OpenDeps {
  readonly db: Db
  readonly clock: Clock
}

/** Writes down what changed, in the transaction of the change. */
type OnChange = (
  tx: Tx,
  thing: { readonly id: number; readonly name: string; readonly before?: object; readonly after?: object },
) => Promise<void>

export async function listProviders(db: Db): Promise<AuthProvider[]> {
  const counts = await providersStore.accountCounts(db)
  return (await providersStore.all(db)).map((row) => presentProvider(row, counts.get(row.id) ?? 0))
}

/** @throws AppError AUTH_PROVIDER_NAME_DUPLICATE and those of a field */
export async function addProvider(
  deps: ProvidersAdminDeps,
  { name, enabled, source, secret = '' }: NewAuthProvider,
  onChange: OnChange,
): Promise<AuthProvider> {
  const { db, clock, vault } = deps
  await requireUsable(db, source, secret !== '')
  const row: Omit<ProviderRow, 'id'> = {
    ...{ ...namesOf(name), kind: source.kind, enabled: enabled ? 1 : 0, settings: JSON.stringify(source.settings) },
    ...{ place: (await lastPlace(db)) + 1, sealed_secret: '', created_at: clock.now(), revision: 1 },
  }
  return withUniqueName(() =>
    inTransaction(db, async (tx) => {
      const id = await providersStore.insert(tx, row)
      const sealed_secret = secret === '' ? '' : vault.seal(secretPurpose(id), secret)
      if (secret !== '') await providersStore.change(tx, id, { sealed_secret })
      const added = { ...row, id, sealed_secret }
      await onChange(tx, { id, name, after: { ...stateOf(added), ...(secret === '' ? {} : { secret }), revision: 1 } })
      return presentProvider(added, 0)
    }),
  )
}

/**
 * Changes a provider. A secret that is known goes to no other server than the one it was given for.
 * @returns undefined when somebody else saved first; nothing is changed then
 * @throws AppError AUTH_PROVIDER_NOT_FOUND and as {@link addProvider}
 */
export async function editProvider(
  deps: ProvidersAdminDeps,
  { id, change }: { readonly id: number; readonly change: AuthProviderChange },
  onChange: OnChange,
): Promise<AuthProvider | undefined> {
  const { db, vault } = deps
  const { revision, name, enabled, source, secret } = change
  const row = await requireProvider(db, id)
  if (source !== undefined && source.kind !== row.kind) throw new AppError('PARAMETER_INVALID', { field: 'kind' })
  const wanted = source ?? sourceIn(row)
  await requireUsable(db, wanted, secretFor(deps, { row, source: wanted, secret }) !== '')
  const columns = {
    ...(name === undefined ? {} : namesOf(name)),
    ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
    ...(source === undefined ? {} : { settings: JSON.stringify(source.settings) }),
    ...(secret === undefined ? {} : { sealed_secret: secret === '' ? '' : vault.seal(secretPurpose(id), secret) }),
  }
  const isFirst = await withUniqueName(() =>
    inTransaction(db, async (tx) => {
      if (!(await providersStore.changeAt(tx, { id, revision }, columns))) return false
      const after = { ...row, ...columns, revision: revision + 1 }
      await onChange(tx, { id, name: row.name, ...changedStates(row, after, secret !== undefined) })
      return true
    }),
  )
  if (!isFirst) return undefined
  return (await listProviders(db)).find((provider) => provider.id === id)
}

/** Accounts that came from it stay. @throws AppError AUTH_PROVIDER_NOT_FOUND, SYNC_RUNNING */
export async function removeProvider({ db }: ProvidersAdminDeps, id: number, onChange: OnChange): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await requireProvider(tx, id)
    if ((await syncsStore.openOf(tx, id)) !== undefined) throw new AppError('SYNC_RUNNING')
    await providersStore.remove(tx, id)
    await onChange(tx, { id, name: row.name, before: stateOf(row) })
  })
}

/** @param ids all of them, the first to be asked first @throws AppError AUTH_PROVIDER_NOT_FOUND */
export async function orderProviders(
  { db }: ProvidersAdminDeps,
  ids: readonly number[],
  onChange: OnChange,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const rows = await providersStore.all(tx)
    const isWhole = rows.length === ids.length && rows.every(({ id }) => ids.includes(id))
    if (!isWhole) throw new AppError('AUTH_PROVIDER_NOT_FOUND')
    for (const [place, id] of ids.entries()) await providersStore.change(tx, id, { place })
    const names = (order: readonly number[]) => order.map((id) => rows.find((row) => row.id === id)?.name ?? '')
    const before = { order: names(rows.map(({ id }) => id)) }
    await onChange(tx, { id: ids[0] ?? 0, name: '', before, after: { order: names(ids) } })
  })
}

/** Proves settings before they are saved, within 10 seconds. @throws AppError with `step` and `field` */
export async function tryProvider(
  deps: ProvidersAdminDeps,
  { providerId, source, secret, account = '', password = '' }: TriedAuthProvider,
): Promise<ProviderProof> {
  const row = providerId === undefined ? undefined : await requireProvider(deps.db, providerId)
  const used = row === undefined ? (secret ?? '') : secretFor(deps, { row, source, secret })
  await requireUsable(deps.db, source, used !== '')
  const somebody = account === '' ? undefined : { login: account, password }
  return proofOf(openSource(deps, source, used), somebody)
}

/** Proves a provider as it is saved. @throws AppError AUTH_PROVIDER_NOT_FOUND and as {@link tryProvider} */
export async function testProvider(
  deps: OpenDeps & { readonly db: Db },
  id: number,
  somebody: Parameters<Provider['test']>[0],
): Promise<ProviderProof> {
  return proofOf(openProvider(deps, await requireProvider(deps.db, id)), somebody)
}

async function proofOf(provider: Provider, somebody: Parameters<Provider['test']>[0]): Promise<ProviderProof> {
  const { steps, person } = await provider.test(somebody)
  return { steps: [...steps], person: person === undefined ? null : presentPerson(person) }
}

function presentPerson(person: Person): ProviderProof['person'] {
  const { name = '', email = '', phone = '', department = '', groupIds = [] } = person
  const account = accountOfPerson(person) ?? person.login
  return { account, name, email, phone, department, groups: groupIds.length }
}

interface Secrets {
  readonly row: ProviderRow
  readonly source: ProviderSource
  readonly secret: string | undefined
}

/** @throws AppError VALUE_REQUIRED where the known secret would go to another server, or in the clear */
function secretFor(deps: ProvidersAdminDeps, { row, source, secret }: Secrets): string {
  if (secret !== undefined) return secret
  const known = secretIn(deps, row)
  if (known !== '' && !isSameTarget(sourceIn(row), source)) throw new AppError('VALUE_REQUIRED', { field: 'secret' })
  return known
}

/** @throws AppError VALUE_REQUIRED, PARAMETER_INVALID, GROUP_NOT_FOUND, DEPARTMENT_NOT_FOUND */
async function requireUsable(db: Db, source: ProviderSource, hasSecret: boolean): Promise<void> {
  const fault = faultOf(source, hasSecret)
  if (fault !== undefined) throw new AppError(fault.code, { field: fault.field })
  const { ca = '', groups = [] } = { ca: undefined, groups: undefined, ...source.settings }
  if (ca !== '' && !isCertificates(ca))
    throw new AppError('PARAMETER_INVALID', { field: 'ca', rule: 'PEM certificates' })
  for (const { groupId, departmentId } of groups) {
    if (groupId !== undefined && (await groupsStore.byId(db, groupId)) === undefined)
      throw new AppError('GROUP_NOT_FOUND', { field: 'groups' })
    if (departmentId !== undefined && (await departmentsStore.byId(db, departmentId)) === undefined)
      throw new AppError('DEPARTMENT_NOT_FOUND', { field: 'groups' })
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

function isCertificates(pem: string): boolean {
  const blocks = pem.match(CERTIFICATE) ?? []
  try {
    return blocks.map((block) => new X509Certificate(block)).length > 0
  } catch {
    // What it throws says only that this is no certificate.
    return false
  }
}

async function lastPlace(db: Db): Promise<number> {
  return Math.max(0, ...(await providersStore.all(db)).map(({ place }) => place))
}

function namesOf(name: string): Pick<ProviderRow, 'name' | 'name_key'> {
  return { name: name.normalize('NFC'), name_key: foldCase(name).slice(0, 255) }
}

function presentProvider(row: ProviderRow, accounts: number): AuthProvider {
  return {
    ...{ id: row.id, name: row.name, enabled: row.enabled === 1, source: sourceIn(row) },
    ...{ hasSecret: row.sealed_secret !== '', accounts, createdAt: Number(row.created_at), revision: row.revision },
  }
}

function stateOf(row: Pick<ProviderRow, 'name' | 'kind' | 'enabled' | 'settings'>): Readonly<Record<string, unknown>> {
  const settings = JSON.parse(row.settings) as object
  return { name: row.name, kind: row.kind, enabled: row.enabled === 1, ...settings }
}

/** The fields that differ; a new secret as one that is masked. */
function changedStates(from: ProviderRow, to: ProviderRow, hasNewSecret: boolean) {
  const [held, now] = [stateOf(from), stateOf(to)]
  const names = Object.keys({ ...held, ...now }).filter((key) => JSON.stringify(held[key]) !== JSON.stringify(now[key]))
  const pick = (state: Readonly<Record<string, unknown>>) => Object.fromEntries(names.map((key) => [key, state[key]]))
  const secret = hasNewSecret ? { secret: 'set' } : {}
  return {
    before: { ...pick(held), ...secret, revision: from.revision },
    after: { ...pick(now), ...secret, revision: to.revision },
  }
}

async function withUniqueName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (isDuplicate(thrown)) throw new AppError('AUTH_PROVIDER_NAME_DUPLICATE', { field: 'name' }, { cause: thrown })
    throw thrown
  }
}
