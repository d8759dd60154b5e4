import { useTexts } from '../../../lib/texts.tsx'
import styles from './hero.module.css'

/** What stands beside the card of a page without a session, where there is room. */
export function Hero() {
  const texts = useTexts()
  return (
    <>
      <p className={styles['claim']}>{texts('sign-in.claim')}</p>
      <p>{texts('sign-in.claim.more')}</p>
    </>
  )
}
