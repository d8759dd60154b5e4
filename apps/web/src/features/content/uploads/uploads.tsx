import { createContext, use, useMemo, useState } from 'react'
import { bindActions, useRegisteredActions } from '../../../lib/actions.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { UPLOAD_ACTIONS } from './upload-actions.ts'
import type { UploadEngine } from './upload-engine.ts'
import { UploadPanel } from './upload-panel.tsx'
import { useTabProgress } from './use-tab-progress.ts'

const EngineContext = createContext<UploadEngine | undefined>(undefined)

export const UploadsProvider = EngineContext

export function useUploads(): UploadEngine {
  const engine = use(EngineContext)
  if (engine === undefined) throw new Error('no uploads around this component')
  return engine
}

/** The panel with everything that goes along with it: keys, tab title, the questions before cancelling and before leaving. */
export function Uploads({ title }: { readonly title: string }) {
  const texts = useTexts()
  const engine = useUploads()
  const { isActive, isPaused, totals, jobs } = useStore(engine.view)
  const [isAsking, setAsking] = useState(false)
  useTabProgress(engine, title)
  const hasFailed = totals.failed > 0
  const isLong = jobs.length > 1
  // Bound anew only when what is offered changes, not with every step of the progress.
  const actions = useMemo(
    () =>
      bindActions(UPLOAD_ACTIONS, {
        engine,
        isActive,
        isPaused,
        hasFailed,
        isLong,
        askCancel: () => setAsking(true),
      }),
    [engine, isActive, isPaused, hasFailed, isLong],
  )
  useRegisteredActions(actions)
  return (
    <>
      <UploadPanel engine={engine} actions={actions} />
      {isAsking && (
        <ConfirmAction
          title={texts('uploads.cancel-all.title')}
          text={texts('uploads.cancel-all.text')}
          submitLabel={texts('uploads.cancel-all.submit')}
          onConfirm={() => engine.cancelAll()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
