import { ERRORS, type DatabaseView } from '@godwit/contract'
import { freePort, launchGodwit } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { createServer, type AddressInfo } from 'node:net'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, PASSWORD, type Site } from '../../security/testing/sites.ts'
import { ask, signIn } from '../../security/testing/wire.ts'

const env = { GODWIT_OUTBOUND_ALLOW: '127.0.0.1' }
const STARTED = { timeout: 60_000, interval: 100 }

interface Target {
  readonly address: string
  readonly port: number
  readonly name: string
  readonly account: string
  readonly password: string
}

async function newTarget(): Promise<{ readonly url: string; readonly target: Target }> {
  const url = await mariadbUrl()
  const { hostname, port, pathname, username, password } = new URL(url)
  return {
    url,
    target: { address: hostname, port: Number(port), name: pathname.slice(1), account: username, password },
  }
}

async function atServer<T>(url: string, statements: readonly string[]): Promise<T> {
  const connection = await createConnection(url)
  try {
    let last: unknown
    for (const statement of statements) [last] = await connection.query(statement)
    return last as T
  } finally {
    await connection.end()
  }
}

describe('an external database', () => {
  let site: Site
  let admin = ''
  beforeAll(async () => {
    site = await openSite({ env })
    admin = (await site.signIn('admin')).token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const post = (what: string, json: object, token = admin) =>
    site.ask({ method: 'POST', path: `/api/admin/database/${what}`, token, json })
  const refusal = async (target: Target) => {
    const { code, data } = await post('try', target)
    return [code, data['field']]
  }

  it('is tested: each fault has its code and its field, and nothing is left behind', async () => {
    const { url, target } = await newTarget()
    expect((await post('try', target)).data).toMatchObject({ engine: 'MariaDB' })
    expect(await atServer<unknown[]>(url, ['show tables'])).toEqual([])
    expect(await refusal({ ...target, port: await freePort() })).toEqual([ERRORS.DATABASE_UNREACHABLE.wire, 'port'])
    expect(await refusal({ ...target, address: 'no-such-host.invalid' })).toEqual([
      ERRORS.DATABASE_UNREACHABLE.wire,
      'address',
    ])
    // Inside the house, and not allowed.
    expect(await refusal({ ...target, address: '127.0.0.2' })).toEqual([ERRORS.DATABASE_UNREACHABLE.wire, 'address'])
    expect(await refusal({ ...target, name: 'none' })).toEqual([ERRORS.DATABASE_MISSING.wire, 'name'])
    await atServer(url, [
      `create user if not exists guarded identified by 'right-1'`,
      `create user if not exists reader identified by 'right-1'`,
      `grant all on ${target.name}.* to guarded`,
      `grant select on ${target.name}.* to reader`,
    ])
    expect(await refusal({ ...target, account: 'guarded', password: 'wrong' })).toEqual([
      ERRORS.DATABASE_PASSWORD_WRONG.wire,
      'password',
    ])
    expect(await refusal({ ...target, account: 'reader', password: 'right-1' })).toEqual([
      ERRORS.DATABASE_RIGHTS_MISSING.wire,
      'account',
    ])
    expect((await post('try', { ...target, account: 'guarded', password: 'right-1' })).code).toBe(200)
    await atServer(url, ['create table theirs (id int primary key)'])
    expect(await refusal(target)).toEqual([ERRORS.DATABASE_NOT_EMPTY.wire, 'name'])
  })

  it('is refused within seconds when what answers is no MySQL, or is silent', async () => {
    const { target } = await newTarget()
    const answering = async (greeting: Buffer): Promise<unknown[]> => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined)
        socket.write(greeting)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      try {
        return await refusal({ ...target, port: (server.address() as AddressInfo).port })
      } finally {
        server.close()
      }
    }
    for (const greeting of ['SSH-2.0-OpenSSH_9.2\r\n', ''])
      expect(await answering(Buffer.from(greeting))).toEqual([ERRORS.DATABASE_UNREACHABLE.wire, 'address'])
  })

  it('is copied to and switched to by the super administrator alone, who alone may see where it is', async () => {
    const { target } = await newTarget()
    await site.addUser('deputy')
    await administer(site, 'deputy', ['database.edit'])
    await site.addUser('other')
    await administer(site, 'other', ['settings.view'])
    const [deputy, other] = [(await site.signIn('deputy')).token, (await site.signIn('other')).token]
    expect((await site.ask({ path: '/api/admin/database', token: other })).code).toBe(1008)
    expect((await site.ask({ path: '/api/admin/database', token: deputy })).data).toMatchObject({ engine: 'SQLite' })
    for (const what of ['try', 'copy']) expect((await post(what, target, deputy)).code).toBe(1008)
    expect((await post('switch', { confirm: 'switch' }, deputy)).code).toBe(1008)
  })
})

describe('a move to an external database', () => {
  it('needs a pause and an equal copy, survives a kill in its middle, and takes everything along', async () => {
    const { url, target } = await newTarget()
    const port = await freePort()
    await using site = await openSite({ env, port })
    const admin = (await site.signIn('admin')).token
    const post = (path: string, json: object = {}) =>
      site.ask({ method: 'POST', path: `/api/admin/${path}`, token: admin, json })
    const view = async () =>
      (await site.ask({ path: '/api/admin/database', token: admin })).data as unknown as DatabaseView
    const copied = async () => {
      expect((await post('database/copy', target)).code).toBe(200)
      await expect.poll(async () => (await view()).copy?.state, STARTED).toBe('equal')
    }
    const doSwitch = () => post('database/switch', { confirm: 'switch' })
    expect((await view()).copy).toBeNull()
    expect((await doSwitch()).code).toBe(ERRORS.DATABASE_COPY_UNEQUAL.wire)

    await copied()
    // People may have written meanwhile.
    expect((await view()).obstacle).toBe('not-paused')
    expect((await doSwitch()).code).toBe(ERRORS.DATABASE_NOT_PAUSED.wire)
    await post('server/pause')
    expect((await doSwitch()).code).toBe(ERRORS.DATABASE_NOT_PAUSED.wire)

    // Killed while it copies: the next start goes on.
    await post('database/copy', target)
    await site.godwit.end('SIGKILL')
    const again = await launchGodwit({ data: site.data, env, port })
    try {
      await site.withDatabase(({ db }) => db.updateTable('jobs').set({ lease_until: 0 }).execute())
      await expect.poll(async () => (await view()).copy?.state, STARTED).toBe('equal')
      const { copy, obstacle } = await view()
      expect(obstacle).toBe('')
      expect(copy?.target).toEqual({
        address: target.address,
        port: target.port,
        name: target.name,
        account: target.account,
      })
      expect(
        copy?.tables.every(({ equal, total, copied: rows, sha256 }) => equal && total === rows && sha256 !== ''),
      ).toBe(true)

      // What is written after the copy comes along: the last words before the switch are not lost.
      expect(await site.cli('settings set productNameEN Moved')).toBe(0)
      expect((await doSwitch()).code).toBe(200)
      await expect
        .poll(
          async () =>
            view().then(
              ({ engine }) => engine,
              () => '',
            ),
          STARTED,
        )
        .toBe('MariaDB')
      expect(again.output().split('Godwit listens on').length - 1).toBe(2)
      const { data } = await ask(site.url, { path: '/api/website/info' })
      expect(data).toMatchObject({ productNameEN: 'Moved', isPaused: true })
      expect(await view()).toMatchObject({ engine: 'MariaDB', switchFault: '', isConfigured: false })
      await post('server/resume')
      await site.addUser('later')
      expect((await signIn(site.url, 'later', PASSWORD)).token).not.toBe('')
      const rows = await atServer<Array<{ account: string }>>(url, ['select account from users order by account'])
      expect(rows.map(({ account }) => account)).toContain('later')
      expect((await post('database/copy', target)).code).toBe(ERRORS.DATABASE_CONFIGURED.wire)
    } finally {
      await again.stop()
    }
  })
})
