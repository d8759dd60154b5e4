import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './tag.module.css'

/** A word on how something stands. */
export function Tag({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'good' | 'warning' | 'bad'
  readonly children: ReactNode
}) {
  return <span className={classNames(styles['tag'], styles[tone])}>{children}</span>
}
