import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '@godwit/contract/wire/api-error'
import { DirectMedia } from '../direct-media.tsx'
import { Opening } from '../opening.tsx'
import { readFilm } from '../read-spans.ts'
import type { ViewProps } from '../view-props.ts'
import { StreamedMedia } from './streamed-media.tsx'

/** Film and sound: as they are where this browser plays them, otherwise in pieces that the server makes as they are watched. */
export function FilmView({ file, onBroken }: ViewProps) {
  const { data: film, error } = useQuery({
    queryKey: ['preview-film', file.url],
    queryFn: ({ signal }) => readFilm(file.url, signal),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  const [isRefused, setRefused] = useState(false)
  const isUnknown = error instanceof ApiError && error.name === 'PREVIEW_UNSUPPORTED'
  // The first error replaces this view.
  useEffect(() => {
    if (error !== null && !isUnknown) onBroken(error)
  }, [error, isUnknown, onBroken])
  // This browser may know more than the server does.
  if (isUnknown) return <DirectMedia file={file} onBroken={onBroken} />
  if (film === undefined) return <Opening name={file.name} />
  if (!film.isDirect || isRefused) return <StreamedMedia file={file} onBroken={onBroken} />
  return (
    <DirectMedia
      file={file}
      onBroken={() => setRefused(true)}
      // A browser that knows the sound alone plays that, without a word.
      onLoaded={({ hasPicture }) => setRefused(film.hasPicture && !hasPicture)}
    />
  )
}
