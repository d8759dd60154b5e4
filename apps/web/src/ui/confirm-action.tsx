import { useTexts } from '../lib/texts.tsx'
import { Button } from './button.tsx'
import { Confirm } from './dialog.tsx'

export interface ConfirmActionProps {
  readonly title: string
  /** What will happen. */
  readonly text: string
  /** The verb on the button. */
  readonly submitLabel: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something is destroyed. The focus stands on the way back. */
export function ConfirmAction({ title, text, submitLabel, onConfirm, onClose }: ConfirmActionProps) {
  const texts = useTexts()
  return (
    <Confirm
      title={title}
      text={text}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button
            kind="dangerSolid"
            onClick={() => {
              onClose()
              onConfirm()
            }}
          >
            {submitLabel}
          </Button>
        </>
      }
    />
  )
}
