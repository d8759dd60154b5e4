import { MiB } from '@godwit/base'
import { encodePassword, type AdminDevice, type TransferTicket } from '@godwit/contract'
import { MemorySource } from '@godwit/transfer/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../security/testing/wire.ts'
import { sendWith, SITE_PASSWORD, TransferSite } from './testing/transfer-site.ts'

const SLOW = 2e6

describe('client devices in the console', () => {
  let site: TransferSite
  let admin = ''
  beforeAll(async () => {
    site = await TransferSite.open({})
    admin = site.token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  /** Signs a device in by its code, as a person does. @returns its token */
  async function signInDevice(name: string, person: string): Promise<string> {
    const { deviceCode, userCode } = (await site.post('device-login', { name })).data
    const decision = { userCode, isAllowed: true, password: encodePassword(SITE_PASSWORD) }
    expect((await site.post('user/device-login/decide', decision, person)).code).toBe(200)
    return String((await site.post('device-login/token', { deviceCode })).data['token'])
  }

  async function devices(token: string): Promise<ReadonlyMap<string, AdminDevice['running']>> {
    const { data } = await ask(site.url, { path: '/api/admin/clients', token })
    const { rows } = data as unknown as { readonly rows: readonly AdminDevice[] }
    return new Map(rows.map(({ name, running }) => [name, running]))
  }

  it('say what each transfers now, with names for those alone who may see transfers', async () => {
    const person = await site.signInNew('mei')
    const laptop = await signInDevice('Laptop', person)
    await signInDevice('Desk', person)
    const nothing = { count: 0, bytesPerSecond: 0, transfers: [] }
    expect(await devices(admin)).toEqual(
      new Map([
        ['Desk', nothing],
        ['Laptop', nothing],
      ]),
    )

    site.token = person
    const begin = async (name: string, number: number) => {
      const { data } = await site.post('transfers/upload', { folder: '/', name, device: 'Laptop' }, laptop)
      const ticket = data as unknown as TransferTicket
      const content = new Map([[name, { bytes: Buffer.alloc(8 * MiB, name), mtimeMs: 0 }]])
      const task = await sendWith(ticket, new MemorySource(content), { rate: SLOW, task: number })
      task.result.catch(() => undefined)
      const { transferId } = ticket.transfer
      await site.until(transferId, ({ state, bytesPerSecond }) => state === 'running' && bytesPerSecond > 0)
      return { task, transferId, name }
    }
    const film = await begin('film.mov', 1)
    const one = { count: 1, transfers: [{ transferId: film.transferId, name: 'film.mov' }] }
    await expect.poll(async () => (await devices(admin)).get('Laptop')?.bytesPerSecond).toBeGreaterThan(0)
    expect((await devices(admin)).get('Laptop')).toMatchObject(one)
    expect((await devices(admin)).get('Desk')).toEqual(nothing)

    const song = await begin('song.wav', 2)
    const two = [song, film].map(({ transferId, name }) => ({ transferId, name }))
    expect((await devices(admin)).get('Laptop')).toMatchObject({ count: 2, transfers: two })

    // Whoever may see devices and no transfers is told how many there are.
    const role = { name: 'Devices', rights: ['clients.view'], auditScope: 'all', folderScope: 'own' }
    const { data: made } = await site.post('admin/roles', role, admin)
    const viewer = await site.signInNew('viewer')
    const { data: known } = await ask(site.url, { path: '/api/admin/users?text=viewer', token: admin })
    const [user] = known['rows'] as unknown as ReadonlyArray<{ readonly id: string }>
    const { id: roleId } = made['role'] as unknown as { readonly id: number }
    expect((await site.post('admin/administrators', { userId: user?.id, roleId }, admin)).code).toBe(200)
    const seen = async (): Promise<unknown> => (await ask(site.url, { path: '/api/admin/clients', token: viewer })).code
    await expect.poll(seen).toBe(200)
    expect((await devices(viewer)).get('Laptop')).toMatchObject({ count: 2, transfers: [] })

    // One that is paused transfers nothing.
    await site.post(`transfers/${song.transferId}/pause`)
    await site.until(song.transferId, ({ state }) => state === 'paused')
    expect((await devices(admin)).get('Laptop')).toMatchObject(one)
    for (const { transferId } of [film, song]) await site.post(`transfers/${transferId}/cancel`)
    expect((await devices(admin)).get('Laptop')).toEqual(nothing)
    site.token = admin
  })
})
