import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../../lib/texts.tsx'
import { ConfirmAction } from '../confirm-action.tsx'

/** Asks before a page is left whose changes are not saved, and names what was changed. */
export function DirtyGuard({ changed }: { readonly changed: readonly string[] }) {
  const texts = useTexts()
  const isDirty = changed.length > 0
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmAction
      title={texts('form.leave.title')}
      text={texts('form.leave.text', { fields: new Intl.ListFormat(texts.locale).format(changed) })}
      submitLabel={texts('form.leave.submit')}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  )
}
