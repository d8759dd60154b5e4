import type { FileSelection, FileSituation } from '@godwit/contract/content/file-actions'
import { useMemo } from 'react'
import { useLibrary } from './library.ts'
import { useTransferWays } from './use-transfer-ways.ts'

/** What decides which actions the page offers for a selection; the same object as long as nothing of it changes. */
export function useFileSituation({
  count,
  hasFile,
  hasFolder,
  hasVirtualFolder,
  isArchive,
}: FileSelection): FileSituation {
  const { permission, isGroup, canSync } = useLibrary()
  const { upload: ways } = useTransferWays()
  return useMemo(
    () => ({
      page: isGroup ? 'group' : 'personal',
      permission,
      selection: { count, hasFile, hasFolder, hasVirtualFolder, isArchive },
      canUseWebTransfer: ways.includes('web'),
      canUseClientTransfer: ways.includes('client'),
      canSync,
    }),
    [isGroup, permission, count, hasFile, hasFolder, hasVirtualFolder, isArchive, ways, canSync],
  )
}
