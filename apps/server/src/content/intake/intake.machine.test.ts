import { uploadState } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { isSettled, nextState, UPLOAD_EVENTS, UPLOAD_MACHINE } from './intake.machine.ts'

describe('states of an upload', () => {
  it('knows every state of the contract', () => {
    expect(Object.keys(UPLOAD_MACHINE).toSorted()).toEqual(uploadState.options.toSorted())
  })

  it('shows a file only from processing, which only follows open', () => {
    const shown = uploadState.options.filter((state) => nextState(state, 'publish') === 'completed')
    const processing = uploadState.options.filter((state) => nextState(state, 'complete') === 'processing')
    expect([shown, processing]).toEqual([['processing'], ['open']])
  })

  it('never leaves what is settled', () => {
    for (const state of uploadState.options.filter(isSettled)) {
      for (const event of UPLOAD_EVENTS) expect(nextState(state, event)).toBeUndefined()
    }
    expect(uploadState.options.filter(isSettled)).toEqual(['completed', 'aborted', 'expired', 'skipped'])
  })

  it('can always end: from each state a settled one is reached', () => {
    for (const state of uploadState.options) {
      const reached = new Set([state])
      for (const from of reached) for (const event of UPLOAD_EVENTS) reached.add(nextState(from, event) ?? from)
      expect([...reached].some(isSettled)).toBe(true)
    }
  })
})
