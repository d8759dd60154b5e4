import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './notice.module.css'

export type NoticeKind = 'error' | 'info' | 'success' | 'warning'

const ICONS = { error: CircleAlert, info: Info, success: CircleCheck, warning: TriangleAlert } as const

/** A message that stays: state as icon, word and colour together. Errors interrupt a screen reader, the rest waits. */
export function Notice({ kind, children }: { readonly kind: NoticeKind; readonly children: ReactNode }) {
  const Icon = ICONS[kind]
  return (
    <div className={classNames(styles['notice'], styles[kind])} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon size={18} aria-hidden="true" />
      <div className={styles['text']}>{children}</div>
    </div>
  )
}
