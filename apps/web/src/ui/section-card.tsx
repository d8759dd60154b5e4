import { type ReactNode, useId } from 'react'
import styles from './section-card.module.css'

export interface SectionCardProps {
  readonly title: string
  readonly lead?: string
  /** Stands beside the title: the section's own button. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** One matter of a settings page: its name, one sentence about it, and what belongs to it. */
export function SectionCard({ title, lead, action, children }: SectionCardProps) {
  const id = useId()
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <header className={styles['head']}>
        <div className={styles['words']}>
          <h2 className={styles['title']} id={id}>
            {title}
          </h2>
          {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
        </div>
        {action !== undefined && <div className={styles['action']}>{action}</div>}
      </header>
      <div className={styles['body']}>{children}</div>
    </section>
  )
}
