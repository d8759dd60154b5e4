import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import type { UploadEngine } from './upload-engine.ts'
import type { Ghost } from './upload-views.ts'

interface QuestionProps {
  readonly engine: UploadEngine
  readonly onClose: () => void
}

export function CancelAllConfirm({ engine, onClose }: QuestionProps) {
  const texts = useTexts()
  const { messages } = useServices()
  const cancel = (): void => {
    const unfinished = engine.view.get().jobs.filter(({ done, files }) => done < files)
    const values = { count: unfinished.length, name: unfinished[0]?.name ?? '' }
    const undo = { label: texts('remove.undo'), run: engine.cancelAll() }
    messages.notify('info', texts('uploads.canceled', values), undo)
  }
  return (
    <ConfirmAction
      title={texts('uploads.cancel-all.title')}
      text={texts('uploads.cancel-all.text')}
      submitLabel={texts('uploads.cancel-all.submit')}
      onConfirm={cancel}
      onClose={onClose}
    />
  )
}

export function DiscardConfirm({ engine, ghost, onClose }: QuestionProps & { readonly ghost: Ghost }) {
  const texts = useTexts()
  const { messages } = useServices()
  const { name, uploadId } = ghost
  const discard = (): void => {
    const undo = { label: texts('remove.undo'), run: engine.forget(uploadId) }
    messages.notify('info', texts('uploads.discarded', { name }), undo)
  }
  return (
    <ConfirmAction
      title={texts('uploads.discard.title', { name })}
      text={texts('uploads.discard.text')}
      submitLabel={texts('uploads.discard.submit')}
      onConfirm={discard}
      onClose={onClose}
    />
  )
}
