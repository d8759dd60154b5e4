import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../../lib/texts.tsx'
import { Button } from '../button.tsx'
import { Confirm } from '../dialog.tsx'

/** Asks before a page is left whose changes are not saved, and names what was changed. */
export function DirtyGuard({ changed }: { readonly changed: readonly string[] }) {
  const texts = useTexts()
  return (
    <LeaveQuestion
      isNeeded={changed.length > 0}
      title={texts('form.leave.title')}
      text={texts('form.leave.text', { fields: new Intl.ListFormat(texts.locale).format(changed) })}
    />
  )
}

export interface LeaveQuestionProps {
  readonly isNeeded: boolean
  readonly title: string
  /** What is lost. */
  readonly text: string
}

/** Asks before a page is left while something on it would be lost. */
export function LeaveQuestion({ isNeeded, title, text }: LeaveQuestionProps) {
  const texts = useTexts()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isNeeded && current.pathname !== next.pathname,
    enableBeforeUnload: isNeeded,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const { proceed, reset } = blocker
  return (
    <Confirm
      title={title}
      text={text}
      onClose={reset}
      foot={
        <>
          <Button onClick={reset}>{texts('common.cancel')}</Button>
          <Button kind="dangerSolid" onClick={proceed}>
            {texts('form.leave.submit')}
          </Button>
        </>
      }
    />
  )
}
