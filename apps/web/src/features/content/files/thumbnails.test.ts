import { describe, expect, it, vi } from 'vitest'
import { createThumbnails } from './thumbnails.ts'

function open() {
  let made = 0
  const revoked: string[] = []
  const loads: Array<{ readonly signal: AbortSignal; readonly end: PromiseWithResolvers<Blob | null> }> = []
  const thumbnails = createThumbnails({ create: () => `blob:${made++}`, revoke: (url) => void revoked.push(url) })
  const load = (signal: AbortSignal): Promise<Blob | null> => {
    const end = Promise.withResolvers<Blob | null>()
    loads.push({ signal, end })
    return end.promise
  }
  return { thumbnails, loads, load, revoked }
}

describe('small pictures of a page', () => {
  it('are fetched three at a time; what left the screen before its turn is not', async () => {
    const { thumbnails, loads, load } = open()
    const loaded = vi.fn<() => void>()
    const cancels = ['a', 'b', 'c', 'd', 'e'].map((key) => thumbnails.want(key, load, loaded))
    expect(loads).toHaveLength(3)
    cancels[3]?.()
    cancels[0]?.()
    expect(loads[0]?.signal.aborted).toBe(true)
    loads[0]?.end.reject(new Error('aborted'))
    await vi.waitFor(() => expect(loads).toHaveLength(4))
    for (const { end } of loads) end.resolve(new Blob())
    await vi.waitFor(() => expect(loaded).toHaveBeenCalledTimes(3))
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => typeof thumbnails.peek(key))).toEqual([
      ...['undefined', 'string', 'string', 'undefined', 'string'],
    ])
  })

  it('remember that a file has none, and ask again after a failure', async () => {
    const { thumbnails } = open()
    const loaded = vi.fn<() => void>()
    thumbnails.want('none', () => Promise.resolve(null), loaded)
    thumbnails.want('failed', () => Promise.reject(new Error('busy')), loaded)
    await vi.waitFor(() => expect(thumbnails.peek('none')).toBeNull())
    expect(thumbnails.peek('failed')).toBeUndefined()
    expect(loaded).toHaveBeenCalledTimes(1)
  })

  it('give back the oldest beyond 500', async () => {
    const { thumbnails, revoked } = open()
    const loaded = vi.fn<() => void>()
    for (let number = 0; number < 502; number++)
      thumbnails.want(String(number), () => Promise.resolve(new Blob()), loaded)
    await vi.waitFor(() => expect(loaded).toHaveBeenCalledTimes(502))
    expect(revoked).toEqual(['blob:0', 'blob:1'])
  })
})
