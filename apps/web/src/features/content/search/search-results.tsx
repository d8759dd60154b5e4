import type { SearchResult, SearchSnippet } from '@godwit/contract'
import { FolderOpen } from 'lucide-react'
import { Fragment, type KeyboardEvent } from 'react'
import { formatMinute, formatSize } from '../../../lib/formats.ts'
import { parentOf } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/button.tsx'
import { splitAtMatch } from './found-text.ts'
import styles from './search.module.css'

interface SearchResultsProps {
  readonly items: readonly SearchResult[]
  readonly text: string
  /** What the root of a place is called. */
  readonly rootOf: (result: SearchResult) => string
  readonly iconOf: (name: string, isFolder: boolean) => string
  readonly onOpen: (result: SearchResult, what: 'item' | 'folder') => void
  /** Up from the first one. */
  readonly onLeave: () => void
}

/** Arrow keys go from row to row, Enter opens; each row also leads to its folder. */
export function SearchResults({ items, onLeave, ...row }: SearchResultsProps) {
  const texts = useTexts()
  return (
    <ul className={styles['results']} aria-label={texts('find.title')}>
      {items.map((item) => (
        <Result key={`${item.spaceId}/${item.groupId}${item.path}`} item={item} onLeave={onLeave} {...row} />
      ))}
    </ul>
  )
}

type ResultProps = Omit<SearchResultsProps, 'items'> & { readonly item: SearchResult }

function Result({ item, text, rootOf, iconOf, onOpen, onLeave }: ResultProps) {
  const texts = useTexts()
  const [before, match, after] = splitAtMatch(item.name, text)
  const isFolder = item.file_type !== 'File'
  const folder = parentOf(item.path)
  return (
    <li className={styles['result']}>
      <button
        type="button"
        data-result
        className={classNames(styles['open'], iconOf(item.name, isFolder))}
        onClick={() => onOpen(item, 'item')}
        onKeyDown={(event) => moveFocus(event, onLeave)}
      >
        <span className={styles['words']} translate="no">
          <span className={styles['name']}>
            {before}
            {match !== '' && <mark>{match}</mark>}
            {after}
          </span>
          <span className={styles['path']}>
            {rootOf(item)}
            {folder === '/' ? '' : folder}
          </span>
          {item.snippet !== null && <Snippet {...item.snippet} />}
        </span>
        {!isFolder && <span className={styles['fact']}>{formatSize(item.size, texts.locale)}</span>}
        <span className={classNames(styles['fact'], styles['time'])}>{formatMinute(item.time)}</span>
      </button>
      <IconButton
        label={texts('find.open-folder', { name: item.name })}
        icon={<FolderOpen size={18} aria-hidden="true" />}
        onClick={() => onOpen(item, 'folder')}
        onKeyDown={(event) => moveFocus(event, onLeave)}
      />
    </li>
  )
}

/** A piece of the document, with what was found in it marked. */
function Snippet({ text, marks }: SearchSnippet) {
  return (
    <span className={styles['snippet']}>
      {marks.map(({ start, end }, at) => (
        <Fragment key={start}>
          {text.slice(marks[at - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </span>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>, onLeave: () => void): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('[data-result]') ?? [])]
  const at = rows.findIndex((row) => row.parentElement === event.currentTarget.closest('li'))
  if (at + step < 0) onLeave()
  else rows[at + step]?.focus()
}
