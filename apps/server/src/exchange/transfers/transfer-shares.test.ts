import { fakeClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import type { RunShare, TransferRun } from './transfer-run.ts'
import { TransferShares } from './transfer-shares.ts'

/** A transfer as far as shares look at it, and what it was told last. */
function runOf(account: string, direction: 'upload' | 'download', isPaused = false) {
  const row = { id: `${account} ${direction}`, user_id: account, direction, deadline: 0 }
  const told: RunShare[] = []
  const run = {
    record: { row, current: { bytes_per_second: 0 } },
    sharer: { key: account, weight: 10 },
    isPaused,
    setShare: (share: RunShare) => void told.push(share),
  } as unknown as TransferRun
  return { run, weight: () => told.at(-1)?.weight }
}

describe('the weights of the transfers of a process', () => {
  it('are shared among those that move in one direction', () => {
    const shares = new TransferShares(fakeClock())
    const all = [
      ...[runOf('mei', 'upload'), runOf('mei', 'upload'), runOf('lin', 'upload'), runOf('lin', 'upload', true)],
      ...[runOf('mei', 'download'), runOf('wu', 'download')],
    ]
    shares.share(all.map(({ run }) => run))
    expect(all.map(({ weight }) => weight())).toEqual([0.75, 0.75, 1.5, 1, 1, 1])
    shares.share(all.slice(1, 3).map(({ run }) => run))
    expect(all.slice(1, 3).map(({ weight }) => weight())).toEqual([1, 1])
  })
})
