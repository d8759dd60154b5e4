import styles from './reference.module.css'

/** By what a failure is found in documentation and log: code and request, below its text. */
export function Reference({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <small className={styles['reference']}>{text}</small>
}
