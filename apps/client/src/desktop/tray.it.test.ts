import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startBus, startWatcher } from '../testing/message-bus.ts'
import { openTray } from './tray.ts'
import { TRAY_TEXTS } from './tray-texts.ts'

const run = promisify(execFile)
const ITEM = 'org.kde.StatusNotifierItem'

describe('the tray', () => {
  it('shows the state in the panel of the desktop, and does what its menu is told', async () => {
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
    for (const [state, status] of [
      ['paused', 'Active'],
      ['error', 'NeedsAttention'],
      ['offline', 'Active'],
      ['active', 'Active'],
    ] as const) {
      tray.show(state)
      tray.show(state)
      expect(await watcher.next()).toBe(`${ITEM} NewStatus ('${status}',)`)
      expect(await watcher.next()).toMatch(/^com\.canonical\.dbusmenu LayoutUpdated /)
      icons.add(await item('IconPixmap'))
      if (state === 'paused') await click(2, 'resume')
    }
    expect(icons.size).toBe(5)
    tray.close()
    await expect(item('Status')).rejects.toThrow('Command failed')
  }, 60_000)
})
