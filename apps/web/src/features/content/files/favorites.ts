import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Place } from '../../../lib/file-socket.ts'
import { joinPath } from '../../../lib/paths.ts'
import type { CommandDeps } from './file-commands.ts'
import { useFilesServices } from './files-services.tsx'

/** Of everything that lists favorites, and of what was worked with lately. */
export const MARK_KEYS = ['marks']

const NONE: ReadonlySet<string> = new Set()
/** Marks follow a renamed entry a moment after its folder shows the new name. */
const FOLLOWED_MS = 1_500

function keyOf(place: Place, folder: string): readonly unknown[] {
  return [...MARK_KEYS, 'folder', place.spaceId, place.groupId, folder]
}

/** Names in the folder that are favorites. @param version of the folder; another one when anything in it has changed */
export function useFavorites(folder: string, version: string): ReadonlySet<string> {
  const { operate, place } = useFilesServices()
  const client = useQueryClient()
  useEffect(() => {
    if (version === '') return undefined
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: keyOf(place, folder) }), FOLLOWED_MS)
    return () => clearTimeout(timer)
  }, [client, place, folder, version])
  const { data } = useQuery({
    queryKey: keyOf(place, folder),
    queryFn: ({ signal }) => operate('favoritesIn', { ...place, folder }, signal),
    select: namesOf,
  })
  return data ?? NONE
}

function namesOf({ names }: { readonly names: readonly string[] }): ReadonlySet<string> {
  return new Set(names)
}

/** Marks entries of a folder as favorites, or takes the mark off: shown at once, taken back when the server refuses. */
export async function setFavorite(
  { client, operate, place, messages, texts }: CommandDeps,
  folder: string,
  { names, isFavorite }: { readonly names: readonly string[]; readonly isFavorite: boolean },
): Promise<void> {
  const key = keyOf(place, folder)
  await client.cancelQueries({ queryKey: key })
  const before = client.getQueryData<{ readonly names: readonly string[] }>(key)?.names ?? []
  const others = before.filter((name) => !names.includes(name))
  client.setQueryData(key, { names: isFavorite ? [...others, ...names] : others })
  try {
    await operate('mark', { ...place, paths: names.map((name) => joinPath(folder, name)), isFavorite })
    const done = isFavorite ? 'favorite.added' : 'favorite.removed'
    messages.notify('success', texts(done, { count: names.length, name: names[0] ?? '' }))
  } catch (error) {
    client.setQueryData(key, { names: before })
    messages.fail(error, texts)
  } finally {
    await client.invalidateQueries({ queryKey: MARK_KEYS })
  }
}
