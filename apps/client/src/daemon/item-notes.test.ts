import { describe, expect, it } from 'vitest'
import { NOTE_TEXTS } from '../desktop/note-texts.ts'
import type { QueueItem } from '../queue/queue.ts'
import { itemNote, type NoteDeps } from './item-notes.ts'

const ITEM: QueueItem = {
  ...{ id: 7, server: 'https://files.example.org', account: 'mei', direction: 'upload', spaceId: 1, groupId: 0 },
  ...{ paths: ['/home/mei/film.mov'], target: '/a b/&c', asks: true, state: 'done', priority: 'normal' },
  ...{ transferId: '', error: '', failures: [], files: 1, bytes: 1, bytesDone: 1, createdAt: 0, finishedAt: 1 },
}

function world(hasClipboard = true) {
  const done: string[] = []
  const deps: NoteDeps = {
    texts: NOTE_TEXTS['en-US'],
    open: (place) => done.push(`open ${place}`),
    copy: hasClipboard ? (text) => done.push(`copy ${text}`) : undefined,
    show: () => done.push('show'),
  }
  /** The title, the labels, and what they do. */
  const note = (change: Partial<QueueItem>, count = 0) => {
    const made = itemNote(deps, { ...ITEM, ...change }, { count, folders: [] })
    for (const { run } of made?.actions ?? []) run()
    return made === undefined
      ? undefined
      : [made.title, made.text, ...made.actions.map(({ label }) => label), ...done.splice(0)]
  }
  return { note }
}

describe('the notification about a transfer', () => {
  const address = 'https://files.example.org/personal?path=%2Fa+b%2F%26c'

  it('opens the folder of the server and copies its link after an upload', () => {
    const done = ['Upload completed', 'film.mov', 'Open folder', 'Copy link', `open ${address}`, `copy ${address}`]
    expect(world().note({})).toEqual(done)
    expect(world(false).note({})).toEqual(['Upload completed', 'film.mov', 'Open folder', `open ${address}`])
    expect(world().note({ target: '/' })?.at(-1)).toBe('copy https://files.example.org/personal')
    expect(world().note({ groupId: 3 })).toEqual(['Upload completed', 'film.mov'])
  })

  it('opens the folder of this computer after a download', () => {
    const change = { direction: 'download', paths: ['/x', '/y'], target: '/home/mei/Downloads' } as const
    expect(world().note(change)).toEqual([
      ...['Download completed', '/x, /y', 'Open folder', 'open /home/mei/Downloads'],
    ])
  })

  it('shows the page of the client where somebody has to do something', () => {
    expect(world().note({ state: 'failed' })).toEqual(['Transfer failed', 'film.mov', 'Show', 'show'])
    const failures = [{ path: 'a', code: 'DISK_FULL' }]
    expect(world().note({ state: 'partial', failures })?.[0]).toBe('1 file failed')
    expect(world().note({ state: 'asking' }, 200)?.[0]).toBe('200 files already exist')
  })

  it('is none for what the person did, and lets no name turn the text around', () => {
    for (const state of ['cancelled', 'paused', 'waiting', 'running'] as const)
      expect(world().note({ state })).toBeUndefined()
    expect(world().note({ paths: ['/home/a\n\u202Efdp.exe'] })?.[1]).toBe('a\\u{a}\\u{202e}fdp.exe')
  })
})
