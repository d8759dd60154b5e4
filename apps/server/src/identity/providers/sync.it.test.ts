import { secureRandom } from '@godwit/base'
import type { LdapSettings } from '@godwit/contract'
import { launchSlapd, type Slapd } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openVault } from '../../kernel/crypto/index.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { createQueue } from '../../kernel/queue/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { addProvider } from './providers.admin.ts'
import { requestDue, requestSync, runSync, type SyncDeps } from './sync.service.ts'
import { syncsStore } from './syncs.store.ts'

const BASE = 'dc=example,dc=org'
const PEOPLE = `ou=people,${BASE}`
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
const NEVER = new AbortController().signal
const MINUTE_MS = 60_000
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS

const person = (uid: string) => `dn: uid=${uid},${PEOPLE}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid}
sn: Lab
userPassword: secret of ${uid}

`

for (const { dialect, open } of DATABASES) {
  describe(`a synchronization on ${dialect}`, () => {
    let slapd: Slapd
    let world: World
    let deps: SyncDeps
    let userLimit: number | null = null
    let providerId = 0

    beforeAll(async () => {
      slapd = await launchSlapd(`dn: ${PEOPLE}\nobjectClass: organizationalUnit\nou: people\n\n`)
    })
    afterAll(() => slapd.stop())
    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids, database, locks, folder } = world
      userLimit = null
      deps = {
        ...{ db: database.db, clock, random: secureRandom, ids, bus, locks, log: SILENT, userLimit: () => userLimit },
        vault: openVault(folder, secureRandom),
        outbound: createOutbound(['127.0.0.1', '::1', 'localhost']),
        queue: createQueue({ database, ids, bus, clock, random: secureRandom, log: SILENT }),
      }
      const settings: LdapSettings = {
        ...{ serverType: 'OpenLdap', host: 'localhost', port: slapd.port, encryption: 'starttls', ca: slapd.ca },
        ...{ base: BASE, bindUser: slapd.administrator, filter: '', groups: [], permission: 6 },
        ...{ createAtSignIn: true, syncMinutes: 60 },
        attributes: { account: 'uid', name: 'cn', email: '', phone: '', department: '', id: 'entryUUID' },
      }
      const wanted = { name: 'Company', enabled: true, secret: slapd.password }
      const source = { kind: 'ldap', settings } as const
      providerId = (await addProvider(deps, { ...wanted, source }, () => Promise.resolve())).id
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    async function synchronize() {
      const by = { id: '', account: '' }
      const { id } = await requestSync(deps, { providerId, dryRun: false, locksMax: undefined, by })
      await runSync(deps, id, NEVER)
      return syncsStore.byId(deps.db, id)
    }
    const lockedOf = async () => {
      const rows = await deps.db.selectFrom('users').select(['account', 'locked']).orderBy('account').execute()
      return Object.fromEntries(rows.map(({ account, locked }) => [account, locked]))
    }

    it('locks who is gone even where the edition has no room for those who came', async () => {
      await slapd.apply(person('gone') + person('kept'))
      expect(await synchronize()).toMatchObject({ state: 'done', written: 2 })
      await slapd.apply(`dn: uid=gone,${PEOPLE}\nchangetype: delete\n\n${person('newcomer')}`)
      userLimit = 2
      expect(await synchronize()).toMatchObject({ state: 'failed', error: 'EDITION_USER_LIMIT', written: 1 })
      expect(await lockedOf()).toEqual({ gone: 1, kept: 0 })
    })

    it('is due again when its time has come, also after a clock that was ahead', async () => {
      const begun = async () => {
        await requestDue(deps)
        const rows = await deps.db.selectFrom('directory_syncs').selectAll().where('state', '=', 'queued').execute()
        for (const { id } of rows) await syncsStore.change(deps.db, id, { state: 'done', ended_at: world.clock.now() })
        return rows.length
      }
      const right = world.clock.now()
      expect(await begun()).toBe(1)
      world.clock.advance(59 * MINUTE_MS)
      expect(await begun()).toBe(0)
      world.clock.set(right + YEAR_MS)
      expect(await begun()).toBe(1)
      world.clock.set(right + 60 * MINUTE_MS)
      expect(await begun()).toBe(1)
      world.clock.advance(59 * MINUTE_MS)
      expect(await begun()).toBe(0)
      world.clock.advance(MINUTE_MS)
      expect(await begun()).toBe(1)
    })
  })
}
