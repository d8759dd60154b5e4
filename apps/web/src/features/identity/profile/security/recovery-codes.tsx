import { useRef } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { RecoveryButtons, RecoveryList } from '../../factor-parts/index.ts'

export interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** The codes, this once: to copy, to keep as a file, or to write down. A click beside the dialog does not close it. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const texts = useTexts()
  const list = useRef<HTMLUListElement>(null)
  const copyButton = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      title={texts('security.factor.codes.title')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      isKeptOpen
      initialFocus={copyButton}
      foot={<RecoveryButtons {...{ codes, list, copyButton }} doneLabel={texts('common.done')} onDone={onClose} />}
    >
      <RecoveryList codes={codes} list={list} />
    </Dialog>
  )
}
