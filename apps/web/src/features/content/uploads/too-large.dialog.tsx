import { formatSize } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { SourceFile } from './source-file.ts'
import styles from './too-large.module.css'

const NAMED_MAX = 5

export interface TooLargeDialogProps {
  readonly folder: string
  readonly files: readonly SourceFile[]
  readonly limitBytes: number
  /** Hands what belongs into the folder to the desktop client; absent where there is none to be had. */
  readonly onClient?: ((folder: string) => void) | undefined
  readonly onClose: () => void
}

/** Which files the browser may not send, and what the limit is. */
export function TooLargeDialog({ folder, files, limitBytes, onClient, onClose }: TooLargeDialogProps) {
  const texts = useTexts()
  const limit = formatSize(limitBytes, texts.locale)
  const more = files.length - NAMED_MAX
  return (
    <Dialog
      title={texts('too-large.title', { count: files.length, name: files[0]?.file.name ?? '' })}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          <Button kind={onClient === undefined ? 'solid' : 'outline'} onClick={onClose}>
            {texts('common.ok')}
          </Button>
          {onClient !== undefined && (
            <Button
              kind="solid"
              onClick={() => {
                onClose()
                onClient(folder)
              }}
            >
              {texts('too-large.by-client')}
            </Button>
          )}
        </>
      }
    >
      <p>{texts('too-large.text', { limit })}</p>
      {onClient !== undefined && <p>{texts('too-large.client')}</p>}
      <ul className={styles['files']}>
        {files.slice(0, NAMED_MAX).map(({ file, relativePath }) => (
          <li key={relativePath}>
            <span translate="no">{relativePath}</span>
            <span>{formatSize(file.size, texts.locale)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p>{texts('too-large.more', { count: more })}</p>}
    </Dialog>
  )
}
