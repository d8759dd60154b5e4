import styles from './busy-overlay.module.css'
import { Ring } from './ring.tsx'

/** Covers the page while it must not be used, and says why. */
export function BusyOverlay({ text }: { readonly text: string }) {
  return (
    <div className={styles['overlay']} data-testid="busy">
      <div className={styles['box']} role="status">
        <Ring />
        {text}
      </div>
    </div>
  )
}
