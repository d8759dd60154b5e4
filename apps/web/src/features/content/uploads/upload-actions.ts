import type { Action } from '../../../lib/actions.tsx'
import type { UploadEngine } from './upload-engine.ts'

export interface UploadsContext {
  readonly engine: UploadEngine
  readonly isActive: boolean
  readonly isPaused: boolean
}

export const UPLOAD_ACTIONS: ReadonlyArray<Action<UploadsContext>> = [
  {
    id: 'pause-uploads',
    label: 'action.pause-all',
    group: 'uploads',
    shortcuts: ['Alt+P'],
    isOffered: ({ isActive, isPaused }) => isActive || isPaused,
    run: ({ engine, isActive }) => (isActive ? engine.pauseAll() : engine.resumeAll()),
  },
]
