import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './code-row.module.css'

export interface ResendButtonProps {
  /** Until another code may be sent. */
  readonly secondsLeft: number
  readonly isBusy: boolean
  readonly onSend: () => void
}

/** Sends another code; after each one it rests for 60 seconds. */
export function ResendButton({ secondsLeft, isBusy, onSend }: ResendButtonProps) {
  const texts = useTexts()
  return (
    <Button className={styles['resend']} onClick={onSend} disabled={secondsLeft > 0 || isBusy}>
      {secondsLeft > 0 ? texts('code.resend-in', { seconds: secondsLeft }) : texts('code.resend')}
    </Button>
  )
}
