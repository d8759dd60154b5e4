import { type ReactNode, useEffect, useRef } from 'react'
import styles from './entry-list.module.css'

export interface Entry {
  readonly id: string
  readonly icon: ReactNode
  readonly title: ReactNode
  /** Each stands apart from the next. */
  readonly facts: readonly ReactNode[]
  readonly actions?: ReactNode
}

/** What a person has of one kind, each with its facts in a line and what can be done with it. */
export function EntryList({ label, entries }: { readonly label: string; readonly entries: readonly Entry[] }) {
  const list = useRef<HTMLUListElement>(null)
  const count = entries.length
  const before = useRef(count)
  useEffect(() => {
    // Who removed an entry by its own button would stand nowhere.
    if (count < before.current && document.activeElement === document.body) list.current?.focus()
    before.current = count
  }, [count])
  return (
    <ul className={styles['list']} aria-label={label} ref={list} tabIndex={-1}>
      {entries.map(({ id, icon, title, facts, actions }) => (
        <li key={id} className={styles['entry']}>
          <span className={styles['icon']} aria-hidden="true">
            {icon}
          </span>
          <div className={styles['words']}>
            <div className={styles['title']}>{title}</div>
            <ul className={styles['facts']}>
              {facts.map((fact, index) => (
                // Facts have a fixed order and no identity of their own.
                <li key={index}>{fact}</li>
              ))}
            </ul>
          </div>
          {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
        </li>
      ))}
    </ul>
  )
}

/** A word on how something stands. */
export function Tag({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'good' | 'bad'
  readonly children: ReactNode
}) {
  return <span className={`${styles['tag']} ${styles[tone]}`}>{children}</span>
}
