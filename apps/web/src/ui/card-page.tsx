import { SCREEN } from '@godwit/contract/limits'
import type { CSSProperties, ReactNode } from 'react'
import styles from './card-page.module.css'
import { classNames } from './class-names.ts'
import { Logo } from './logo.tsx'

const PLACES = [
  'top-left',
  'top',
  'top-right',
  'left',
  'centre',
  'right',
  'bottom-left',
  'bottom',
  'bottom-right',
] as const

/** The card stands at one side. */
const HERO_PLACES: ReadonlySet<number> = new Set([1, 3, 4, 6, 7, 9])

export interface CardPageProps {
  readonly title: string
  readonly lead?: string
  /** 1 to 9, rows first; in the middle where no site says so. */
  readonly position?: number
  /** A CSS background: colour or image. */
  readonly background?: string | undefined
  /** Beside the card on a wide screen, while the card stands at one side and the page has no background of its own. */
  readonly hero?: ReactNode
  readonly foot?: ReactNode
  /** The last line of the card. */
  readonly imprint?: ReactNode
  readonly children: ReactNode
}

export function CardPage({
  title,
  lead,
  position = SCREEN.signInPositionFallback,
  background,
  hero,
  foot,
  imprint,
  children,
}: CardPageProps) {
  const place = styles[PLACES[position - 1] ?? 'centre']
  const hasHero = hero !== undefined && background === undefined && HERO_PLACES.has(position)
  const style = background === undefined ? {} : ({ '--page-background': background } as CSSProperties)
  return (
    <main className={classNames(styles['page'], place, hasHero && styles['withHero'])} style={style}>
      <section className={styles['card']} aria-labelledby="card-title">
        <header className={styles['head']}>
          <Logo size={40} />
          <h1 className={styles['title']} id="card-title">
            {title}
          </h1>
        </header>
        {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
        {children}
        {foot !== undefined && <footer className={styles['foot']}>{foot}</footer>}
        {imprint}
      </section>
      {hasHero && <div className={styles['hero']}>{hero}</div>}
    </main>
  )
}
