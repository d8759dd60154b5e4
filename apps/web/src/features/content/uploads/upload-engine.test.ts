import { LIMITS } from '@godwit/contract/limits'
import { ApiError, serverUnavailable } from '@godwit/contract/wire/api-error'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conflict, Resolution } from '../conflicts/index.ts'
import { type EngineDeps, UploadEngine } from './upload-engine.ts'
import * as work from './upload-work.ts'

const PLACE = { spaceId: 1, groupId: 0 }

/** An engine whose calls of the server and questions the test answers; no byte ever leaves. */
function engineWith(
  answer: (operation: string, paths: readonly string[]) => Promise<unknown>,
  { askFixes, ...api }: Partial<EngineDeps['api']> & Pick<EngineDeps, 'askFixes'> = {},
) {
  const questions: Array<{ conflicts: readonly Conflict[]; answer: (resolution: Resolution) => void }> = []
  const takenBack: Array<{ names: readonly string[]; askAgain: () => void }> = []
  const operate = async (operation: string, input: { paths?: string[]; folder?: string; name?: string }) =>
    answer(operation, input.paths ?? [`${input.folder}/${input.name}`])
  const unreachable = () => Promise.reject(serverUnavailable())
  const never = () => new Promise<never>(() => undefined)
  const createHashPool = () => ({ part: never, root: never, pack: never, seal: never, close: () => undefined })
  const engine = new UploadEngine({
    api: { call: unreachable, operation: unreachable, headers: () => ({}), noteFailure: () => undefined, ...api },
    operate: operate as unknown as EngineDeps['operate'],
    clock: { now: () => 0, monotonic: () => 0 } as EngineDeps['clock'],
    loadWork: async () => ({ ...work, createHashPool }),
    askConflicts: (conflicts) => new Promise((resolve) => questions.push({ conflicts, answer: resolve })),
    ...(askFixes && { askFixes }),
    onStored: () => undefined,
    onTakenBack: (names, askAgain) => takenBack.push({ names, askAgain }),
  })
  const add = (names: readonly string[], emptyFolders: readonly string[] = []): void => {
    const files = names.map((relativePath) => ({ file: { size: 1, lastModified: 0 } as File, relativePath }))
    engine.add(PLACE, '/in', { files, emptyFolders, unreadable: [] })
  }
  const states = async () => {
    await vi.advanceTimersByTimeAsync(5_000)
    return Object.fromEntries(engine.view.get().jobs.map(({ name, state }) => [name, state]))
  }
  return { engine, add, states, questions, takenBack }
}

const taken = (paths: readonly string[]) => ({
  items: paths.map((path) => ({ path, file_type: 'File', size: 1, time: 0, name: '' })),
})
const free = { items: [] }

describe('what a person asks for', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is shown with the press: pause, resume and another try', async () => {
    let isRefused = false
    const { engine, add, states } = engineWith(async () => {
      if (isRefused) throw new ApiError({ code: 5105, message: '' })
      return free
    })
    const shown = () => engine.view.get().jobs.map(({ state }) => state)
    add(['a'])
    expect(await states()).toEqual({ a: 'active' })
    engine.pauseAll()
    expect(shown()).toEqual(['paused'])
    engine.resumeAll()
    expect(shown()).toEqual(['active'])
    isRefused = true
    add(['b'])
    expect(await states()).toEqual({ a: 'active', b: 'failed' })
    engine.retryAll()
    expect(shown()).toEqual(['scanning', 'active'])
  })
})

describe('while names are looked up', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('pausing all fails nothing', async () => {
    const held = Promise.withResolvers<unknown>()
    const { engine, add, states } = engineWith(() => held.promise)
    add(['a', 'b'])
    engine.pauseAll()
    expect(await states()).toEqual({ a: 'scanning', b: 'scanning' })
    held.resolve(free)
    expect(await states()).toEqual({ a: 'paused', b: 'paused' })
  })

  it('taking one row back leaves the others of the drop alone', async () => {
    const held = Promise.withResolvers<unknown>()
    const { engine, add, states } = engineWith(() => held.promise)
    add(['a', 'b'])
    engine.cancel(1)
    held.resolve(free)
    expect(await states()).toEqual({ b: 'active' })
  })

  it('a refusal of one row is shown with that row alone', async () => {
    const { engine, add, states } = engineWith(async (_operation, [path = '']) => {
      if (path === '/in/b') throw new ApiError({ code: 5105, message: '' })
      return free
    })
    add(['a', 'b', 'c'])
    expect(await states()).toEqual({ a: 'active', b: 'failed', c: 'active' })
    expect(engine.failures(2).map(({ path, error }) => [path, (error as ApiError).code])).toEqual([['b', 5105]])
  })

  it('the end of the session fails nothing: the names are looked up again after the next sign-in', async () => {
    let isSignedIn = false
    const { engine, add, states } = engineWith(async () => {
      if (!isSignedIn) throw new ApiError({ code: 1009, message: '' })
      return free
    })
    add(['a'])
    engine.halt()
    expect(await states()).toEqual({ a: 'scanning' })
    isSignedIn = true
    engine.begin(true).catch(() => undefined)
    expect(await states()).toEqual({ a: 'active' })
  })
})

describe('a question about taken names', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('that was closed uploads nothing, says so, and is asked again on request', async () => {
    const made: string[] = []
    const { add, states, questions, takenBack } = engineWith(async (operation, paths) => {
      if (operation === 'mkdir') made.push(...paths)
      return taken(paths)
    })
    add(['set/a'], ['set/empty'])
    await states()
    questions[0]?.answer(undefined)
    expect(await states()).toEqual({})
    expect(made).toEqual([])
    expect(takenBack.map(({ names }) => names)).toEqual([['set']])
    takenBack[0]?.askAgain()
    expect(await states()).toEqual({ set: 'scanning' })
    questions[1]?.answer({ byPath: new Map([['set/a', 'skip']]) })
    expect(await states()).toEqual({ set: 'skipped' })
    expect(made).toEqual(['/in/set', '/in/set/empty'])
  })

  it('is asked again when the session ended before an answer', async () => {
    const { engine, add, states, questions } = engineWith(async (_operation, paths) => taken(paths))
    add(['a'])
    await states()
    engine.halt()
    expect(await states()).toEqual({ a: 'scanning' })
    expect(questions.length).toBe(1)
    engine.begin(true).catch(() => undefined)
    await states()
    expect(questions.length).toBe(2)
    questions[1]?.answer({ byPath: new Map([['a', 'skip']]) })
    expect(await states()).toEqual({ a: 'skipped' })
  })
})

describe('what was canceled or discarded', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('navigator', { locks: { query: async () => ({}) } })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  const GHOST = { uploadId: 'u1', state: 'open', filename: 'film.mov', folder: '/in', size: 100, ranges: [[0, 40]] }

  /** An engine that found one unfinished upload; `aborted` collects what the server is asked to give up. */
  async function withGhost() {
    const aborted: string[] = []
    const call = (async ({ path }: { path: string }, { params }: { params?: { uploadId: string } }) => {
      if (path.endsWith('/abort')) aborted.push(params?.uploadId ?? '')
      else if (params !== undefined || !path.endsWith('/uploads')) throw serverUnavailable()
      return { items: [GHOST] }
    }) as unknown as EngineDeps['api']['call']
    const made = engineWith(async () => free, { call })
    await made.engine.begin(true)
    return { ...made, aborted, ghosts: () => made.engine.view.get().ghosts.map(({ name }) => name) }
  }

  it('comes back with the undo', async () => {
    const { engine, add, states } = engineWith(async () => free)
    add(['a', 'b'])
    await states()
    const undo = engine.cancel(1)
    expect(await states()).toEqual({ b: 'active' })
    undo()
    expect(await states()).toEqual({ a: 'active', b: 'active' })
  })

  it('is given up on the server when the undo is over, not before', async () => {
    const { engine, aborted, ghosts } = await withGhost()
    expect(ghosts()).toEqual(['film.mov'])
    const undo = engine.forget('u1')
    expect(ghosts()).toEqual([])
    await vi.advanceTimersByTimeAsync(LIMITS.toastCustomMs)
    undo()
    expect(ghosts()).toEqual(['film.mov'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(aborted).toEqual([])
    const late = engine.forget('u1')
    await vi.advanceTimersByTimeAsync(60_000)
    late()
    expect([aborted, ghosts()]).toEqual([['u1'], []])
  })

  it('taken up again is one row, not two, and is not given up', async () => {
    const { engine, aborted, ghosts } = await withGhost()
    engine.forget('u1')
    const file = { size: 100, lastModified: 0, name: 'film.mov' } as File
    engine.add(PLACE, '/in', { files: [{ file, relativePath: 'film.mov' }], emptyFolders: [], unreadable: [] })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(engine.view.get().jobs.map(({ name }) => name)).toEqual(['film.mov'])
    expect([ghosts(), aborted]).toEqual([[], []])
  })

  it('an unfinished upload that is dropped again stands once in the list', async () => {
    const { engine, ghosts } = await withGhost()
    const file = { size: 100, lastModified: 0, name: 'film.mov' } as File
    engine.add(PLACE, '/in', { files: [{ file, relativePath: 'film.mov' }], emptyFolders: [], unreadable: [] })
    expect([engine.view.get().jobs.length, ghosts()]).toEqual([1, []])
  })
})

describe('the panel', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('starts collapsed, is as it was left in the next page, and comes back with a new upload', async () => {
    const first = engineWith(async () => free)
    expect(first.engine.panel.get()).toEqual({ isExpanded: false, isClosed: false })
    first.engine.panel.set({ isExpanded: true, isClosed: false })
    first.engine.closePanel()
    const second = engineWith(async () => free)
    expect(second.engine.panel.get()).toEqual({ isExpanded: true, isClosed: true })
    second.add(['a'])
    expect(second.engine.panel.get()).toEqual({ isExpanded: true, isClosed: false })
  })

  it('closes over what is paused, which stays in the list of transfers', async () => {
    const { engine, add, states } = engineWith(async () => free)
    add(['a'])
    await states()
    engine.pauseAll()
    engine.closePanel()
    expect(await states()).toEqual({ a: 'paused' })
    expect(engine.panel.get().isClosed).toBe(true)
    engine.resumeAll()
    expect(engine.panel.get().isClosed).toBe(false)
  })
})
