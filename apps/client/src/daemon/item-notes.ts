import type { LocalConflicts } from '@godwit/contract'
import { escaped } from '@godwit/transfer/cli'
import type { Note, NoteAction } from '../desktop/notifications.ts'
import type { NoteTexts } from '../desktop/note-texts.ts'
import type { QueueItem } from '../queue/queue.ts'
import { uploadName } from '../transfers/upload-name.ts'

export interface NoteDeps {
  readonly texts: NoteTexts
  /** Shows a folder of this computer, or a page of a server. */
  readonly open: (place: string) => void
  /** Undefined where nothing holds a clipboard. */
  readonly copy: ((text: string) => void) | undefined
  /** Shows the page of the client. */
  readonly show: () => void
}

/** What a notification says about a transfer. @returns undefined for what the person did at this computer, and knows */
export function itemNote(deps: NoteDeps, item: QueueItem, conflicts: LocalConflicts | undefined): Note | undefined {
  const { texts } = deps
  const { direction, state, paths, failures } = item
  const text = escaped(direction === 'upload' ? uploadName(paths) : paths.join(', '))
  const show = { label: texts.show, run: deps.show }
  const wrong = { text, isUrgent: true, actions: [show], kind: `item ${item.id}` }
  switch (state) {
    case 'done': {
      const title = direction === 'upload' ? texts.uploaded : texts.downloaded
      return { title, text, isUrgent: false, actions: doneActions(deps, item), kind: 'done' }
    }
    case 'asking':
      return { ...wrong, title: texts.asking(conflicts?.count ?? 0) }
    case 'partial':
      return { ...wrong, title: texts.partial(failures.length) }
    case 'failed':
      return { ...wrong, title: texts.failed }
    case 'waiting':
    case 'running':
    case 'paused':
    case 'cancelled':
      return undefined
  }
}

function doneActions({ texts, open, copy }: NoteDeps, item: QueueItem): readonly NoteAction[] {
  const place = item.direction === 'download' ? item.target : folderAddress(item)
  if (place === undefined) return []
  const actions = [{ label: texts.openFolder, run: () => open(place) }]
  if (item.direction === 'upload' && copy !== undefined) actions.push({ label: texts.copyLink, run: () => copy(place) })
  return actions
}

/** Where a browser shows the folder of an upload; undefined for files of a group, whose pages have addresses of their own. */
export function folderAddress({ server, groupId, target }: QueueItem): string | undefined {
  if (groupId !== 0) return undefined
  const url = new URL('/personal', server)
  if (target !== '/') url.searchParams.set('path', target)
  return url.href
}
