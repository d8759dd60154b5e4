import { errorSpec } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { createBus } from '../../kernel/events/index.ts'
import { defaultClientRules } from '../../testing/client-rules.ts'
import type { ClientRules } from './clients.settings.ts'
import { createClients } from './clients.service.ts'
import type { ClientLine } from './presence.ts'

function world(change: Partial<ClientRules> = {}) {
  const bus = createBus((_name, thrown) => {
    throw thrown
  })
  const refused: string[] = []
  bus.subscribe('client.refused', ({ userId, code }) => refused.push(`${userId} ${errorSpec(code).wire}`))
  const rules = () => Promise.resolve({ ...defaultClientRules(), ...change })
  return { clients: createClients({ rules, bus }), refused }
}

const line = (change: Partial<ClientLine> = {}): ClientLine => ({
  ...{
    userId: 'mei',
    deviceId: 'laptop-1',
    deviceName: '',
    platform: 'linux',
    version: '1.0.0',
    spaceId: 1,
    ready: true,
    canAsk: false,
  },
  command: () => Promise.resolve({ success: true }),
  replaced: () => undefined,
  ...change,
})

describe('connected clients', () => {
  it('never pass the limit of the edition, however many come at once (T47)', async () => {
    const { clients, refused } = world({ maxClients: 3 })
    const comers = Array.from({ length: 50 }, (_, index) => clients.enter(line({ userId: `user-${index}` })))
    const settled = await Promise.allSettled(comers)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await clients.online()).toBe(3)
    expect(refused).toHaveLength(47)
    expect(refused[0]).toBe('user-3 5506')
  })

  it('give a place back when one leaves', async () => {
    const { clients } = world({ maxClients: 3 })
    const [first] = await Promise.all(['a', 'b', 'c'].map((userId) => clients.enter(line({ userId }))))
    await expect(clients.enter(line({ userId: 'd' }))).rejects.toMatchObject({ details: { limit: 3 } })
    if (first !== undefined) await clients.leave(first)
    await clients.enter(line({ userId: 'd' }))
    expect(await clients.online()).toBe(3)
  })

  it('take no second place for one device that connects anew, and notify the old line', async () => {
    const { clients } = world({ maxClients: 3 })
    let replaced = 0
    const old = await clients.enter(line({ replaced: () => void replaced++ }))
    await clients.enter(line({ version: '1.0.1' }))
    expect([await clients.online(), replaced]).toEqual([1, 1])
    await clients.leave(old)
    expect((await clients.viewOf('mei')).version).toBe('1.0.1')
  })

  it('do not count while they are too old to transfer', async () => {
    const { clients } = world({ maxClients: 3, clientMinVersion: '2.0.0' })
    for (const userId of ['a', 'b', 'c', 'd', 'e']) await clients.enter(line({ userId }))
    expect(await clients.online()).toBe(0)
    expect((await clients.viewOf('e')).state).toBe('outdated')
  })
})
