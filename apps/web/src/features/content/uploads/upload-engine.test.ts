import { ApiError, serverUnavailable } from '@godwit/contract/wire/api-error'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conflict, Resolution } from '../conflicts/index.ts'
import { type EngineDeps, UploadEngine } from './upload-engine.ts'

const PLACE = { spaceId: 1, groupId: 0 }

/** An engine whose calls of the server and questions the test answers; no byte ever leaves. */
function engineWith(answer: (operation: string, paths: readonly string[]) => Promise<unknown>) {
  const questions: Array<{ conflicts: readonly Conflict[]; answer: (resolution: Resolution) => void }> = []
  const operate = async (operation: string, input: { paths?: string[]; folder?: string; name?: string }) =>
    answer(operation, input.paths ?? [`${input.folder}/${input.name}`])
  const unreachable = () => Promise.reject(serverUnavailable())
  const never = () => new Promise<never>(() => undefined)
  const engine = new UploadEngine({
    api: { call: unreachable, operation: unreachable, headers: () => ({}), noteFailure: () => undefined },
    operate: operate as unknown as EngineDeps['operate'],
    hashes: { part: never, root: never, pack: never },
    clock: { now: () => 0, monotonic: () => 0 } as EngineDeps['clock'],
    askConflicts: (conflicts) => new Promise((resolve) => questions.push({ conflicts, answer: resolve })),
    onStored: () => undefined,
  })
  const add = (names: readonly string[], emptyFolders: readonly string[] = []): void => {
    const files = names.map((relativePath) => ({ file: { size: 1, lastModified: 0 } as File, relativePath }))
    engine.add(PLACE, '/in', { files, emptyFolders, unreadable: [] })
  }
  const states = async () => {
    await vi.advanceTimersByTimeAsync(5_000)
    return Object.fromEntries(engine.view.get().jobs.map(({ name, state }) => [name, state]))
  }
  return { engine, add, states, questions }
}

const taken = (paths: readonly string[]) => ({
  items: paths.map((path) => ({ path, file_type: 'File', size: 1, time: 0, name: '' })),
})
const free = { items: [] }

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

  it('that was closed makes no folder of what was taken back', async () => {
    const made: string[] = []
    const { add, states, questions } = engineWith(async (operation, paths) => {
      if (operation === 'mkdir') made.push(...paths)
      return taken(paths)
    })
    add(['set/a'], ['set/empty'])
    await states()
    questions[0]?.answer(undefined)
    expect(await states()).toEqual({})
    expect(made).toEqual([])
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
