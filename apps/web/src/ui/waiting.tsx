import { CloudOff } from 'lucide-react'
import { useTexts } from '../lib/texts.tsx'
import styles from './waiting.module.css'

/** The page before there is anything to show; invisible for its first 200 ms. */
export function Waiting({ isOffline = false }: { readonly isOffline?: boolean }) {
  const texts = useTexts()
  return (
    <main className={styles['waiting']} aria-busy="true">
      <div className={styles['offline']}>
        <div className={styles['ring']} role="status" aria-label={texts('app.loading')} />
        {isOffline && (
          <p role="status">
            <CloudOff size={18} aria-hidden="true" /> {texts('app.offline')}
          </p>
        )}
      </div>
    </main>
  )
}
