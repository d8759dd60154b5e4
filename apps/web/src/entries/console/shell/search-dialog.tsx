import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useRef, useState } from 'react'
import { hasRight, useAdministrator } from '../../../features/identity/administration/index.ts'
import type { SearchHit } from '../../../lib/console-feature.ts'
import { keyedRow } from '../../../lib/list-keys.ts'
import { usePinyin } from '../../../lib/pinyin.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { menuOf, SEARCHES } from '../features.ts'
import styles from './search-dialog.module.css'

interface HitGroup {
  readonly label: string
  readonly hits: readonly SearchHit[]
}

const KEEP_MS = 30_000

/** Finds pages and objects of the console by a part of their name; arrows and Enter work from the field. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [focus, setFocus] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const { groups, isFetching } = useHits(useDeferredValue(text.trim()))
  const hits = groups.flatMap((group) => group.hits)
  const open = ({ to, search = {} }: SearchHit): void => {
    onClose()
    void navigate({ to, search })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = keyedRow(focus, event.key, { count: hits.length, rowsPerPage: 5 })
    const chosen = hits[focus]
    if (event.key === 'Enter' && chosen !== undefined) open(chosen)
    else if (next === undefined || hits.length === 0 || event.key === 'Home' || event.key === 'End') return
    else setFocus(next)
    event.preventDefault()
  }
  return (
    <Dialog
      title={texts('console.search')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      width="wide"
      initialFocus={field}
    >
      <div className={styles['search']}>
        <TextField
          ref={field}
          label={texts('console.search.label')}
          type="search"
          autoComplete="off"
          role="combobox"
          aria-expanded={hits.length > 0}
          aria-controls="console-hits"
          aria-activedescendant={hits[focus] === undefined ? undefined : `hit-${focus}`}
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setText(target.value)
            setFocus(0)
          }}
        />
        <div id="console-hits" role="listbox" aria-label={texts('console.search')} className={styles['hits']}>
          {groups.map(({ label, hits: inGroup }) => (
            <div key={label} role="group" aria-label={label}>
              <p className={styles['label']} aria-hidden="true">
                {label}
              </p>
              {inGroup.map((hit) => (
                <Hit
                  key={hit.id}
                  hit={hit}
                  index={hits.indexOf(hit)}
                  isFocused={hits[focus] === hit}
                  onFocus={setFocus}
                  onOpen={open}
                />
              ))}
            </div>
          ))}
        </div>
        <p className={styles['none']} role="status">
          {hits.length === 0 && !isFetching && texts('console.search.none')}
        </p>
      </div>
    </Dialog>
  )
}

interface HitProps {
  readonly hit: SearchHit
  readonly index: number
  readonly isFocused: boolean
  readonly onFocus: (index: number) => void
  readonly onOpen: (hit: SearchHit) => void
}

/** The focus stays in the field, which names the line it stands on. */
function Hit({ hit, index, isFocused, onFocus, onOpen }: HitProps) {
  return (
    <button
      type="button"
      id={`hit-${index}`}
      role="option"
      aria-selected={isFocused}
      tabIndex={-1}
      className={styles['hit']}
      onClick={() => onOpen(hit)}
      onPointerMove={() => onFocus(index)}
    >
      <span>{hit.name}</span>
      {hit.detail !== undefined && <small>{hit.detail}</small>}
    </button>
  )
}

function useHits(text: string): { readonly groups: readonly HitGroup[]; readonly isFetching: boolean } {
  const texts = useTexts()
  const me = useAdministrator()
  const { api } = useServices()
  const wanted = text.toLocaleLowerCase()
  const holdsPinyin = usePinyin()
  const pages: HitGroup = {
    label: texts('console.search.pages'),
    hits: menuOf(me)
      .flatMap((section) => section.pages)
      .map(({ path, title }) => ({ id: path, name: texts(title), to: path }))
      .filter(({ name }) => name.toLocaleLowerCase().includes(wanted) || holdsPinyin(name, wanted)),
  }
  const searches = SEARCHES.filter(({ right }) => hasRight(me, right))
  const found = useQueries({
    queries: searches.map(({ label, find }) => ({
      queryKey: ['console', 'search', label, text],
      enabled: text !== '',
      staleTime: KEEP_MS,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => find(api, text, signal),
    })),
  })
  const objects = found.map(({ data = [] }, at) => ({
    label: texts(searches[at]?.label ?? 'console.search'),
    hits: data,
  }))
  return {
    groups: [pages, ...objects].filter(({ hits }) => hits.length > 0),
    isFetching: found.some((each) => each.isFetching),
  }
}
