import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'

export interface LimitWarningProps {
  readonly limit: number
  readonly online: number
  readonly onClose: () => void
}

export function LimitWarning({ limit, online, onClose }: LimitWarningProps) {
  const texts = useTexts()
  return (
    <Confirm
      title={texts('client.limit.title')}
      text={texts('client.limit.text', { limit, online })}
      onClose={onClose}
      foot={
        <Button kind="solid" onClick={onClose}>
          {texts('common.ok')}
        </Button>
      }
    />
  )
}
