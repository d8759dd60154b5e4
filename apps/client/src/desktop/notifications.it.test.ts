import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ClientProgram } from '../testing/client-program.ts'
import { type Lines, startBus, startNotifications } from '../testing/message-bus.ts'
import { Queue } from '../queue/queue.ts'
import { type Note, Notifications } from './notifications.ts'

interface Shown {
  readonly id: number
  readonly title: string
  readonly text: string
  readonly actions: readonly string[]
  readonly hints: Readonly<Record<string, unknown>>
}

const next = async (desktop: Lines): Promise<Shown> => JSON.parse(await desktop.next()) as Shown
const ACTIONS = ['actions', 'body', 'body-markup'] as const

describe('notifications', () => {
  it('have buttons where the desktop has them, and names in them are text', async () => {
    await using bus = await startBus()
    const pressed = new EventTarget()
    const action = (label: string) => ({ label, run: () => void pressed.dispatchEvent(new Event(label)) })
    const note: Note = {
      ...{ title: 'Done', text: 'a <b>&"c', isUrgent: false, kind: 'done' },
      actions: [action('Open folder'), action('Copy link')],
    }
    const notifications = new Notifications(bus.address)
    // Nobody shows them yet.
    expect(await notifications.show(note)).toBe(false)
    {
      await using desktop = await startNotifications(bus.address, ...ACTIONS)
      expect(await notifications.show(note)).toBe(true)
      const first = await next(desktop)
      expect(first).toMatchObject({ title: 'Done', text: 'a &lt;b&gt;&amp;"c' })
      expect(first.actions).toEqual(['default', 'Open folder', '0', 'Open folder', '1', 'Copy link'])
      expect(first.hints).toEqual({ 'desktop-entry': 'godwit-client', category: 'transfer.complete', urgency: 0 })
      for (const [key, label] of [
        ['1', 'Copy link'],
        ['default', 'Open folder'],
      ] as const) {
        const heard = once(pressed, label)
        desktop.write(`press ${first.id} ${key}`)
        await heard
      }
      // Of the same kind one is shown at a time, until it is closed.
      await notifications.show(note)
      expect((await next(desktop)).id).toBe(first.id)
      await notifications.show({ ...note, kind: 'other', isUrgent: true })
      const other = await next(desktop)
      expect(other).toMatchObject({ hints: { urgency: 1, category: 'transfer.error' } })
      expect(other.id).not.toBe(first.id)
      const heard = once(pressed, 'Copy link')
      desktop.write(`close ${first.id}`)
      desktop.write(`press ${first.id} 0`)
      desktop.write(`press ${other.id} 1`)
      await heard
      await notifications.show(note)
      expect((await next(desktop)).id).not.toBe(first.id)
    }
    // Another desktop in its place shows text alone.
    await using plain = await startNotifications(bus.address, 'body')
    expect(await notifications.show({ ...note, kind: 'plain' })).toBe(true)
    expect(await next(plain)).toMatchObject({ text: 'a <b>&"c', actions: [] })
    await notifications.close()
  })

  it('come from a client on a desktop, and not once they are off', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'godwit-notes-'))
    await using bus = await startBus()
    await using desktop = await startNotifications(bus.address, ...ACTIONS)
    // Refuses everything for good.
    const server = createServer((_request, response) => {
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"code":5100,"message":"no"}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const environment = {
      ...{ GODWIT_CLIENT_HOME: folder, DBUS_SESSION_BUS_ADDRESS: bus.address, LC_ALL: 'zh_CN.UTF-8' },
      ...{ GODWIT_SERVER: address, GODWIT_TOKEN: 'gwt_none', DISPLAY: '', WAYLAND_DISPLAY: '' },
    }
    const client = new ClientProgram(['run'], environment)
    try {
      await client.until(() => client.events.some(({ event }) => event === 'running'))
      using queue = new Queue(folder, () => 0)
      const fail = async (name: string): Promise<void> => {
        const item = { server: address, account: '', spaceId: 1, groupId: 0, asks: false } as const
        const id = queue.add({ ...item, direction: 'upload', paths: [`/absent/${name}`], target: '/' })
        const isOver = (): boolean => client.events.some((one) => one.event === 'queue-ended' && one['id'] === id)
        await client.until(isOver)
      }
      await fail('one')
      expect(await next(desktop)).toMatchObject({
        title: '传输失败',
        text: 'one',
        actions: ['default', '查看', '0', '查看'],
      })
      const off = new ClientProgram(['notifications', 'off'], environment)
      expect(await off.exitCode()).toBe(0)
      await fail('two')
      expect(await new ClientProgram(['notifications', 'on'], environment).exitCode()).toBe(0)
      await fail('three')
      expect(await next(desktop)).toMatchObject({ text: 'three' })
    } finally {
      await client.end()
      server.close()
      rmSync(folder, { recursive: true })
    }
  })
})
