import { TRANSFER_DOORS, TRANSFER_STATES, type TransferState, type TransferView } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { deviceText, devicesOf, isSameUpload, listActions, sortedTransfers } from './list-rules.ts'

function transfer(transferId: string, more: Partial<TransferView> = {}): TransferView {
  const facts = { direction: 'upload', door: 'transfer', state: 'running', failures: 0, device: '', name: transferId }
  return { ...facts, transferId, bytes: 0, bytesPerSecond: 0, createdAt: 0, ...more } as TransferView
}

describe('what the list of transfers offers', () => {
  const of = (state: TransferState, more: Partial<TransferView> = {}) =>
    listActions(transfer('a', { state, ...more }), { isMine: false, hasFailed: false })

  it('pauses, resumes and cancels what is under way, and forgets what is over', () => {
    expect(TRANSFER_STATES.map((state) => [state, of(state)])).toEqual([
      ['waiting', ['limit', 'cancel']],
      ['running', ['pause', 'limit', 'cancel']],
      ['paused', ['resume', 'limit', 'cancel']],
      ['interrupted', ['limit', 'cancel']],
      ['completed', ['forget']],
      ['partial', ['forget']],
      ['failed', ['forget']],
      ['cancelled', ['forget']],
      ['expired', ['forget']],
    ])
  })

  it('pauses only what waits when it is asked to', () => {
    const pausing = TRANSFER_DOORS.filter((door) => of('running', { door }).includes('pause'))
    expect(pausing).toEqual(['transfer', 'page'])
    expect(of('running', { door: 'page', direction: 'download' })).toEqual(['cancel'])
  })

  it('goes on here with an upload of another page or of one that left it, and repeats what failed where the files are', () => {
    expect(of('interrupted', { door: 'page' })).toEqual(['continue', 'cancel'])
    expect(of('interrupted', { door: 'page', direction: 'download' })).toEqual(['cancel'])
    expect(of('running', { door: 'page' })).toEqual(['pause', 'continue', 'cancel'])
    const mine = { isMine: true, hasFailed: false }
    expect(listActions(transfer('a', { door: 'page' }), mine)).toEqual(['pause', 'cancel'])
    expect(of('partial', { failures: 2 })).toEqual(['files', 'forget'])
    expect(listActions(transfer('a', { state: 'partial', failures: 2 }), { isMine: true, hasFailed: true })).toEqual([
      'retry',
      'files',
      'forget',
    ])
  })
})

describe('the list of transfers', () => {
  it('has those under way first, and within a status the newest', () => {
    const items = [
      transfer('a', { state: 'completed' }),
      transfer('b'),
      transfer('c'),
      transfer('d', { state: 'failed' }),
    ]
    expect(sortedTransfers(items, undefined).map(({ transferId }) => transferId)).toEqual(['c', 'b', 'd', 'a'])
  })

  it('is sorted by a column in either direction', () => {
    const items = [transfer('a', { bytes: 3 }), transfer('b', { bytes: 1 }), transfer('c', { bytes: 2 })]
    const by = (order: 'asc' | 'desc') =>
      sortedTransfers(items, { by: 'progress', order }).map(({ transferId }) => transferId)
    expect([by('asc'), by('desc')]).toEqual([
      ['b', 'c', 'a'],
      ['a', 'c', 'b'],
    ])
  })

  it('names the device of a client, and the browser of a page', () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36'
    const page = transfer('a', { door: 'page', device: agent })
    expect([deviceText(page), deviceText(transfer('b', { device: 'tower' }))]).toEqual(['Chrome, Linux', 'tower'])
    expect(devicesOf([page, transfer('b', { device: 'tower' }), page])).toEqual(['Chrome, Linux', 'tower'])
  })
})

describe('files for an upload that was left', () => {
  it('are taken when they are the same by name and size', () => {
    const left = { files: 1, bytes: 10, name: 'a.bin' }
    expect(isSameUpload(left, [{ name: 'a.bin', size: 10, top: '' }])).toBe(true)
    expect(isSameUpload(left, [{ name: 'a.bin', size: 11, top: '' }])).toBe(false)
    expect(isSameUpload(left, [{ name: 'b.bin', size: 10, top: '' }])).toBe(false)
  })

  it('of a folder are those of its name, as many and as large', () => {
    const left = { files: 2, bytes: 10, name: 'set' }
    const chosen = (top: string) => [
      { name: 'x', size: 4, top },
      { name: 'y', size: 6, top },
    ]
    expect(isSameUpload(left, chosen('set'))).toBe(true)
    expect(isSameUpload(left, chosen('other'))).toBe(false)
    expect(isSameUpload(left, chosen('set').slice(1))).toBe(false)
  })
})
