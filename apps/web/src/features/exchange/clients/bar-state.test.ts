import { CLIENT_STATES } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { barState } from './bar-state.ts'

const facts = {
  transferType: 0,
  client: 'connected',
  hasFailed: false,
  isFileServerGone: false,
  hasPackages: true,
} as const

describe('the bar about the desktop client', () => {
  it('asks to start it, to wait, to update, or says that it is too old', () => {
    const states = CLIENT_STATES.map((client) => barState({ ...facts, client }))
    expect(states).toEqual(['start', 'starting', undefined, 'update', 'low-version'])
  })

  it('says that the update failed for as long as there is one to try again', () => {
    const states = CLIENT_STATES.map((client) => barState({ ...facts, client, hasFailed: true }))
    expect(states).toEqual(['start', 'starting', undefined, 'update-failed', 'low-version'])
  })

  it('says nothing about a client where only the browser transfers, or before the server reported it', () => {
    for (const client of CLIENT_STATES) expect(barState({ ...facts, client, transferType: 2 })).toBeUndefined()
    expect(barState({ ...facts, client: undefined })).toBeUndefined()
  })

  it('asks nobody to start a client that the site does not offer, unless nothing goes without one', () => {
    const none = { ...facts, client: 'none', hasPackages: false } as const
    expect(barState(none)).toBeUndefined()
    expect(barState({ ...none, transferType: 1 })).toBe('start')
    expect(barState({ ...none, client: 'outdated' })).toBe('low-version')
  })

  it('reports a lost file server only while no client stands in', () => {
    const gone = { ...facts, isFileServerGone: true }
    for (const client of ['none', 'outdated', undefined] as const) {
      expect(barState({ ...gone, client })).toBe('disconnected')
      expect(barState({ ...gone, client, transferType: 2 })).toBe('disconnected')
    }
    expect(barState({ ...gone, client: 'connected' })).toBeUndefined()
    expect(barState({ ...gone, client: 'update-available' })).toBe('update')
  })
})
