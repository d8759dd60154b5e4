import { createContext, use, useMemo, useState } from 'react'
import { bindActions, useRegisteredActions } from '../../../lib/actions.tsx'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Announcer, CancelAllConfirm, DiscardConfirm, UploadPanel } from './lazy-parts.ts'
import { UPLOAD_ACTIONS } from './upload-actions.ts'
import type { UploadEngine } from './upload-engine.ts'
import type { UploadCommands } from './upload-rows.tsx'
import type { Ghost } from './upload-views.ts'
import { useTabProgress } from './use-tab-progress.ts'

const EngineContext = createContext<UploadEngine | undefined>(undefined)

export const UploadsProvider = EngineContext

export function useUploads(): UploadEngine {
  const engine = use(EngineContext)
  if (engine === undefined) throw new Error('no uploads around this component')
  return engine
}

export interface UploadsProps {
  /** What the tab is called while nothing runs. */
  readonly title: string
  /** Elsewhere than on pages of files the header alone shows how far uploads are. */
  readonly hasPanel: boolean
}

/** The panel with everything that goes along with it: keys, tab title, announcements, the question before leaving. */
export function Uploads({ title, hasPanel }: UploadsProps) {
  const engine = useUploads()
  const view = useStore(engine.view)
  const { isActive, isPaused, totals, jobs, ghosts } = view
  const hasUploads = jobs.length + ghosts.length > 0
  const [isAsking, setAsking] = useState(false)
  const discarding = useDiscard(engine)
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
      {hasPanel && hasUploads && <UploadPanel engine={engine} actions={actions} commands={discarding.commands} />}
      {hasUploads && <Announcer view={view} />}
      {isAsking && <CancelAllConfirm engine={engine} onClose={() => setAsking(false)} />}
      {discarding.asked !== undefined && (
        <DiscardConfirm engine={engine} ghost={discarding.asked} onClose={discarding.close} />
      )}
    </>
  )
}

/** Canceling and discarding can be undone as long as their message is shown; what an earlier page began is asked about first. */
function useDiscard(engine: UploadEngine) {
  const texts = useTexts()
  const { messages } = useServices()
  const [asked, ask] = useState<Ghost>()
  const commands = useMemo(
    (): UploadCommands => ({
      cancel(id) {
        const name = engine.view.get().jobs.find((job) => job.id === id)?.name ?? ''
        const undo = { label: texts('remove.undo'), run: engine.cancel(id) }
        messages.notify('info', texts('uploads.canceled', { count: 1, name }), undo)
      },
      forget: ask,
    }),
    [engine, messages, texts],
  )
  return { commands, asked, close: () => ask(undefined) }
}
