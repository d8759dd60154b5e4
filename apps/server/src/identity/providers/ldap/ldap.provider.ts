import type { ProviderTestStep } from '@godwit/contract'
import { AppError } from '../../../kernel/errors.ts'
import { placesOf } from '../people.policy.ts'
import type { Checked, Directory, Person, TestResult } from '../provider.types.ts'
import { CHECK_MS } from '../time-limits.ts'
import { withSession, type LdapDeps, type LdapSession, type LdapTarget } from './ldap.connection.ts'
import {
  dnKey,
  escapeFilter,
  loginFilter,
  memberFilter,
  personOf,
  personsFilter,
  wantedAttributes,
  type LdapEntry,
} from './ldap.policy.ts'

export interface LdapProviderDeps extends LdapDeps {
  readonly clock: { monotonic(): number }
}

/** Longest wait for one answer, and of a synchronization for a page. */
const ANSWER_MS = 5_000
const PAGE_MS = 60_000

export function ldapProvider(deps: LdapProviderDeps, target: LdapTarget): Directory {
  return {
    check(login, password, withinMs = CHECK_MS) {
      const options = { answerMs: Math.min(ANSWER_MS, withinMs), signal: AbortSignal.timeout(withinMs) }
      return withSession(deps, target, options, (session) => check(target, session, login, password))
    },
    find: (logins, signal) =>
      withSession(deps, target, { answerMs: PAGE_MS, signal }, (session) => findIn(target, session, logins)),
    people: (signal, onRead) =>
      withSession(deps, target, { answerMs: PAGE_MS, signal }, (session) => peopleIn(target, session, onRead)),
    test: (somebody) => test(deps, target, somebody),
  }
}

async function check(target: LdapTarget, session: LdapSession, login: string, password: string): Promise<Checked> {
  const entry = await entryOf(target, session, login)
  if (entry === undefined) return 'unknown'
  // Read before the password is tried: the session is the person's afterwards, who may not see groups.
  const person = await personIn(target, session, entry)
  if (person === undefined) return 'unknown'
  return (await session.isPasswordOf(entry.dn, password)) && !person.isDisabled ? person : 'wrong'
}

/** @returns undefined as well where more than one has the name: nobody can tell which of them is meant */
async function entryOf({ settings }: LdapTarget, session: LdapSession, login: string): Promise<LdapEntry | undefined> {
  const wanted = { filter: loginFilter(settings, login), attributes: wantedAttributes(settings) }
  const [entry, ...others] = await session.search(settings.base, wanted)
  return others.length === 0 ? entry : undefined
}

/** A group that cannot be read leaves memberships as they are: nobody is kept out for it. */
async function personIn({ settings }: LdapTarget, session: LdapSession, entry: LdapEntry): Promise<Person | undefined> {
  const person = personOf(settings, entry, placesOf([]))
  if (person === undefined) return undefined
  const mapped: typeof settings.groups = []
  for (const mapping of settings.groups) {
    const wanted = { scope: 'base', filter: memberFilter(entry.dn, person.login), attributes: ['cn'] } as const
    try {
      if ((await session.search(mapping.dn, wanted)).length > 0) mapped.push(mapping)
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'LDAP_SEARCH_FAILED') return { ...person, groupIds: undefined }
      throw thrown
    }
  }
  return { ...person, ...placesOf(mapped) }
}

async function findIn(target: LdapTarget, session: LdapSession, logins: readonly string[]): Promise<Person[]> {
  const people: Person[] = []
  for (const login of logins) {
    const entry = await entryOf(target, session, login)
    const person = entry && (await personIn(target, session, entry))
    if (person !== undefined) people.push(person)
  }
  return people
}

async function peopleIn(
  target: LdapTarget,
  session: LdapSession,
  onRead: (people: number) => void,
): Promise<readonly Person[]> {
  const { settings } = target
  const people: Person[] = []
  const members = await membersOf(target, session)
  const wanted = { filter: personsFilter(settings), attributes: wantedAttributes(settings) }
  for await (const entries of session.pages(settings.base, wanted)) {
    for (const entry of entries) people.push(memberPerson(target, entry, members))
    onRead(people.length)
  }
  return people
}

type Members = ReadonlyArray<{
  readonly mapping: LdapTarget['settings']['groups'][number]
  readonly names: ReadonlySet<string>
}>

/** @throws AppError LDAP_ANSWER_INVALID for an entry without its unique id or name */
function memberPerson({ settings }: LdapTarget, entry: LdapEntry, members: Members): Person {
  const plain = personOf(settings, entry, placesOf([]))
  if (plain === undefined) throw new AppError('LDAP_ANSWER_INVALID', { step: 'search', field: 'id' })
  const names = [dnKey(entry.dn), plain.login.toLowerCase()]
  const mapped = members.filter((group) => names.some((name) => group.names.has(name)))
  return { ...plain, ...placesOf(mapped.map(({ mapping }) => mapping)) }
}

/** Who is in the groups that stand for something here. AD gives long lists in parts, so there its people are asked instead. */
async function membersOf({ settings }: LdapTarget, session: LdapSession): Promise<Members> {
  const members: Array<Members[number]> = []
  for (const mapping of settings.groups) {
    const names = new Set<string>()
    const filter = `(&${personsFilter(settings)}(memberOf=${escapeFilter(mapping.dn)}))`
    if (settings.serverType === 'AD') {
      for await (const entries of session.pages(settings.base, { filter, attributes: ['cn'] }))
        for (const { dn } of entries) names.add(dnKey(dn))
    } else for (const name of await namesIn(session, mapping.dn)) names.add(name)
    members.push({ mapping, names })
  }
  return members
}

const MEMBER_ATTRIBUTES = ['member', 'uniqueMember', 'memberUid'] as const

async function namesIn(session: LdapSession, dn: string): Promise<string[]> {
  const wanted = { scope: 'base', filter: '(objectClass=*)', attributes: MEMBER_ATTRIBUTES } as const
  const entries = await session.search(dn, wanted).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown
    throw new AppError(thrown.code, { ...thrown.details, field: 'groups', dn }, { cause: thrown })
  })
  return entries.flatMap(({ attributes }) =>
    MEMBER_ATTRIBUTES.flatMap((name) => attributes.get(name.toLowerCase()) ?? []).map((value) =>
      dnKey(value.toString('utf8')),
    ),
  )
}

async function test(
  deps: LdapProviderDeps,
  target: LdapTarget,
  somebody: { readonly login: string; readonly password: string } | undefined,
): Promise<TestResult> {
  const steps: Array<{ readonly step: ProviderTestStep; readonly ms: number }> = []
  let begun = deps.clock.monotonic()
  const onStep = (step: ProviderTestStep): void => {
    const now = deps.clock.monotonic()
    steps.push({ step, ms: Math.round(now - begun) })
    begun = now
  }
  const options = { answerMs: ANSWER_MS, signal: AbortSignal.timeout(CHECK_MS), onStep }
  const person = await withSession(deps, target, options, async (session) => {
    await lookAround(target, session)
    onStep('search')
    return somebody && testSomebody(target, { session, onStep }, somebody)
  })
  return { steps, person }
}

/** Proves that the account path, the filter and the groups can be read, without reading everything. */
async function lookAround({ settings }: LdapTarget, session: LdapSession): Promise<void> {
  const { base, groups } = settings
  await session.search(base, { scope: 'base', filter: '(objectClass=*)', attributes: ['cn'] })
  for await (const entries of session.pages(base, {
    filter: personsFilter(settings),
    attributes: wantedAttributes(settings),
  })) {
    if (entries.some((entry) => personOf(settings, entry, placesOf([])) === undefined))
      throw new AppError('LDAP_ANSWER_INVALID', { step: 'search', field: 'id' })
    if (entries.length === 0) throw new AppError('LDAP_SEARCH_FAILED', { step: 'search', field: 'filter' })
    break
  }
  for (const { dn } of groups) await namesIn(session, dn)
}

async function testSomebody(
  target: LdapTarget,
  { session, onStep }: { readonly session: LdapSession; readonly onStep: (step: ProviderTestStep) => void },
  { login, password }: { readonly login: string; readonly password: string },
): Promise<Person> {
  const entry = await entryOf(target, session, login)
  const person = entry && (await personIn(target, session, entry))
  if (entry === undefined || person === undefined)
    throw new AppError('LDAP_CREDENTIALS_WRONG', { step: 'account', field: 'account' })
  onStep('account')
  if (!(await session.isPasswordOf(entry.dn, password)) || person.isDisabled)
    throw new AppError('LDAP_CREDENTIALS_WRONG', { step: 'password', field: 'password' })
  onStep('password')
  return person
}
