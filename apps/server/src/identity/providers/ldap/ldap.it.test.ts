import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { systemClock } from '@godwit/base'
import type { LdapSettings } from '@godwit/contract'
import { freePort, launchSlapd, type Slapd } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound } from '../../../kernel/outbound/index.ts'
import { providerSuite } from '../../../testing/provider-suite.ts'
import type { Directory } from '../provider.types.ts'
import { ldapProvider } from './ldap.provider.ts'

const NEVER = new AbortController().signal
const outbound = createOutbound(['127.0.0.1', '::1', 'localhost'])
const BASE = 'dc=example,dc=org'
const PEOPLE = `ou=people,${BASE}`

const person = (uid: string, more = '') =>
  `dn: uid=${uid},${PEOPLE}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid} of the Lab
sn: Lab
mail: ${uid}@example.org
telephoneNumber: +8613800138000
departmentNumber: Research
userPassword: secret of ${uid}
${more}`

const LDIF = `dn: ${PEOPLE}
objectClass: organizationalUnit
ou: people

${person('mei')}
${person('li.wei')}
dn: cn=lab,${BASE}
objectClass: groupOfNames
cn: lab
member: uid=Mei, ${PEOPLE}

dn: ou=elsewhere,${BASE}
objectClass: referral
objectClass: extensibleObject
ou: elsewhere
ref: ldap://127.0.0.1:9/ou=elsewhere,dc=other
`

let slapd: Slapd
beforeAll(async () => {
  slapd = await launchSlapd(LDIF)
})
afterAll(() => slapd.stop())

function settings(change: Partial<LdapSettings> = {}): LdapSettings {
  return {
    ...{ serverType: 'OpenLdap', host: 'localhost', port: slapd.port, encryption: 'starttls', ca: slapd.ca },
    ...{ base: BASE, bindUser: slapd.administrator, filter: '', groups: [], permission: 6 },
    ...{ createAtSignIn: true, syncMinutes: 0 },
    attributes: {
      ...{ account: 'uid', name: 'cn', email: 'mail', phone: 'telephoneNumber' },
      ...{ department: 'departmentNumber', id: 'entryUUID' },
    },
    ...change,
  }
}

function open(change: Partial<LdapSettings> = {}, secret = slapd.password): Directory {
  return ldapProvider({ outbound, clock: systemClock }, { settings: settings(change), secret })
}

const silentPort = await freePort()
for (const encryption of ['starttls', 'ldaps', 'none'] as const) {
  providerSuite(`LDAP (${encryption})`, {
    provider: () => open({ encryption, port: encryption === 'ldaps' ? slapd.tlsPort : slapd.port }),
    silent: () => open({ encryption, port: silentPort }),
    login: 'mei',
    password: 'secret of mei',
    person: { name: 'mei of the Lab', email: 'mei@example.org' },
  })
}

describe('a directory', () => {
  it('lists everybody with departments and groups, in pages, and follows no referral', async () => {
    const groups = [{ dn: `cn=lab,${BASE}`, groupId: 7, departmentId: 3 }]
    const read: number[] = []
    const people = await open({ groups }).people(NEVER, (count) => read.push(count))
    expect(people.map(({ login, groupIds, departmentId }) => ({ login, groupIds, departmentId }))).toEqual([
      { login: 'mei', groupIds: [7], departmentId: 3 },
      { login: 'li.wei', groupIds: [], departmentId: undefined },
    ])
    expect(people[0]).toMatchObject({ department: 'Research', phone: '+8613800138000', isDisabled: false })
    expect(read).toEqual([2])
    expect(await open({ groups }).check('mei', 'secret of mei')).toMatchObject({ groupIds: [7] })
    expect(await open().find(['mei', 'gone', '*'], NEVER)).toHaveLength(1)
  })

  it('says which step of the test failed, and at which field', async () => {
    const somebody = { login: 'mei', password: 'secret of mei' }
    const { steps, person: found } = await open().test(somebody)
    expect(steps.map(({ step }) => step)).toEqual(['connect', 'tls', 'bind', 'search', 'account', 'password'])
    expect(found).toMatchObject({ login: 'mei' })
    const faults: ReadonlyArray<readonly [Directory, object]> = [
      [open({ port: silentPort }), { code: 'LDAP_UNREACHABLE', details: { step: 'connect', field: 'host' } }],
      [open({ host: 'absent.invalid' }), { code: 'LDAP_UNREACHABLE', details: { reason: 'unknown-host' } }],
      [open({ ca: '' }), { code: 'LDAP_CERTIFICATE_INVALID', details: { step: 'tls', field: 'ca' } }],
      [open({ host: '127.0.0.1' }), { code: 'LDAP_CERTIFICATE_INVALID', details: { step: 'tls', field: 'host' } }],
      [
        open({ host: '127.0.0.1', encryption: 'ldaps', port: slapd.tlsPort }),
        { code: 'LDAP_CERTIFICATE_INVALID', details: { step: 'tls', field: 'host' } },
      ],
      [open({}, 'wrong'), { code: 'LDAP_BIND_FAILED', details: { step: 'bind', field: 'bindUser' } }],
      [open({ base: `ou=absent,${BASE}` }), { code: 'LDAP_SEARCH_FAILED', details: { step: 'search', field: 'base' } }],
      [open({ filter: '(uid=' }), { code: 'LDAP_SEARCH_FAILED', details: { step: 'search', field: 'filter' } }],
      [open({ filter: '(uid=absent)' }), { code: 'LDAP_SEARCH_FAILED', details: { field: 'filter' } }],
      [open({ attributes: { ...settings().attributes, id: 'pager' } }), { code: 'LDAP_ANSWER_INVALID' }],
      [open({ groups: [{ dn: `cn=absent,${BASE}` }] }), { code: 'LDAP_SEARCH_FAILED', details: { field: 'groups' } }],
    ]
    for (const [provider, fault] of faults) await expect(provider.test(somebody)).rejects.toMatchObject(fault)
    const wrong = { code: 'LDAP_CREDENTIALS_WRONG' }
    await expect(open().test({ login: 'absent', password: 'x' })).rejects.toMatchObject({
      ...wrong,
      details: { step: 'account' },
    })
    await expect(open().test({ login: 'mei', password: '' })).rejects.toMatchObject({
      ...wrong,
      details: { step: 'password' },
    })
  })

  it('reaches nothing inside the house that the operator did not allow', async () => {
    const provider = ldapProvider(
      { outbound: createOutbound([]), clock: systemClock },
      { settings: settings(), secret: '' },
    )
    await expect(provider.check('mei', 'x')).rejects.toMatchObject({
      code: 'LDAP_UNREACHABLE',
      details: { reason: 'not-allowed' },
    })
  })
})

describe('a server that is none, or stops halfway', () => {
  const served = async (behave: (socket: Socket) => void, work: (port: number) => Promise<void>): Promise<void> => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined)
      behave(socket)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    try {
      await work((server.address() as AddressInfo).port)
    } finally {
      server.close()
    }
  }
  const plain = (port: number) => open({ port, encryption: 'none' })
  const stop = new AbortController()

  it('that speaks another language gives nothing', () =>
    served(
      (socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      async (port) => {
        await expect(plain(port).people(NEVER, () => {})).rejects.toMatchObject({ code: /^LDAP_/ })
        await expect(open({ port }).check('mei', 'secret of mei')).rejects.toMatchObject({ code: /^LDAP_/ })
      },
    ))

  it('that says nothing is given up as soon as it is told to', () =>
    served(
      (socket) => socket.once('data', () => stop.abort(new Error('enough'))),
      async (port) => {
        const unreachable = { code: 'LDAP_UNREACHABLE' }
        await expect(plain(port).people(stop.signal, () => {})).rejects.toMatchObject(unreachable)
        await expect(plain(port).people(stop.signal, () => {})).rejects.toMatchObject(unreachable)
      },
    ))

  it('that cuts the list in the middle gives nothing', () =>
    served(
      (socket) => {
        // Passes a real directory on, up to the first entry.
        const upstream = new (socket.constructor as new () => Socket)()
        upstream.connect(slapd.port, '127.0.0.1')
        upstream.on('error', () => undefined)
        socket.pipe(upstream)
        upstream.on('data', (chunk: Buffer) => {
          if (!chunk.includes('inetOrgPerson') && !chunk.includes('uid=mei')) return socket.write(chunk)
          socket.write(chunk.subarray(0, chunk.length / 2))
          return socket.end()
        })
      },
      async (port) => {
        await expect(plain(port).people(NEVER, () => {})).rejects.toMatchObject({ code: /^LDAP_/ })
      },
    ))
})
