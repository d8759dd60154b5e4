import { useCopy } from '../../../lib/copy-text.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { failureNote } from './failure-note.ts'
import styles from './failures.module.css'
import type { Failed } from './upload-job.ts'

/** More are only counted: the list can be copied whole. */
const NAMED_MAX = 200

export interface FailuresDialogProps {
  readonly failures: readonly Failed[]
  readonly onRetry: () => void
  readonly onClose: () => void
}

/** Which files of a folder or a handful did not arrive, each with its reason. */
export function FailuresDialog({ failures, onRetry, onClose }: FailuresDialogProps) {
  const texts = useTexts()
  const copy = useCopy()
  const more = failures.length - NAMED_MAX
  return (
    <Dialog
      title={texts('uploads.summary.failed', { count: failures.length })}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={() => void copy(asText(failures, texts))}>{texts('uploads.failures.copy')}</Button>
          <Button kind="solid" onClick={onRetry}>
            {texts('common.retry')}
          </Button>
        </>
      }
    >
      <ul className={styles['files']} data-testid="upload-failures">
        {failures.slice(0, NAMED_MAX).map((failed) => (
          <li key={failed.path}>
            <span translate="no">{failed.path}</span>
            <span>{failureNote(failed.error, texts)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p>{texts('too-large.more', { count: more })}</p>}
    </Dialog>
  )
}

function asText(failures: readonly Failed[], texts: Texts): string {
  return failures.map(({ path, error }) => `${path}\t${failureNote(error, texts)}`).join('\n')
}
