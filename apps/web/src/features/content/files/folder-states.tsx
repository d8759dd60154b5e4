import { FolderX, Lock, TriangleAlert } from 'lucide-react'
import { isFailure } from '../../../lib/http.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import styles from './files.page.module.css'

export interface FolderFaultProps {
  readonly error: unknown
  readonly onHome: () => void
  readonly onRetry: () => void
}

/** In place of the rows: why there are none, and the way on. */
export function FolderFault({ error, onHome, onRetry }: FolderFaultProps) {
  const texts = useTexts()
  if (isFailure(error, 'PERMISSION_DENIED')) {
    return (
      <div className={styles['middle']}>
        <StatePanel
          icon={<Lock size={28} />}
          title={texts('files.no-permission.title')}
          text={texts('files.no-permission.text')}
        />
      </div>
    )
  }
  const isGone = isFailure(error, 'PATH_NOT_FOUND')
  return (
    <div className={styles['middle']}>
      <StatePanel
        kind="error"
        icon={isGone ? <FolderX size={28} /> : <TriangleAlert size={28} />}
        title={texts(isGone ? 'files.not-found.title' : 'files.error.title')}
        text={texts.failure(error)}
        reference={texts.reference(error)}
        actions={
          <Button kind="solid" onClick={isGone ? onHome : onRetry}>
            {texts(isGone ? 'files.not-found.home' : 'common.retry')}
          </Button>
        }
      />
    </div>
  )
}
