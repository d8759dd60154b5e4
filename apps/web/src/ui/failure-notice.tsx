import { useTexts } from '../lib/texts.tsx'
import { Notice } from './notice.tsx'
import styles from './notice.module.css'

/** What a call was refused with, and by what it is found in documentation and log. Nothing while nothing failed. */
export function FailureNotice({ failure }: { readonly failure: unknown }) {
  const texts = useTexts()
  if (failure === undefined || failure === null) return null
  const reference = texts.reference(failure)
  return (
    <Notice kind="error">
      {texts.failure(failure)}
      {reference !== undefined && <small className={styles['reference']}>{reference}</small>}
    </Notice>
  )
}
