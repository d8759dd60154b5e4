import type { ReactNode } from 'react'
import styles from './code-row.module.css'

/** The field of a code with the button that sends another one at its side. */
export function CodeRow({ children }: { readonly children: ReactNode }) {
  return <div className={styles['row']}>{children}</div>
}
