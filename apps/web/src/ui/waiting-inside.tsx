import { useTexts } from '../lib/texts.tsx'
import { Ring } from './ring.tsx'
import styles from './waiting-inside.module.css'

/** A part of a page before there is anything to show in it; invisible for its first 200 ms. */
export function WaitingInside() {
  const texts = useTexts()
  return (
    <p className={styles['waiting']} role="status">
      <Ring /> {texts('app.loading')}
    </p>
  )
}
