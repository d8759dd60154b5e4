import { launchSlapd, type Slapd } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, residentMiB, type Site } from '../../security/testing/sites.ts'

const PEOPLE = 50_000
const BASE = 'dc=example,dc=org'
const API = '/api/admin/authentication'
/** Ten between the two runs. */
const CHANGES = { changed: 6, added: 2, gone: 2 } as const
/** What a synchronization may take besides the server at rest. */
const GROWTH_MIB = 400

const person = (at: number, department = `Team ${at % 200}`) =>
  `dn: uid=person_${at},ou=people,${BASE}
objectClass: inetOrgPerson
uid: person_${at}
cn: Person ${at}
sn: Lab
mail: person_${at}@example.org
departmentNumber: ${department}

`

interface Sync {
  readonly id: string
  readonly state: string
  readonly error: string
  readonly counts: Readonly<Record<string, number>>
}

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]

for (const { name, url } of DATABASES) {
  describe(`50,000 people of a directory on ${name}`, () => {
    let slapd: Slapd
    let site: Site
    let token = ''
    let providerId = 0

    beforeAll(async () => {
      const people = Array.from({ length: PEOPLE }, (_, at) => person(at)).join('')
      slapd = await launchSlapd(`dn: ou=people,${BASE}\nobjectClass: organizationalUnit\nou: people\n\n${people}`)
      const databaseUrl = await url()
      const env = { GODWIT_OUTBOUND_ALLOW: '127.0.0.1,::1' }
      site = await openSite({ env, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
      token = (await site.signIn('admin')).token
      const attributes = {
        ...{ account: 'uid', name: 'cn', email: 'mail', phone: 'telephoneNumber' },
        ...{ department: 'departmentNumber', id: 'entryUUID' },
      }
      const settings = {
        ...{ serverType: 'OpenLdap', host: 'localhost', port: slapd.port, encryption: 'starttls', ca: slapd.ca },
        ...{ base: BASE, bindUser: slapd.administrator, permission: 6, groups: [], attributes },
      }
      const json = { name: 'Company', source: { kind: 'ldap', settings }, secret: slapd.password }
      const { data } = await site.ask({ method: 'POST', path: `${API}/providers`, token, json })
      providerId = (data['provider'] as unknown as { readonly id: number }).id
    }, 600_000)
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      await slapd.stop()
    })

    async function synchronize(): Promise<Sync & { readonly seconds: number; readonly growthMiB: number }> {
      const rest = residentMiB(site.godwit.pid)
      const begun = performance.now()
      const json = { dryRun: false, locksMax: 10 }
      const { data } = await site.ask({ method: 'POST', path: `${API}/providers/${providerId}/sync`, token, json })
      let sync = data['sync'] as unknown as Sync
      let peak = rest
      const isOver = async () => {
        peak = Math.max(peak, residentMiB(site.godwit.pid))
        const seen = await site.ask({ path: `${API}/syncs/${sync.id}`, token })
        sync = seen.data['sync'] as unknown as Sync
        return sync.state
      }
      await expect.poll(isOver, { timeout: 1_800_000, interval: 100 }).toMatch(/^(?:done|completed|failed)$/)
      return { ...sync, seconds: (performance.now() - begun) / 1000, growthMiB: peak - rest }
    }

    it('become accounts, and ten changes are all that a second run makes', async ({ annotate }) => {
      const first = await synchronize()
      expect(first).toMatchObject({ error: '', counts: { add: PEOPLE, change: 0, lock: 0 } })
      expect(first.growthMiB).toBeLessThan(GROWTH_MIB)
      await annotate(
        `the first run: ${first.seconds.toFixed(1)} s, ${first.growthMiB.toFixed(0)} MiB more than at rest`,
      )

      const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)
      const changed = numbers(0, CHANGES.changed).map(
        (at) => `dn: uid=person_${at},ou=people,${BASE}\nchangetype: modify\nreplace: cn\ncn: Renamed ${at}\n\n`,
      )
      const gone = numbers(1_000, CHANGES.gone).map(
        (at) => `dn: uid=person_${at},ou=people,${BASE}\nchangetype: delete\n\n`,
      )
      const added = numbers(PEOPLE, CHANGES.added).map((at) => person(at))
      for (const ldif of [...changed, ...gone, ...added]) await slapd.apply(ldif)
      const second = await synchronize()
      expect(second).toMatchObject({
        ...{ error: '', counts: { add: CHANGES.added, change: CHANGES.changed, lock: CHANGES.gone } },
      })
      await annotate(`the second: ${second.seconds.toFixed(1)} s, ${second.growthMiB.toFixed(0)} MiB more`)
    })
  })
}
