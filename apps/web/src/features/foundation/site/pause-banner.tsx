import { CirclePause } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import styles from './pause-banner.module.css'
import { useSite } from './site.tsx'

/** Says why nothing new begins, above whatever the page shows; nothing while the server takes everything. */
export function PauseBanner() {
  const texts = useTexts()
  if (!useSite().isPaused) return null
  return (
    <div className={styles['banner']} role="status" data-testid="paused">
      <CirclePause size={18} aria-hidden="true" />
      <span>{texts('site.paused')}</span>
    </div>
  )
}
