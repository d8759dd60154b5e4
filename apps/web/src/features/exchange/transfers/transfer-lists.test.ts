import { TRANSFER_STATES, type TransferState, type TransferView } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { actionsOf, mergeTransfer, shownTransfers } from './transfer-lists.ts'

function transfer(transferId: string, updatedAt = 0, state: TransferState = 'running'): TransferView {
  return { transferId, updatedAt, state, door: 'transfer' } as TransferView
}

describe('the list of transfers by a client', () => {
  it('takes what is pushed in place of what is older, never the other way round', () => {
    const items = [transfer('b', 5), transfer('a', 5)]
    expect(mergeTransfer(items, transfer('a', 6))).toEqual([transfer('b', 5), transfer('a', 6)])
    expect(mergeTransfer(items, transfer('a', 4))).toBe(items)
    expect(mergeTransfer(items, transfer('c', 1))).toEqual([transfer('c', 1), ...items])
  })

  it('leaves out what went through the browser', () => {
    const own = transfer('a')
    expect(shownTransfers([{ ...own, door: 'page' }, own, { ...own, door: 'webdav' }])).toEqual([own])
  })

  it('leaves out tickets that nobody used', () => {
    const items = TRANSFER_STATES.map((state) => transfer(state, 0, state))
    const states = shownTransfers(items).map(({ state }) => state)
    expect(states).toEqual(['running', 'paused', 'interrupted', 'completed', 'partial'])
  })

  it('offers what the state allows', () => {
    const offered = TRANSFER_STATES.map((state) => [state, actionsOf({ state })] as const).filter(
      ([, all]) => all.length,
    )
    expect(offered).toEqual([
      ['running', ['pause', 'cancel']],
      ['paused', ['resume', 'cancel']],
      ['interrupted', ['cancel']],
    ])
  })
})
