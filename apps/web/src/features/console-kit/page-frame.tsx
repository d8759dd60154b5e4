import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './console-kit.module.css'

export interface PageFrameProps {
  readonly title: string
  /** What the page is for, in one line. */
  readonly help?: string
  /** The page above this one. */
  readonly back?: { readonly to: string; readonly label: string }
  /** Beside the title: what is most likely wanted here. */
  readonly actions?: ReactNode
  /** Forms keep to the width that is easy to read. */
  readonly isNarrow?: boolean
  readonly children: ReactNode
}

/** The one container of every page of the console. */
export function PageFrame({ title, help, back, actions, isNarrow = false, children }: PageFrameProps) {
  return (
    <section className={isNarrow ? styles['narrow'] : styles['page']} aria-labelledby="page-title">
      <header className={styles['head']}>
        <div className={styles['words']}>
          {back !== undefined && (
            <Link className={styles['back']} to={back.to}>
              <ChevronLeft size={16} aria-hidden="true" />
              {back.label}
            </Link>
          )}
          <h1 className={styles['title']} id="page-title">
            {title}
          </h1>
          {help !== undefined && <p className={styles['help']}>{help}</p>}
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
