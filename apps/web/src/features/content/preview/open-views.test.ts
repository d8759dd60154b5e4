import { serverUnavailable } from '@godwit/contract/wire/api-error'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FileOperations } from '../../../lib/file-operations.ts'
import { OpenViews } from './open-views.ts'

const PLACE = { spaceId: 1, groupId: 0 }

/** A server with a preview log, whose answers can be held back and whose reports can fail. */
function newServer() {
  const open = new Set<string>()
  const gates: Array<() => void> = []
  let begun = 0
  const state = { open, isHeld: false, failures: 0, answerAll: () => gates.splice(0).forEach((go) => go()) }
  const operate = (async (operation: string, input: { readonly viewId: string; readonly isOver: boolean }) => {
    if (operation === 'preview') {
      const viewId = `view-${++begun}`
      open.add(viewId)
      if (state.isHeld) await new Promise<void>((go) => gates.push(go))
      return { viewId }
    }
    if (state.failures-- > 0) throw serverUnavailable()
    if (input.isOver) open.delete(input.viewId)
    return {}
  }) as unknown as FileOperations
  return { state, views: new OpenViews(operate, '/a.txt') }
}

describe('views of a preview', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('end when the preview is closed', async () => {
    const { state, views } = newServer()
    await views.begin(PLACE)
    views.renew()
    expect(state.open.size).toBe(1)
    views.close()
    await vi.runAllTimersAsync()
    expect(state.open.size).toBe(0)
  })

  it('end when the answer comes after that', async () => {
    const { state, views } = newServer()
    state.isHeld = true
    const asked = views.begin(PLACE)
    views.close()
    state.answerAll()
    await asked
    await vi.runAllTimersAsync()
    expect(state.open.size).toBe(0)
  })

  it('end when the answer came and was never shown', async () => {
    const { state, views } = newServer()
    state.isHeld = true
    const asked = views.begin(PLACE)
    state.answerAll()
    // Closed in the turn in which the answer is taken, before a page could be drawn with it.
    await asked.then(() => views.close())
    await vi.runAllTimersAsync()
    expect(state.open.size).toBe(0)
  })

  it('end when the file is asked for a second time, but for the last', async () => {
    const { state, views } = newServer()
    await views.begin(PLACE)
    await views.begin(PLACE)
    await vi.runAllTimersAsync()
    expect([...state.open]).toEqual(['view-2'])
  })

  it('end although the server is away for a moment', async () => {
    const { state, views } = newServer()
    await views.begin(PLACE)
    state.failures = 2
    views.close()
    await vi.runAllTimersAsync()
    expect(state.open.size).toBe(0)
  })
})
