import { DEPARTMENT_LIMITS, isPhone, LIMITS } from '@godwit/contract'
import { hasControls } from '../../kernel/plain-text.ts'
import { foldCase, isEmail } from '../users/index.ts'
import type { Person } from './provider.types.ts'

/** Signs that stand between the words of a name, and that an account has `_` for. */
const BETWEEN = /[.\-@ +']/g
const ACCOUNT = /^[A-Za-z0-9_]+$/
const E164 = /^\+[1-9][0-9]{6,14}$/

/** The account of somebody who signs in by this name elsewhere; undefined where no account can be called like it. */
export function accountOfLogin(login: string): string | undefined {
  const plain = login.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(BETWEEN, '_')
  const fits = plain.length >= LIMITS.accountMin && plain.length <= LIMITS.accountMax
  return fits && ACCOUNT.test(plain) && /[A-Za-z0-9]/.test(plain) ? plain : undefined
}

/** The account of somebody of a provider; undefined where none can be called like that. */
export function accountOfPerson({ login, calledAfter }: Pick<Person, 'login' | 'calledAfter'>): string | undefined {
  return accountOfLogin(calledAfter ?? login)
}

/** What groups of a provider stand for here. */
export type Places = Pick<Person, 'groupIds' | 'departmentId'>

interface Mapping {
  readonly groupId?: number | undefined
  readonly departmentId?: number | undefined
}

/** @param mapped mappings whose group has the person; the first department wins */
export function placesOf(mapped: readonly Mapping[]): Places {
  const groupIds = new Set(mapped.flatMap(({ groupId }) => (groupId === undefined ? [] : [groupId])))
  const departmentId = mapped.find((mapping) => mapping.departmentId !== undefined)?.departmentId
  return { groupIds: [...groupIds].toSorted((a, b) => a - b), departmentId }
}

/** What of a person goes into an account. What is undefined stays as it is. */
export interface Fields {
  readonly name?: string
  readonly email?: string
  readonly phone?: string
  /** '' is none. */
  readonly departmentName?: string
}

/** The fields as an account takes them: what is no address or no phone number is left empty. */
export function fieldsOf(
  { name, email, phone, department }: Pick<Person, 'name' | 'email' | 'phone' | 'department'>,
  account: string,
): Fields {
  return {
    ...(name === undefined ? {} : { name: nameOf(name) ?? account }),
    ...(email === undefined ? {} : { email: isEmail(email) ? email : '' }),
    ...(phone === undefined ? {} : { phone: isPhone(phone) || E164.test(phone) ? phone : '' }),
    ...(department === undefined ? {} : { departmentName: departmentNameOf(department) }),
  }
}

function nameOf(name: string): string | undefined {
  const short = [...name].slice(0, LIMITS.displayNameMax).join('').trim()
  return short === '' || hasControls(short) ? undefined : short
}

/** '' for what cannot be the name of a department. */
function departmentNameOf(name: string): string {
  return [...name].length <= DEPARTMENT_LIMITS.nameMax && !hasControls(name) && !name.includes('/') ? name : ''
}

/** An account that came from the provider, as it is now. */
export interface Known {
  readonly userId: string
  readonly account: string
  readonly login: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly departmentId: number | null
  readonly isLocked: boolean
  readonly isLockedBySync: boolean
  /** Groups that the provider put it into. */
  readonly groupIds: readonly number[]
}

/** An account that waits for its person to sign in. */
export interface Announced {
  readonly userId: string
  readonly account: string
  readonly isAdoptable: boolean
}

/** What there is here, to compare a directory with. */
export interface Present {
  /** By the provider's key of the entry. */
  readonly known: ReadonlyMap<string, Known>
  /** Every account by its folded name; those that a provider may take over say so. */
  readonly accounts: ReadonlyMap<string, { readonly userId: string; readonly isAdoptable: boolean }>
  /** Accounts that an identity management announced, by the folded name that their people sign in with. */
  readonly announced: ReadonlyMap<string, Announced>
  /** Who has a folded e-mail address. */
  readonly emails: ReadonlyMap<string, string>
  /** Departments at the root, by folded name. */
  readonly departments: ReadonlyMap<string, number>
  /** Groups with their spaces. */
  readonly groups: ReadonlyMap<number, number>
  readonly departmentIds: ReadonlySet<number>
}

export interface Placed {
  readonly person: Person
  readonly account: string
  readonly fields: Fields
  /** Undefined: as it is. A text is the name of a department that is still to be made. */
  readonly department: number | string | null | undefined
  readonly joins: readonly number[]
  readonly leaves: readonly number[]
}

export type Step =
  | ({ readonly change: 'add' } & Placed)
  | ({ readonly change: 'change' | 'unlock'; readonly userId: string; readonly what: readonly string[] } & Placed)
  | { readonly change: 'lock'; readonly userId: string; readonly account: string; readonly login: string }
  | { readonly change: 'skip'; readonly account: string; readonly reason: SkipReason }

export type SkipReason = 'account-invalid' | 'account-taken' | 'disabled'

/** What has to happen so that the accounts are as the provider has the people. What is as it should be has no step. */
export function planOf(people: readonly Person[], present: Present): Step[] {
  const taken = { accounts: new Map<string, string>(), emails: new Map<string, string>() }
  const seen = new Set(people.map(({ key }) => key))
  const gone = [...present.known].flatMap(([key, known]): Step[] => {
    if (seen.has(key) || known.isLocked) return []
    return [{ change: 'lock', userId: known.userId, account: known.account, login: known.login }]
  })
  return [...people.flatMap((person) => stepOf(person, present, taken) ?? []), ...gone]
}

/** Names and addresses that earlier people of the same list have been given, with whose they are. */
interface Taken {
  readonly accounts: Map<string, string>
  readonly emails: Map<string, string>
}

function stepOf(person: Person, present: Present, taken: Taken): Step | undefined {
  const known = present.known.get(person.key)
  return known === undefined ? newcomer(person, present, taken) : familiar(person, known, present, taken)
}

function newcomer(person: Person, present: Present, taken: Taken): Step {
  const announced = present.announced.get(foldCase(person.login))
  const account = announced?.account ?? accountOfPerson(person)
  if (account === undefined) return { change: 'skip', account: person.login, reason: 'account-invalid' }
  if (person.isDisabled) return { change: 'skip', account, reason: 'disabled' }
  const key = foldCase(account)
  const holder = announced ?? present.accounts.get(key)
  // Whoever has the name here keeps it: a directory cannot take over an account of this server by naming it.
  if (taken.accounts.has(key) || (holder !== undefined && !holder.isAdoptable))
    return { change: 'skip', account, reason: 'account-taken' }
  taken.accounts.set(key, person.key)
  const placed = place(person, { account, userId: holder?.userId, groupIds: [] }, present, taken)
  if (holder === undefined) return { change: 'add', ...placed }
  return { change: 'change', userId: holder.userId, what: ['source'], ...placed }
}

function familiar(person: Person, known: Known, present: Present, taken: Taken): Step | undefined {
  const { userId, account, login } = known
  if (person.isDisabled) return known.isLocked ? undefined : { change: 'lock', userId, account, login }
  const placed = place(person, known, present, taken)
  const { fields, department, joins, leaves } = placed
  const what = [
    ...(fields.name !== undefined && fields.name !== known.name ? ['name'] : []),
    ...(fields.email !== undefined && fields.email !== known.email ? ['email'] : []),
    ...(fields.phone !== undefined && fields.phone !== known.phone ? ['phone'] : []),
    ...(department !== undefined && department !== known.departmentId ? ['department'] : []),
    ...(joins.length + leaves.length > 0 ? ['groups'] : []),
    ...(person.login === login ? [] : ['login']),
  ]
  if (known.isLocked && known.isLockedBySync) return { change: 'unlock', userId, what, ...placed }
  return what.length === 0 ? undefined : { change: 'change', userId, what, ...placed }
}

function place(
  person: Person,
  known: { readonly account: string; readonly userId: string | undefined; readonly groupIds: readonly number[] },
  present: Present,
  taken: Taken,
): Placed {
  const fields = withFreeEmail(
    fieldsOf(person, known.account),
    { key: person.key, userId: known.userId },
    present,
    taken,
  )
  const wanted = person.groupIds?.filter((id) => present.groups.has(id)) ?? known.groupIds
  return {
    ...{ person, account: known.account, fields },
    department: departmentOf(person, fields, present),
    joins: wanted.filter((id) => !known.groupIds.includes(id)),
    leaves: known.groupIds.filter((id) => !wanted.includes(id)),
  }
}

/** An address that somebody else has is left out: an account does not fail for it. */
function withFreeEmail(
  fields: Fields,
  { key, userId }: { readonly key: string; readonly userId: string | undefined },
  { emails }: Present,
  taken: Taken,
): Fields {
  if (fields.email === undefined || fields.email === '') return fields
  const email = foldCase(fields.email)
  const holder = emails.get(email)
  const isFree = (holder === undefined || holder === userId) && (taken.emails.get(email) ?? key) === key
  if (!isFree) return { ...fields, email: '' }
  taken.emails.set(email, key)
  return fields
}

function departmentOf(
  { departmentId }: Person,
  { departmentName }: Fields,
  { departments, departmentIds }: Present,
): Placed['department'] {
  if (departmentId !== undefined && departmentIds.has(departmentId)) return departmentId
  if (departmentName === undefined) return undefined
  if (departmentName === '') return null
  return departments.get(foldCase(departmentName)) ?? departmentName
}

/** Locks that a synchronization may do without being asked: a third of the accounts, and always a handful. */
export function locksAllowed(accounts: number): number {
  return Math.max(5, Math.floor(accounts / 3))
}
