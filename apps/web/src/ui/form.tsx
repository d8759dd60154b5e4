import type { FormEvent, ReactNode } from 'react'
import styles from './form.module.css'

export interface FormProps {
  readonly onSubmit: (form: HTMLFormElement) => void
  readonly children: ReactNode
}

/** Fields one under the other; Enter in any of them submits. The page checks them itself, so the browser's bubbles stay away. */
export function Form({ onSubmit, children }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    // React passes it on to the form that opened this one in a dialog, which is not to be sent with it.
    event.stopPropagation()
    onSubmit(event.currentTarget)
  }
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      {children}
    </form>
  )
}
