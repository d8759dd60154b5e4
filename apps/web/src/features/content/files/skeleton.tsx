import { useTexts } from '../../../lib/texts.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import styles from './file-grid.module.css'

const WIDTHS = [42, 30, 55, 36, 48, 26, 60, 38] as const

/** The shape of the list while it is on its way; not shown in its first 200 ms. */
export function GridSkeleton() {
  const texts = useTexts()
  return (
    <div aria-busy="true" data-testid="skeleton">
      <Hidden live>{texts('app.loading')}</Hidden>
      {WIDTHS.map((width) => (
        <div key={width} className={styles['skeleton']} aria-hidden="true">
          <i />
          <i style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  )
}
