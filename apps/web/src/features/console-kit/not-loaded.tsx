import { TriangleAlert } from 'lucide-react'
import { useTexts } from '../../lib/texts.tsx'
import { Button } from '../../ui/button.tsx'
import { Ring } from '../../ui/ring.tsx'
import { StatePanel } from '../../ui/state-panel.tsx'
import styles from './console-kit.module.css'

export interface NotLoadedProps {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown }
}

/** In place of an object that is on its way, or the reason why it does not come. */
export function NotLoaded({ query: { error, refetch } }: NotLoadedProps) {
  const texts = useTexts()
  return error === null || error === undefined ? (
    <p className={styles['coming']} role="status">
      <Ring />
      {texts('app.loading')}
    </p>
  ) : (
    <StatePanel
      kind="error"
      icon={<TriangleAlert size={28} />}
      title={texts('console.failed')}
      text={texts.failure(error)}
      reference={texts.reference(error)}
      actions={<Button onClick={() => void refetch()}>{texts('common.retry')}</Button>}
    />
  )
}
