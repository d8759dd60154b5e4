import type { FormEvent, ReactNode } from 'react'
import styles from './form.module.css'

/** Fields one under the other; Enter in any of them submits. The page checks them itself, so the browser's bubbles stay away. */
export function Form({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: ReactNode }) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      {children}
    </form>
  )
}
