import { useTexts } from '../../../lib/texts.tsx'
import { Ring } from '../../../ui/ring.tsx'
import styles from './preview.module.css'

/** A file on its way. */
export function Opening({ name }: { readonly name?: string }) {
  const texts = useTexts()
  return (
    <p className={styles['opening']} role="status">
      <Ring />
      {name === undefined ? texts('app.loading') : texts('preview.loading', { name })}
    </p>
  )
}
