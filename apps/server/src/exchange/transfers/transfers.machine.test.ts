import { TRANSFER_STATES } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { isConnected, isOpen, nextState } from './transfers.machine.ts'

describe('states of a transfer', () => {
  it('are open to their ticket until they are over, and with failed files even then', () => {
    expect(TRANSFER_STATES.filter(isOpen)).toEqual(['waiting', 'running', 'paused', 'interrupted', 'partial'])
  })

  it('end for good: nothing leads out of completed, failed, cancelled and expired', () => {
    const events = ['connected', 'lost', 'pause', 'resume', 'done', 'fail', 'cancel', 'expire'] as const
    for (const state of ['completed', 'failed', 'cancelled', 'expired'] as const)
      for (const event of events) expect(nextState(state, event)).toBeUndefined()
  })

  it('never expire while a client is connected', () => {
    for (const state of TRANSFER_STATES.filter(isConnected)) expect(nextState(state, 'expire')).toBeUndefined()
  })

  it('go on after a lost connection', () => {
    expect([nextState('running', 'lost'), nextState('paused', 'lost')]).toEqual(['interrupted', 'interrupted'])
    expect(nextState('interrupted', 'connected')).toBe('running')
  })
})
