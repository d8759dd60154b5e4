import { Search, X } from 'lucide-react'
import { type ChangeEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../lib/texts.tsx'
import { Button } from './button.tsx'
import styles from './filter-bar.module.css'
import type { SelectChoice } from './select-field.tsx'

/** One filter of a list. An empty value is off. */
export type Filter =
  | { readonly kind: 'search'; readonly name: string; readonly label: string }
  | { readonly kind: 'day'; readonly name: string; readonly label: string }
  | {
      readonly kind: 'choice'
      readonly name: string
      readonly label: string
      readonly choices: readonly SelectChoice[]
    }

export interface FilterBarProps {
  readonly label: string
  readonly filters: readonly Filter[]
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (name: string, value: string) => void
}

const TYPING_PAUSE_MS = 250

/** What a list is filtered by. The values live with the caller, in the address as a rule. */
export function FilterBar({ label, filters, values, onChange }: FilterBarProps) {
  const texts = useTexts()
  const used = filters.filter(({ name }) => (values[name] ?? '') !== '')
  return (
    <div className={styles['bar']} role="search" aria-label={label}>
      {filters.map((filter) =>
        filter.kind === 'search' ? (
          <SearchFilter
            key={filter.name}
            label={filter.label}
            value={values[filter.name] ?? ''}
            onChange={(value) => onChange(filter.name, value)}
          />
        ) : filter.kind === 'day' ? (
          <label key={filter.name} className={styles['choice']}>
            {filter.label}
            <input
              type="date"
              value={values[filter.name] ?? ''}
              onChange={({ target }) => onChange(filter.name, target.value)}
            />
          </label>
        ) : (
          <label key={filter.name} className={styles['choice']}>
            {filter.label}
            <select value={values[filter.name] ?? ''} onChange={({ target }) => onChange(filter.name, target.value)}>
              <option value="">{texts('filter.all')}</option>
              {filter.choices.map((choice) => (
                <option key={choice.value} value={choice.value}>
                  {choice.label}
                </option>
              ))}
            </select>
          </label>
        ),
      )}
      {used.length > 0 && (
        <Button kind="quiet" onClick={() => used.forEach(({ name }) => onChange(name, ''))}>
          <X size={16} aria-hidden="true" />
          {texts('filter.clear')}
        </Button>
      )}
    </div>
  )
}

interface SearchFilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Filters when the typing pauses; what the address says from elsewhere is shown at once. */
function SearchFilter({ label, value, onChange }: SearchFilterProps) {
  const [typed, setTyped] = useState(value)
  const latest = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** What this field asked for and the address does not say yet. */
  const asked = useRef<readonly string[]>([])
  useLayoutEffect(() => {
    latest.current = value
    const at = asked.current.indexOf(value)
    asked.current = at === -1 ? [] : asked.current.slice(at + 1)
    // Its own words come back without the space that a next word follows, and while that may be typed already.
    if (at !== -1) return
    clearTimeout(timer.current)
    setTyped(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const filter = (wanted: string): void => {
    if (wanted === (asked.current.at(-1) ?? latest.current)) return
    asked.current = [...asked.current, wanted]
    onChange(wanted)
  }
  const onType = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    setTyped(target.value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => filter(target.value.trim()), TYPING_PAUSE_MS)
  }
  return (
    <div className={styles['search']}>
      <Search size={16} aria-hidden="true" />
      <input type="search" value={typed} onChange={onType} placeholder={label} aria-label={label} />
    </div>
  )
}
