import { encodePassword, errorByWire } from '@godwit/contract'
import { launchSlapd, type Slapd } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, PASSWORD, type Site } from '../../security/testing/sites.ts'

const BASE = 'dc=example,dc=org'
const PEOPLE = `ou=people,${BASE}`
const API = '/api/admin/authentication'

const person = (uid: string, department = 'Research') =>
  `dn: uid=${uid},${PEOPLE}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid} of the Lab
sn: Lab
mail: ${uid}@example.org
departmentNumber: ${department}
userPassword: secret of ${uid}

`

const LDIF = `dn: ${PEOPLE}
objectClass: organizationalUnit
ou: people

${['mei', 'li.wei', 'admin', 'kept', 'gone', 'off'].map((uid) => person(uid)).join('')}
dn: cn=lab,${BASE}
objectClass: groupOfNames
cn: lab
member: uid=mei,${PEOPLE}
`

interface Sync {
  readonly id: string
  readonly state: string
  readonly error: string
  readonly counts: Readonly<Record<string, number>>
}

const named = (code: number | undefined, data: unknown) => ({
  name: errorByWire(code ?? 0),
  data: (data ?? {}) as Readonly<Record<string, unknown>>,
})

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]

for (const { name, url } of DATABASES) {
  describe(`accounts of a directory on ${name}`, () => {
    let site: Site
    let slapd: Slapd
    let token = ''
    let providerId = 0
    let groupId = 0

    beforeAll(async () => {
      slapd = await launchSlapd(LDIF)
      const databaseUrl = await url()
      const env = { GODWIT_OUTBOUND_ALLOW: '127.0.0.1,::1' }
      site = await openSite({ env, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
      token = (await site.signIn('admin')).token
    })
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      await slapd.stop()
    })

    async function send(method: string, below: string, json?: object, as = token) {
      const { code, data: answered } = await site.ask({
        method,
        path: API + below,
        token: as,
        ...(json === undefined ? {} : { json }),
      })
      return named(code, answered)
    }
    const source = (change: object = {}) => ({
      kind: 'ldap',
      settings: {
        ...{ serverType: 'OpenLdap', host: 'localhost', port: slapd.port, encryption: 'starttls', ca: slapd.ca },
        ...{ base: BASE, bindUser: slapd.administrator, permission: 6, groups: [{ dn: `cn=lab,${BASE}`, groupId }] },
        attributes: {
          ...{ account: 'uid', name: 'cn', email: 'mail', phone: 'telephoneNumber' },
          ...{ department: 'departmentNumber', id: 'entryUUID' },
        },
        ...change,
      },
    })
    const signIn = async (account: string, password = `secret of ${account}`) => {
      const json = { account, password: encodePassword(password) }
      const { code, data: answered } = await site.ask({ method: 'POST', path: '/api/user/login', json })
      return named(code, answered)
    }
    const userNamed = async (account: string) => {
      const { code, data } = await site.ask({ path: `/api/admin/users?text=${account}`, token })
      return (named(code, data).data['rows'] as ReadonlyArray<Record<string, unknown>>).find(
        (row) => row['account'] === account,
      )
    }
    async function synchronize(wanted: object): Promise<Sync> {
      const { data } = await send('POST', `/providers/${providerId}/sync`, wanted)
      const { id } = data['sync'] as Sync
      await expect
        .poll(async () => ((await send('GET', `/syncs/${id}`)).data['sync'] as Sync).state, { timeout: 60_000 })
        .toMatch(/done|failed/)
      return (await send('GET', `/syncs/${id}`)).data['sync'] as Sync
    }
    async function edit(change: object): Promise<void> {
      const { data } = await send('GET', '/providers')
      const [{ revision } = { revision: 0 }] = data['providers'] as ReadonlyArray<{ revision: number }>
      const body = { revision, source: source(change), secret: slapd.password }
      expect((await send('PATCH', `/providers/${providerId}`, body)).name).toBeUndefined()
    }
    const changesOf = async ({ id }: Sync) =>
      (await send('GET', `/syncs/${id}/changes?size=50`)).data['rows'] as ReadonlyArray<Record<string, string>>

    it('is tested before it is saved, and keeps its secret to itself', async () => {
      const added = await site.ask({ method: 'POST', path: '/api/admin/groups', token, json: { name: 'Lab' } })
      groupId = (named(added.code, added.data).data['group'] as { id: number }).id
      const tried = { source: source(), secret: slapd.password, account: 'mei', password: 'secret of mei' }
      expect((await send('POST', '/try', tried)).data).toMatchObject({
        person: { account: 'mei', name: 'mei of the Lab', email: 'mei@example.org', department: 'Research', groups: 1 },
      })
      const faults: ReadonlyArray<readonly [object, string, object]> = [
        [{ ...tried, source: source({ base: '' }) }, 'VALUE_REQUIRED', { field: 'base' }],
        [{ ...tried, secret: undefined }, 'VALUE_REQUIRED', { field: 'secret' }],
        [{ ...tried, source: source({ ca: 'none' }) }, 'PARAMETER_INVALID', { field: 'ca' }],
        [
          { ...tried, source: source({ host: '127.0.0.1' }) },
          'LDAP_CERTIFICATE_INVALID',
          { step: 'tls', field: 'host' },
        ],
        [{ ...tried, source: source({ port: 9 }) }, 'LDAP_UNREACHABLE', { step: 'connect', field: 'host' }],
        [{ ...tried, secret: 'wrong' }, 'LDAP_BIND_FAILED', { step: 'bind', field: 'bindUser' }],
        [{ ...tried, password: '' }, 'LDAP_CREDENTIALS_WRONG', { step: 'password', field: 'password' }],
        [{ ...tried, source: source({ base: `ou=absent,${BASE}` }) }, 'LDAP_SEARCH_FAILED', { field: 'base' }],
        [
          { ...tried, source: source({ groups: [{ dn: 'cn=x', groupId: 999 }] }) },
          'GROUP_NOT_FOUND',
          { field: 'groups' },
        ],
        [
          { ...tried, source: source({ groups: [{ dn: 'cn=x', departmentId: 999 }] }) },
          'DEPARTMENT_NOT_FOUND',
          { field: 'groups' },
        ],
      ]
      for (const [body, error, data] of faults)
        expect(await send('POST', '/try', body)).toMatchObject({ name: error, data })

      const saved = await send('POST', '/providers', { name: 'Company', source: source(), secret: slapd.password })
      expect(saved.data).toMatchObject({ provider: { name: 'Company', enabled: true, hasSecret: true, accounts: 0 } })
      expect(JSON.stringify(saved.data)).not.toContain(slapd.password)
      providerId = (saved.data['provider'] as { id: number }).id
      const twice = await send('POST', '/providers', { name: 'COMPANY', source: source(), secret: 'x' })
      expect(twice.name).toBe('AUTH_PROVIDER_NAME_DUPLICATE')
      // The known secret goes to no other server.
      const led = { providerId, source: source({ host: '127.0.0.1' }) }
      expect(await send('POST', '/try', led)).toMatchObject({ name: 'VALUE_REQUIRED', data: { field: 'secret' } })
    })

    it('makes an account at the first sign-in, in its department and group, and never from nothing', async () => {
      for (const password of ['', ' ', 'wrong', '\0']) expect((await signIn('mei', password)).name).not.toBeUndefined()
      for (const account of ['*', 'm*', 'mei)(uid=*', 'nobody'])
        expect((await signIn(account)).name).toBe('PASSWORD_WRONG')
      expect(await userNamed('mei')).toBeUndefined()
      const { data } = await signIn('mei')
      expect(data).toMatchObject({ account: 'mei' })
      expect(await userNamed('mei')).toMatchObject({
        ...{ name: 'mei of the Lab', email: 'mei@example.org', type: 4, source: { id: providerId, name: 'Company' } },
        ...{ department: { name: 'Research' }, groups: [{ name: 'Lab' }] },
      })
      expect((await signIn('li.wei')).data).toMatchObject({ account: 'li_wei' })
      for (const account of ['li_wei', 'LI.WEI', 'li.wei@example.org'])
        expect((await signIn(account, 'secret of li.wei')).data).toMatchObject({ account: 'li_wei' })
    })

    it('leaves the account of the super administrator to this server', async () => {
      expect((await signIn('admin', 'secret of admin')).name).toBe('PASSWORD_WRONG')
      expect((await site.signIn('admin')).token).not.toBe('')
    })

    it('keeps password, name and recovery where they are', async () => {
      const { data } = await signIn('mei')
      const mei = data['token'] as string
      const user = await userNamed('mei')
      const change = async (method: string, below: string, json: object, as = mei) =>
        errorByWire((await site.ask({ method, path: below, token: as, json })).code ?? 0)
      const passwords = { oldPassword: encodePassword('secret of mei'), newPassword: encodePassword('Moonlight-7') }
      expect(await change('PUT', '/api/user/password/update', passwords)).toBe('PASSWORD_CHANGE_NOT_ALLOWED')
      const info = { email: 'x@example.org', password: passwords.oldPassword }
      expect(await change('POST', '/api/user/info/update', info)).toBe('ACCOUNT_MANAGED_ELSEWHERE')
      const edit = `/api/admin/users/${String(user?.['id'])}`
      const edits = [
        { name: 'X' },
        { email: 'x@example.org' },
        { password: passwords.newPassword },
        { mustReset: true },
      ]
      for (const field of edits)
        expect(await change('PATCH', edit, { revision: user?.['revision'], ...field }, token)).toBe(
          'ACCOUNT_MANAGED_ELSEWHERE',
        )
      const heir = { userId: user?.['id'], password: encodePassword(site.godwit.administrator.password) }
      expect(await change('POST', '/api/admin/administrators/transfer-super', heir, token)).toBe(
        'ACCOUNT_MANAGED_ELSEWHERE',
      )
      expect(await site.cli('user must-reset --account mei')).not.toBe(0)
    })

    it('shows what a synchronization would do, and then does that', async () => {
      const dry = await synchronize({})
      expect(dry).toMatchObject({ state: 'done', counts: { add: 3, change: 0, lock: 0, unlock: 0, skip: 1 } })
      expect(await changesOf(dry)).toEqual([
        { change: 'skip', account: 'admin', detail: 'account-taken' },
        { change: 'add', account: 'kept', detail: '' },
        { change: 'add', account: 'gone', detail: '' },
        { change: 'add', account: 'off', detail: '' },
      ])
      expect(await userNamed('kept')).toBeUndefined()
      const done = await synchronize({ dryRun: false })
      expect(done).toMatchObject({ state: 'done', counts: dry.counts, written: 3 })
      expect(await userNamed('kept')).toMatchObject({ type: 4, department: { name: 'Research' } })
      expect((await synchronize({ dryRun: false })).counts).toMatchObject({ add: 0, change: 0, lock: 0, unlock: 0 })
    })

    it('locks who is gone, ends their sessions, and unlocks who comes back', async () => {
      const { data } = await signIn('gone')
      await slapd.apply(`dn: uid=gone,${PEOPLE}\nchangetype: delete\n\ndn: uid=kept,${PEOPLE}
changetype: modify
replace: departmentNumber
departmentNumber: Sales
-
replace: cn
cn: Kept On

dn: cn=lab,${BASE}
changetype: modify
replace: member
member: uid=kept,${PEOPLE}
`)
      const done = await synchronize({ dryRun: false })
      expect(done.counts).toMatchObject({ add: 0, change: 2, lock: 1, unlock: 0 })
      expect(await changesOf(done)).toEqual(
        expect.arrayContaining([
          { change: 'change', account: 'kept', detail: 'name department groups' },
          { change: 'change', account: 'mei', detail: 'groups' },
          { change: 'lock', account: 'gone', detail: '' },
        ]),
      )
      expect(await userNamed('kept')).toMatchObject({
        name: 'Kept On',
        department: { name: 'Sales' },
        groups: [{ id: groupId }],
      })
      expect(await userNamed('mei')).toMatchObject({ groups: [] })
      expect(await userNamed('gone')).toMatchObject({ locked: true })
      await expect
        .poll(async () => (await site.ask({ path: '/api/user/info', token: data['token'] as string })).code)
        .toBe(1009)
      expect((await signIn('gone')).name).toBe('PASSWORD_WRONG')
      await edit({ filter: '(&(objectClass=person)(!(uid=off)))' })
      expect((await synchronize({ dryRun: false })).counts).toMatchObject({ lock: 1, unlock: 0 })
      expect((await signIn('off')).name).toBe('PASSWORD_WRONG')
      await edit({})
      expect((await synchronize({ dryRun: false })).counts).toMatchObject({ lock: 0, unlock: 1 })
      expect((await signIn('off')).data).toMatchObject({ account: 'off' })
    })

    it('leaves the lock of an administrator, whatever it locked before', async () => {
      const id = (await userNamed('off'))?.['id']
      const lockedBySync = async () => {
        await edit({ filter: '(&(objectClass=person)(!(uid=off)))' })
        expect((await synchronize({ dryRun: false })).counts).toMatchObject({ lock: 1 })
        await edit({})
      }
      const byHand = async (what: 'lock' | 'unlock') => {
        const json = { ids: [id] }
        expect((await site.ask({ method: 'POST', path: `/api/admin/users/${what}`, token, json })).code).toBe(200)
      }
      const isLocked = async () => (await userNamed('off'))?.['locked']

      await lockedBySync()
      await byHand('unlock')
      await byHand('lock')
      // Not even the right password of the directory opens it.
      expect((await signIn('off')).name).toBe('ACCOUNT_LOCKED')
      expect((await synchronize({ dryRun: false })).counts).toMatchObject({ unlock: 0 })
      expect(await isLocked()).toBe(true)
      await byHand('unlock')

      await lockedBySync()
      await byHand('lock')
      expect((await synchronize({ dryRun: false })).counts).toMatchObject({ unlock: 0 })
      expect(await isLocked()).toBe(true)
      await byHand('unlock')

      await lockedBySync()
      expect(await site.cli('user lock --account off')).toBe(0)
      expect((await signIn('off')).name).toBe('ACCOUNT_LOCKED')
      expect(await site.cli('user unlock --account off')).toBe(0)
      expect((await signIn('off')).data).toMatchObject({ account: 'off' })
      await slapd.apply(person('off2'))
    })

    it('changes nothing when the directory is silent, empty, or lost too many', async () => {
      const hash = () =>
        site.withDatabase(({ db }) => db.selectFrom('users').select(['account', 'locked', 'name', 'email']).execute())
      const before = await hash()
      await edit({ filter: '(uid=absent)' })
      expect(await synchronize({ dryRun: false })).toMatchObject({ state: 'failed', error: 'LDAP_ANSWER_INVALID' })
      await edit({ attributes: { ...source().settings.attributes, id: 'pager' } })
      expect(await synchronize({ dryRun: false })).toMatchObject({ state: 'failed', error: 'LDAP_ANSWER_INVALID' })
      await edit({ filter: '(uid=mei)' })
      expect(await synchronize({ dryRun: false, locksMax: 2 })).toMatchObject({
        state: 'failed',
        error: 'SYNC_LOCKS_TOO_MANY',
      })
      const dry = await synchronize({ dryRun: true })
      expect(dry).toMatchObject({ state: 'done', counts: { lock: 3 } })
      await edit({})
      await slapd.down()
      expect(await synchronize({ dryRun: false })).toMatchObject({ state: 'failed', error: 'LDAP_UNREACHABLE' })
      expect(await signIn('mei')).toMatchObject({ name: 'LDAP_UNREACHABLE' })
      // The local way in needs no directory.
      expect((await site.signIn('admin')).token).not.toBe('')
      await slapd.up()
      expect(await hash()).toEqual(before)
      expect((await signIn('mei')).data).toMatchObject({ account: 'mei' })
    })

    it('is synchronized by the operator too, and once at a time', async () => {
      expect(await site.cli(`auth sync ${providerId}`)).toBe(0)
      expect(site.printed()).toContain('off2')
      expect(await site.cli('auth list')).toBe(0)
      expect(site.printed()).toContain('Company')
      const file = path.join(site.data, 'mei.txt')
      fs.writeFileSync(file, 'secret of mei')
      expect(
        await site.cli(`auth test ${providerId} --account mei --password-file ${file} --outbound-allow 127.0.0.1,::1`),
      ).toBe(0)
      expect(site.printed()).toContain('mei@example.org')
      const both = await Promise.all([1, 2].map(() => send('POST', `/providers/${providerId}/sync`, { dryRun: true })))
      expect(both.filter(({ name: error }) => error === 'SYNC_RUNNING')).toHaveLength(1)
      await expect
        .poll(
          async () => {
            const { data } = await send('GET', '/syncs?size=10')
            return (data['rows'] as readonly Sync[]).filter(({ state }) => state === 'queued' || state === 'running')
          },
          { timeout: 60_000 },
        )
        .toEqual([])
    })

    it('is the super administrator’s alone, keeps its order, and leaves its accounts behind', async () => {
      await site.addUser('deputy')
      await administer(site, 'deputy', ['users.view', 'users.edit', 'settings.edit', 'security.edit'])
      const deputy = (await site.signIn('deputy', PASSWORD)).token
      expect((await send('GET', '/providers', undefined, deputy)).name).toBe('PERMISSION_DENIED')
      const second = await send('POST', '/providers', {
        name: 'Second',
        source: source({ syncMinutes: 60 }),
        secret: 'x',
      })
      const secondId = (second.data['provider'] as { id: number }).id
      const ordered = await send('POST', '/providers/order', { providerIds: [secondId, providerId] })
      expect((ordered.data['providers'] as ReadonlyArray<{ id: number }>).map(({ id }) => id)).toEqual([
        secondId,
        providerId,
      ])
      expect((await send('POST', '/providers/order', { providerIds: [secondId] })).name).toBe('AUTH_PROVIDER_NOT_FOUND')
      // The first one cannot be read, the second one knows the person.
      expect((await signIn('off2')).data).toMatchObject({ account: 'off2' })
      expect((await send('PATCH', `/providers/${secondId}`, { revision: 9, name: 'x' })).name).toBe('EDIT_CONFLICT')
      for (const id of [providerId, secondId])
        expect((await send('POST', '/providers/remove', { providerId: id })).name).toBeUndefined()
      expect((await signIn('mei')).name).toBe('PASSWORD_WRONG')
      expect(await userNamed('mei')).toMatchObject({ source: null, type: 4 })
      const again = await send('POST', '/providers', { name: 'Again', source: source(), secret: slapd.password })
      providerId = (again.data['provider'] as { id: number }).id
      expect((await signIn('mei')).data).toMatchObject({ account: 'mei' })
      const { error } = await synchronize({ dryRun: false })
      expect(error).toBe('')
      expect((await send('GET', '/syncs/0123')).name).toBe('JOB_NOT_FOUND')
    })
  })
}
