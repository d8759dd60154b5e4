import { useTexts } from '../../lib/texts.tsx'
import styles from './waiting.module.css'

/** The page before there is anything to show; invisible for its first 200 ms. */
export function Waiting() {
  const texts = useTexts()
  return (
    <main className={styles['waiting']} aria-busy="true">
      <div className={styles['ring']} role="status" aria-label={texts('app.loading')} />
    </main>
  )
}
