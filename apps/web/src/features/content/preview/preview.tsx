import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Place } from '../../../lib/file-socket.ts'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { isTransient } from '../../../lib/http.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { FullWindow } from '../../../ui/full-window.tsx'
import type { Neighbours } from './neighbours.ts'
import { useOpenViews } from './open-views.ts'
import styles from './preview.module.css'
import { PreviewContent } from './preview-content.tsx'

export interface PreviewProps {
  readonly operate: FileOperations
  readonly place: Place
  readonly path: string
  readonly name: string
  readonly neighbours: Neighbours
  readonly onTurn: (name: string) => void
  /** Absent: it may be looked at only. */
  readonly onDownload?: (() => void) | undefined
  readonly onClose: () => void
}

/** One file over the whole page. What of it can be shown is decided by the server, from its content. */
export function Preview({ operate, place, path, name, neighbours, onTurn, onDownload, onClose }: PreviewProps) {
  const texts = useTexts()
  const contentRef = useRef<HTMLDivElement>(null)
  const views = useOpenViews(operate, path)
  const query = useQuery({
    queryKey: ['preview', place.spaceId, place.groupId, path],
    queryFn: () => views.begin(place),
    // A link stays good for hours; whoever opens the file again may see another version of it.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: (count, error) => count < 3 && isTransient(error),
  })
  const { previous, next } = neighbours
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = turnedTo(event, neighbours)
    if (to === undefined) return
    event.preventDefault()
    onTurn(to)
  }
  const file = query.data
  return (
    <FullWindow
      title={name}
      note={file && texts('preview.facts', { size: formatSize(file.size, texts.locale), time: formatTime(file.time) })}
      closeLabel={texts('preview.close')}
      onClose={onClose}
      onKeyDown={onKeyDown}
      initialFocus={contentRef}
      actions={
        <>
          <IconButton
            label={texts('preview.previous')}
            icon={<ChevronLeft size={20} aria-hidden="true" />}
            disabled={previous === undefined}
            onClick={() => previous !== undefined && onTurn(previous)}
          />
          <IconButton
            label={texts('preview.next')}
            icon={<ChevronRight size={20} aria-hidden="true" />}
            disabled={next === undefined}
            onClick={() => next !== undefined && onTurn(next)}
          />
          {onDownload !== undefined && (
            <IconButton
              label={texts('action.download')}
              icon={<Download size={20} aria-hidden="true" />}
              onClick={onDownload}
            />
          )}
        </>
      }
    >
      <div
        ref={contentRef}
        className={styles['content']}
        role="region"
        aria-label={texts('preview.content', { name })}
        aria-busy={query.isFetching}
        tabIndex={-1}
        data-view={file?.view}
      >
        <PreviewContent
          key={path}
          name={name}
          file={file}
          error={query.error}
          onRetry={() => void query.refetch()}
          onDownload={onDownload}
        />
      </div>
    </FullWindow>
  )
}

/** The file that an arrow key leads to. Players and fields keep their own arrows. */
function turnedTo(event: KeyboardEvent, { previous, next }: Neighbours): string | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  if (event.target instanceof Element && event.target.closest('video, audio, input, select') !== null) return undefined
  if (event.key === 'ArrowLeft') return previous
  return event.key === 'ArrowRight' ? next : undefined
}
