import type { SearchResult } from '@godwit/contract'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { parentOf } from '../../../lib/paths.ts'

type Wanted = Pick<SearchResult, 'spaceId' | 'groupId' | 'path' | 'file_type'>

/** Where a result is shown: a folder opened, a file in its folder with its preview unless the folder alone is wanted. */
export function addressOf({ groupId, path, file_type }: Omit<Wanted, 'spaceId'>, what: 'item' | 'folder') {
  const isOpened = what === 'item' && file_type !== 'File'
  const folder = isOpened ? path : parentOf(path)
  const to = groupId === 0 ? '/personal' : `/group/detail/${groupId}`
  const view = what === 'item' && file_type === 'File' ? { view: path.slice(path.lastIndexOf('/') + 1) } : {}
  return { to, search: { ...(folder === '/' ? {} : { path: folder }), ...view } }
}

/** Opens a result or its folder. */
export function useOpenResult(spaceId: number): (result: Wanted, what: 'item' | 'folder') => void {
  const navigate = useNavigate()
  return useCallback(
    (result, what) => {
      const address = addressOf(result, what)
      if (result.spaceId === spaceId) return void navigate(address)
      // The page of another space starts anew, with the permissions of that space.
      const search = new URLSearchParams({ ...address.search, space: String(result.spaceId) })
      location.assign(`${address.to}?${search}`)
    },
    [navigate, spaceId],
  )
}
