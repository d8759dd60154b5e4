import type { FileSelection, FileSituation } from '@godwit/contract/content/file-actions'
import { useMemo } from 'react'
import { useAccount } from '../../identity/auth/index.ts'
import { useLibrary } from './library.ts'

/** What decides which actions the page offers for a selection; the same object as long as nothing of it changes. */
export function useFileSituation({
  count,
  hasFile,
  hasFolder,
  hasVirtualFolder,
  isArchive,
}: FileSelection): FileSituation {
  const { service } = useAccount()
  const { permission, isGroup } = useLibrary()
  const canUseWebTransfer = service.transferType !== 1
  return useMemo(
    () => ({
      page: isGroup ? 'group' : 'personal',
      permission,
      selection: { count, hasFile, hasFolder, hasVirtualFolder, isArchive },
      canUseWebTransfer,
    }),
    [isGroup, permission, count, hasFile, hasFolder, hasVirtualFolder, isArchive, canUseWebTransfer],
  )
}
