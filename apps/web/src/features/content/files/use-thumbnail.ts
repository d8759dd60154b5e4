import { previews } from '@godwit/contract/table/previews'
import { isFilmName, isPictureName } from '@godwit/contract/content/previews'
import { useEffect, useReducer } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useAccount } from '../../identity/auth/index.ts'
import { useFilesServices } from './files-services.tsx'
import { createThumbnails } from './thumbnails.ts'

const thumbnails = createThumbnails()

export interface ThumbnailOf {
  readonly path: string
  readonly size: number
  readonly time: number
  readonly isFile: boolean
}

/** @returns the address of the small picture of a file, once it is there */
export function useThumbnail({ path, size, time, isFile }: ThumbnailOf): string | undefined {
  const { api } = useServices()
  const { place } = useFilesServices()
  const { user } = useAccount()
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  const { spaceId, groupId } = place
  const hasPicture = isFile && size > 0 && (isPictureName(path) || isFilmName(path))
  // Another person at this page, another place or newer content has pictures of its own.
  const key = hasPicture ? JSON.stringify([user.id, spaceId, groupId, path, time, size]) : undefined
  const known = key === undefined ? null : thumbnails.peek(key)
  const isWanted = key !== undefined && known === undefined
  useEffect(() => {
    if (!isWanted) return undefined
    const query = new URLSearchParams({ path, spaceId: String(spaceId), groupId: String(groupId) })
    const address = `${previews.thumbnail.path}?${query}`
    return thumbnails.want(key, (signal) => fetchPicture(address, { signal, headers: api.headers() }), refresh)
  }, [isWanted, key, path, spaceId, groupId, api])
  return known ?? undefined
}

/** @throws Error when the server may answer otherwise later */
async function fetchPicture(address: string, init: RequestInit): Promise<Blob | null> {
  const response = await fetch(address, init)
  if (response.ok) return response.blob()
  // Not a picture, not allowed, not there any more.
  if (response.status === 400) return null
  throw new Error(`no picture: ${response.status}`)
}
