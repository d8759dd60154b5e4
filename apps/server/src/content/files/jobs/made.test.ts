import { describe, expect, it } from 'vitest'
import type { TakenNote } from '../steps/index.ts'
import { MadeList, type JobNote } from './made.ts'

let seq = 0
const entry = { kind: 'file', etag: 'tag', size: 3, modifiedMs: 5 } as const
const nothing = { look: 'nothing', entry, isReplacement: false, versionId: '', tree: '' } as const

function made(name: string, change: Partial<TakenNote> = {}): TakenNote {
  return { kind: 'made', step: 'move', seq: ++seq, from: `/from/${name}`, to: `/to/${name}`, ...nothing, ...change }
}

const folder = (name: string): TakenNote => ({ ...made(name), kind: 'fill', step: 'make' })
const filled = (name: string): JobNote => ({
  ...{ kind: 'filled', seq: ++seq, from: `/from/${name}`, path: `/to/${name}`, seen: 'folder f', tree: 'mark' },
})
const own = (kind: 'emptied' | 'stayed', path: string): JobNote => ({ kind, seq: ++seq, path })

describe('what a job made, by its notes', () => {
  it('is the same for the run that goes on after a cut, wherever that was', () => {
    const notes = [
      made('a', { isReplacement: true, versionId: 'v', older: ['u'] }),
      folder('box'),
      made('box/one'),
      folder('box/deep'),
      made('box/deep/two', { look: 'lines', entry: { ...entry, kind: 'folder' }, lines: [['/in', 7]] }),
      filled('box'),
      own('emptied', '/from'),
    ]
    const whole = new MadeList('move', notes).all()
    expect(whole).toMatchObject({
      made: [
        { path: '/to/a', seen: 'file tag 3 5', versionId: 'v', older: ['u'] },
        { path: '/to/box', tree: 'mark' },
      ],
      emptied: ['/from'],
    })
    for (const [at] of notes.entries()) {
      const list = new MadeList('move', notes.slice(0, at))
      for (const note of notes.slice(at)) list.take(note)
      expect(list.all()).toEqual(whole)
    }
  })

  it('knows what an earlier run brought, and the folders that it made, but nothing of its own', () => {
    const list = new MadeList('copy', [made('a', { step: 'copy' }), folder('box')])
    list.take(made('b', { step: 'copy' }))
    expect([list.hasBefore(made('a')), list.hasBefore(made('b'))]).toEqual([true, false])
    expect(list.hasBefore({ from: '/elsewhere/a', to: '/to/a' })).toBe(false)
    expect([list.madeBefore('/to/box'), list.madeBefore('/to/a'), list.isFilling]).toEqual([true, false, true])
    const last = made('c', { step: 'copy' })
    list.take(last)
    expect(list.next).toBe(last.seq + 1)
  })

  it('counts a folder once that two runs emptied or filled, and none that stayed', () => {
    const twice = [folder('box'), filled('box'), filled('box'), own('emptied', '/x'), own('emptied', '/x')]
    const kept = [...twice, own('emptied', '/y'), own('stayed', '/y'), own('stayed', '/z')]
    expect(new MadeList('move', kept).all()).toMatchObject({ made: [{ path: '/to/box' }], emptied: ['/x'] })
  })

  it.each([
    ['something was replaced that nothing keeps', [made('a', { isReplacement: true })]],
    ['two came to one name', [made('a'), made('a', { from: '/other/a' })]],
    [
      'something in a folder that it made was replaced',
      [folder('box'), made('box/a', { isReplacement: true, versionId: 'v' })],
    ],
    ['a source stayed where it was', [made('a', { step: 'copy' })]],
    ['a folder is too large to be told apart', [made('a', { tree: undefined as never })]],
    ['a folder was never filled to its end', [folder('box'), folder('next'), filled('next')]],
    ['a folder is being filled', [made('a'), folder('box')]],
    ['the job said so', [made('a'), { kind: 'lost', seq: ++seq } as const]],
  ])('is nothing where %s', (_, notes) => {
    expect(new MadeList('move', notes).all()).toEqual({})
  })
})
