import { createContext, use, useMemo } from 'react'
import { bindActions, useRegisteredActions } from '../../../lib/actions.tsx'
import { useStore } from '../../../lib/store.ts'
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

/** The panel with everything that goes along with it: keys, tab title, the question before leaving. */
export function Uploads({ title }: { readonly title: string }) {
  const engine = useUploads()
  const view = useStore(engine.view)
  useTabProgress(engine, title)
  const { isActive, isPaused } = view
  // Bound anew only when what is offered changes, not with every step of the progress.
  const actions = useMemo(
    () => bindActions(UPLOAD_ACTIONS, { engine, isActive, isPaused }),
    [engine, isActive, isPaused],
  )
  useRegisteredActions(actions)
  return <UploadPanel engine={engine} />
}
