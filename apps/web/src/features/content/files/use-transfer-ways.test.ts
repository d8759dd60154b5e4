import { describe, expect, it } from 'vitest'
import type { BoundAction } from '../../../lib/actions.tsx'
import { namesByWay, type TransferWays, withWays } from './use-transfer-ways.ts'

const action = (name: string, keys: BoundAction['keys'] = []): BoundAction =>
  ({
    name,
    keys,
    hint: 'action.hint.web',
    label: 'action.download',
    group: 'files',
    isOffered: true,
    run: () => {},
  }) as const
const ACTIONS = [action('download', ['Alt+Shift+D']), action('client-download'), action('remove', ['Delete'])]
const ways = (...download: TransferWays['download']): TransferWays => ({
  ...{ upload: download, download },
  isClientReady: true,
})

describe('actions that go by two ways', () => {
  it('give their keys to the way of the plain button', () => {
    const keys = (given: TransferWays) => withWays(ACTIONS, given).map((each) => each.keys)
    expect(keys(ways('web', 'client'))).toEqual([['Alt+Shift+D'], [], ['Delete']])
    expect(keys(ways('client', 'web'))).toEqual([[], ['Alt+Shift+D'], ['Delete']])
    expect(keys(ways('client'))).toEqual([[], ['Alt+Shift+D'], ['Delete']])
  })

  it('say how the ways differ only where there are two', () => {
    const hints = (given: TransferWays) => withWays(ACTIONS, given).map(({ hint }) => hint !== undefined)
    expect(hints(ways('web', 'client'))).toEqual([true, true, true])
    expect(hints(ways('web'))).toEqual([false, false, true])
  })

  it('stand in the order of the ways', () => {
    expect(namesByWay('upload', ways('client', 'web'))).toEqual([
      ...['client-upload-files', 'client-upload-folder'],
      ...['upload-files', 'upload-folder'],
    ])
    expect(namesByWay('download', ways('web'))).toEqual(['download'])
  })
})
