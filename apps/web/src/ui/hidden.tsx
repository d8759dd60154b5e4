import type { ReactNode } from 'react'
import styles from './hidden.module.css'

/** Text that is only read aloud. `live` speaks changes, politely. */
export function Hidden({ live = false, children }: { readonly live?: boolean; readonly children: ReactNode }) {
  return (
    <span className={styles['hidden']} {...(live ? { role: 'status', 'aria-live': 'polite' as const } : {})}>
      {children}
    </span>
  )
}
