import { useEffect, useMemo, useRef, useState } from 'react'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Place } from '../../../lib/file-socket.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAccount } from '../../identity/auth/index.ts'
import { spaceName } from '../spaces/index.ts'
import { byRelevance } from './found-text.ts'
import styles from './search.module.css'
import { SearchFields } from './search-fields.tsx'
import { isFiltered, type SearchChoice } from './search-filters.ts'
import { SearchResults } from './search-results.tsx'
import { useOpenResult } from './use-open-result.ts'
import { type SearchState, useHasContents, useSearch } from './use-search.ts'

export interface SearchDialogProps {
  readonly operate: FileOperations
  readonly place: Place
  /** The folder that is on the screen. */
  readonly folder: string
  readonly iconOf: (name: string, isFolder: boolean) => string
  readonly onClose: () => void
}

/** Finds files and folders by a part of their name, and documents by their words: in this folder, below it, or wherever one may look. */
export function SearchDialog({ operate, place, folder, iconOf, onClose }: SearchDialogProps) {
  const texts = useTexts()
  const [text, setText] = useState('')
  const [choice, setChoice] = useState<SearchChoice>({ scope: 'below', kind: '', size: '', age: '', inContents: false })
  const hasContents = useHasContents({ operate, place, folder })
  const state = useSearch({ operate, place, folder, text, choice })
  const open = useOpenResult(place.spaceId)
  const rootOf = useRootNames(place)
  const ref = useRef<HTMLInputElement>(null)
  const items = useMemo(
    () => [...byRelevance(state.items, text.trim()), ...state.documents],
    [state.items, state.documents, text],
  )
  const enter = useEnter(state)
  const isAsked = text.trim() !== '' || isFiltered(choice)
  return (
    <Dialog
      title={texts('find.title')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      width="wide"
      initialFocus={ref}
    >
      <TextField
        ref={ref}
        label={texts(choice.inContents ? 'find.placeholder-contents' : 'find.placeholder')}
        type="search"
        maxLength={255}
        value={text}
        onChange={(event) => {
          enter.forget()
          setText(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
          event.preventDefault()
          if (event.key === 'Enter') enter.press()
          else firstResult()?.focus()
        }}
        onBlur={enter.forget}
      />
      <SearchFields choice={choice} hasContents={hasContents} onChange={setChoice} />
      <p className={styles['summary']} role="status" aria-busy={state.isRunning}>
        {isAsked ? summaryOf(state, texts) : ''}
      </p>
      {items.length > 0 && (
        <SearchResults
          items={items}
          text={text.trim()}
          rootOf={rootOf}
          iconOf={iconOf}
          onOpen={(result, what) => {
            onClose()
            open(result, what)
          }}
          onLeave={() => ref.current?.focus()}
        />
      )}
    </Dialog>
  )
}

function firstResult(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-result]')
}

/** Enter opens the first result: of what is typed, so it waits for the answer while an earlier one is shown. */
function useEnter(state: SearchState) {
  const isWaiting = useRef(false)
  useEffect(() => {
    if (state.isEarlier || !isWaiting.current) return
    isWaiting.current = false
    firstResult()?.click()
  }, [state])
  return {
    press(): void {
      if (state.isEarlier) isWaiting.current = true
      else firstResult()?.click()
    },
    forget(): void {
      isWaiting.current = false
    },
  }
}

function summaryOf({ items, documents, isRunning, hasMore, building, error }: SearchState, texts: Texts): string {
  if (error !== undefined) return texts.failure(error)
  const count = items.length + documents.length
  const found =
    count === 0
      ? texts(isRunning ? 'find.running' : 'find.none')
      : texts(hasMore ? 'find.more' : 'find.results', { count })
  if (building === undefined) return found
  const { seen, unread } = building
  if (unread !== null && unread > 0) return `${found} ${texts('find.unread', { count: unread })}`
  return `${found} ${seen === null ? texts('find.building') : texts('find.building-seen', { count: seen })}`
}

/** What the root of a result's place is called; of another space, with the name of that. */
function useRootNames(place: Place): (of: { readonly spaceId: number; readonly groupName: string }) => string {
  const texts = useTexts()
  const { user } = useAccount()
  return ({ spaceId, groupName }) => {
    const root = groupName === '' ? texts('files.root') : groupName
    const space = spaceId === place.spaceId ? undefined : user.spaceInfo.find(({ id }) => id === spaceId)
    return space === undefined ? root : `${spaceName(space, texts)} › ${root}`
  }
}
