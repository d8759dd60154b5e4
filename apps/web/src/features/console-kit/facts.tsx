import type { ReactNode } from 'react'
import styles from './console-kit.module.css'

export interface Fact {
  readonly label: string
  /** A dash stands in for nothing. */
  readonly value: ReactNode
}

/** What is known of an object: names at the left, facts at the right, one under the other on a phone. */
export function Facts({ title, facts }: { readonly title?: string; readonly facts: readonly Fact[] }) {
  return (
    <section className={styles['facts']}>
      {title !== undefined && <h3>{title}</h3>}
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value === '' || value === undefined || value === null ? '-' : value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
