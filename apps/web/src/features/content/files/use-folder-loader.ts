import { useCallback } from 'react'
import { joinPath } from '../../../lib/paths.ts'
import type { TreeNode } from '../../../ui/tree/index.ts'
import { useFilesServices } from './files-services.tsx'
import { loadFolderNames } from './folder-query.ts'

/** The branches of a tree of folders. */
export function useFolderLoader(): (folder: string, signal: AbortSignal) => Promise<readonly TreeNode[]> {
  const { operate, place } = useFilesServices()
  return useCallback(
    async (folder, signal) => {
      const names = await loadFolderNames({ operate, place, folder, signal })
      return names.map((name) => ({ id: joinPath(folder, name), name }))
    },
    [operate, place],
  )
}
