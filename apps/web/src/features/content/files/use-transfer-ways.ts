import { isReadyClient, type TransferWay, offeredWays } from '@godwit/contract/exchange/transfer-ways'
import { useMemo } from 'react'
import type { BoundAction } from '../../../lib/actions.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import { useClient } from './client-view.ts'

/** The ways that uploads and downloads are offered; the first one is that of the plain button. */
export interface TransferWays {
  readonly upload: readonly TransferWay[]
  readonly download: readonly TransferWay[]
  /** A client waits for transfers. */
  readonly isClientReady: boolean
}

/** The same object as long as nothing of it changes. */
export function useTransferWays(): TransferWays {
  const { state, canAsk = false } = useClient() ?? {}
  const { transferType } = useAccount().service
  const hasPackages = useSite().clientPackages.length > 0
  const isRoomy = useMedia(ROOMY)
  return useMemo(() => {
    const facts = { transferType, client: state, canAsk, hasPackages, isRoomy }
    return {
      upload: offeredWays('upload', facts),
      download: offeredWays('download', facts),
      isClientReady: isReadyClient(state) && offeredWays('upload', facts).includes('client'),
    }
  }, [transferType, state, canAsk, hasPackages, isRoomy])
}

/** Actions that do the same by different ways; the browser's have the keys of both. */
const TWINS = [
  { kind: 'upload', web: 'upload-files', client: 'client-upload-files' },
  { kind: 'upload', web: 'upload-folder', client: 'client-upload-folder' },
  { kind: 'download', web: 'download', client: 'client-download' },
] as const

/** The keys belong to the way of the plain button, and where there is one way nobody is told how it differs. */
export function withWays(actions: readonly BoundAction[], ways: TransferWays): readonly BoundAction[] {
  return actions.map((action) => {
    const twins = TWINS.find(({ web, client }) => web === action.name || client === action.name)
    if (twins === undefined) return action
    const offered = ways[twins.kind]
    const way = action.name === twins.web ? 'web' : 'client'
    const keys = actions.find(({ name }) => name === twins.web)?.keys ?? []
    const { hint, ...plain } = action
    const hinted = offered.length > 1 && hint !== undefined ? { ...plain, hint } : plain
    return { ...hinted, keys: offered[0] === way ? keys : [] }
  })
}

/** Names of the actions, those of the plain button's way first. */
export function namesByWay(kind: 'upload' | 'download', ways: TransferWays): readonly string[] {
  const twins = TWINS.filter((each) => each.kind === kind)
  return ways[kind].flatMap((way) => twins.map((each) => each[way]))
}
