import type { CopyResult } from '@godwit/contract'
import { visits } from '@godwit/contract/table/visits'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { hashOfFile } from './copy-hash.ts'
import type { Visit } from './visit.ts'
import styles from './visits.module.css'

export interface CheckCopyDialogProps {
  readonly visit: Visit
  /** As the guest sees it. */
  readonly path: string
  readonly name: string
  /** Bytes of the shared file. */
  readonly size: number
  readonly onClose: () => void
}

type Shown =
  | { readonly kind: CopyResult | 'unreadable' }
  | { readonly kind: 'computing'; readonly file: File; readonly share: number }

const ICONS = { equal: CircleCheck, different: CircleAlert, unknown: Info, unreadable: CircleAlert } as const

/** Tells a guest whether a copy on the device is what was shared. */
export function CheckCopyDialog({ visit, path, name, size, onClose }: CheckCopyDialogProps) {
  const texts = useTexts()
  const { messages } = useServices()
  const [shown, show] = useState<Shown>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const check = async (file: File): Promise<void> => {
    const { signal } = (running.current = new AbortController())
    if (file.size !== size) return show({ kind: 'different' })
    show({ kind: 'computing', file, share: 0 })
    const hash = await readHash(file, signal)
    if (signal.aborted) return
    if (hash === undefined) return show({ kind: 'unreadable' })
    try {
      const { result } = await visit.api.call(visits.check, { body: { path, size, hash } }, { signal })
      show({ kind: result })
    } catch (error) {
      if (signal.aborted) return
      show(undefined)
      messages.fail(error, texts)
    }
  }
  const readHash = async (file: File, signal: AbortSignal): Promise<string | undefined> => {
    const onProgress = (bytes: number): void => show({ kind: 'computing', file, share: size === 0 ? 1 : bytes / size })
    try {
      return await hashOfFile(file, { signal, onProgress })
    } catch {
      // Gone or changed since it was chosen, or the dialog was closed.
      return undefined
    }
  }
  const isBusy = shown?.kind === 'computing'
  return (
    <Dialog
      title={texts('share.check.title', { name })}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{texts(isBusy ? 'common.cancel' : 'common.close')}</Button>
          {!isBusy && (
            <FileButton
              kind={shown?.kind === 'equal' ? 'outline' : 'solid'}
              accept=""
              testId="copy"
              onChoose={(file) => void check(file)}
            >
              {texts(shown === undefined ? 'share.check.choose' : 'share.check.again')}
            </FileButton>
          )}
        </>
      }
    >
      <p>{texts('share.check.text')}</p>
      {shown?.kind === 'computing' && (
        <>
          <p className={styles['checking']} translate="no">
            {texts('share.check.computing', { name: shown.file.name })}
          </p>
          <ProgressBar label={texts('share.check.computing', { name: shown.file.name })} value={shown.share} />
        </>
      )}
      <div role="status">{shown !== undefined && shown.kind !== 'computing' && <Result kind={shown.kind} />}</div>
    </Dialog>
  )
}

function Result({ kind }: { readonly kind: keyof typeof ICONS }) {
  const texts = useTexts()
  const Icon = ICONS[kind]
  return (
    <p className={styles['checked']} data-result={kind}>
      <Icon size={20} aria-hidden="true" />
      {texts(`share.check.${kind}`)}
    </p>
  )
}
