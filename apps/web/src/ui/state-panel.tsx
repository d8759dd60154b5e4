import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Reference } from './reference.tsx'
import styles from './state-panel.module.css'

export interface StatePanelProps {
  readonly icon: ReactNode
  readonly title: string
  /** 1 where the panel is the whole page; 2 (default) where the page has a title of its own. */
  readonly level?: 1 | 2
  readonly text?: string | undefined
  /** Of a failure: by what it is found in documentation and log. */
  readonly reference?: string | undefined
  readonly kind?: 'plain' | 'error'
  readonly actions?: ReactNode
}

/** What stands in place of content: empty, failed, not allowed; with the next thing to do. */
export function StatePanel({ icon, title, text, reference, kind = 'plain', actions, level = 2 }: StatePanelProps) {
  const Heading = `h${level}` as const
  return (
    <div
      className={classNames(styles['panel'], kind === 'error' && styles['error'])}
      role={kind === 'error' ? 'alert' : undefined}
    >
      <div className={styles['icon']} aria-hidden="true">
        {icon}
      </div>
      <Heading className={styles['title']}>{title}</Heading>
      {text !== undefined && <p className={styles['text']}>{text}</p>}
      <Reference text={reference} />
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </div>
  )
}
