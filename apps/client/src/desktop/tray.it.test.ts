import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ClientProgram } from '../testing/client-program.ts'
import { startBus, startWatcher } from '../testing/message-bus.ts'
import { openTray } from './tray.ts'
import { TRAY_TEXTS } from './tray-texts.ts'

const run = promisify(execFile)
const ITEM = 'org.kde.StatusNotifierItem'

describe('the tray', () => {
  it('shows the state in the panel of the desktop, and does what is chosen in its menu', async () => {
    await using bus = await startBus()
    const pressed = new EventTarget()
    const press = (name: string) => () => void pressed.dispatchEvent(new Event(name))
    const tray = await openTray({
      ...{ address: bus.address, texts: TRAY_TEXTS['zh-CN'], open: press('open'), quit: press('quit') },
      ...{ pauseAll: press('pause'), resumeAll: press('resume') },
    })
    // The panel comes later, and after a fault once more.
    let name = ''
    for (const round of [1, 2]) {
      await using watcher = await startWatcher(bus.address)
      const [word, registered = ''] = (await watcher.next()).split(' ')
      expect([round, word]).toEqual([round, 'registered'])
      name = registered
    }
    const ask = async (...words: readonly string[]): Promise<string> =>
      (await run('busctl', [`--address=${bus.address}`, '--', ...words])).stdout.trim()
    const property = (path: string, of: string, which: string) => ask('get-property', name, path, of, which)
    const item = (which: string) => property('/StatusNotifierItem', ITEM, which)
    const menu = (...words: readonly string[]) => ask('call', name, '/MenuBar', 'com.canonical.dbusmenu', ...words)
    const layout = () => menu('GetLayout', 'iias', '0', '-1', '0')
    const click = async (id: number, what: string): Promise<void> => {
      const heard = once(pressed, what)
      await menu('Event', 'isvu', String(id), 'clicked', 's', '', '0')
      await heard
    }

    expect(await item('Status')).toBe('s "Active"')
    expect(await item('Menu')).toBe('o "/MenuBar"')
    expect(await item('ToolTip')).toContain(String.raw`"Godwit"`)
    expect(await item('IconPixmap')).toMatch(/^a\(iiay\) 1 22 22 1936 0 /)
    await expect(item('Nonsense')).rejects.toThrow('no Get')
    await expect(ask('call', name, '/StatusNotifierItem', ITEM, 'Nonsense')).rejects.toThrow('no Nonsense')
    expect(await layout()).toMatch(/^u\(ia\{sv\}av\) 1 0 1 "children-display" s "submenu" 3 /)
    const icons = new Set([await item('IconPixmap')])
    await click(1, 'open')
    await click(2, 'pause')
    await click(3, 'quit')
    const opened = once(pressed, 'open')
    await ask('call', name, '/StatusNotifierItem', ITEM, 'Activate', 'ii', '0', '0')
    await opened

    await using watcher = await startWatcher(bus.address)
    expect(await watcher.next()).toBe(`registered ${name}`)
    for (const [state, isPaused, status] of [
      ['paused', true, 'Active'],
      ['error', false, 'NeedsAttention'],
      ['offline', true, 'Active'],
      ['active', false, 'Active'],
    ] as const) {
      tray.show(state, isPaused)
      tray.show(state, isPaused)
      expect(await watcher.next()).toBe(`${ITEM} NewStatus ('${status}',)`)
      expect(await watcher.next()).toMatch(/^com\.canonical\.dbusmenu LayoutUpdated /)
      icons.add(await item('IconPixmap'))
      await click(2, isPaused ? 'resume' : 'pause')
    }
    expect(icons.size).toBe(5)
    tray.close()
    await expect(item('Status')).rejects.toThrow('Command failed')
  }, 60_000)

  it('of a running client pauses everything, says so, and ends the client', async () => {
    await using bus = await startBus()
    await using watcher = await startWatcher(bus.address)
    const folder = mkdtempSync(join(tmpdir(), 'godwit-tray-'))
    const client = new ClientProgram(['run'], { GODWIT_CLIENT_HOME: folder, DBUS_SESSION_BUS_ADDRESS: bus.address })
    try {
      const [, name = ''] = (await watcher.next()).split(' ')
      // Nobody is signed in, which is worse than idle, and than paused.
      expect(await watcher.next()).toBe(`${ITEM} NewStatus ('Active',)`)
      const click = (id: number): Promise<unknown> =>
        run('busctl', [
          ...[`--address=${bus.address}`, '--', 'call', name, '/MenuBar', 'com.canonical.dbusmenu', 'Event'],
          ...['isvu', String(id), 'clicked', 's', '', '0'],
        ])
      const pausedUntil = (): number => {
        const kept = JSON.parse(readFileSync(join(folder, 'preferences.json'), 'utf8')) as { pausedUntil: number }
        return kept.pausedUntil
      }
      await click(2)
      await expect.poll(pausedUntil, { timeout: 10_000 }).toBeGreaterThan(0)
      // The menu changed, and resumes now.
      expect(await watcher.next()).toMatch(/LayoutUpdated/)
      expect(await watcher.next()).toMatch(/NewStatus/)
      expect(await watcher.next()).toMatch(/LayoutUpdated/)
      await click(2)
      await expect.poll(pausedUntil, { timeout: 10_000 }).toBe(0)
      await click(3)
      expect(await client.exitCode()).toBe(0)
    } finally {
      await client.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)
})
