import { Eraser, Pause, Play, RotateCcw, X } from 'lucide-react'
import type { Action } from '../../../lib/actions.tsx'
import type { UploadEngine } from './upload-engine.ts'

export interface UploadsContext {
  readonly engine: UploadEngine
  readonly isActive: boolean
  readonly isPaused: boolean
  readonly hasFailed: boolean
  /** Several rows, so that taking the finished ones off is worth a button. */
  readonly isLong: boolean
  /** Opens the question whether all of it should go. */
  readonly askCancel: () => void
}

/** What can be done with all uploads at once, in the order of the panel's head. */
export const UPLOAD_ACTIONS: ReadonlyArray<Action<UploadsContext>> = [
  {
    name: 'retry-uploads',
    label: 'uploads.retry-all',
    group: 'uploads',
    icon: RotateCcw,
    when: ({ hasFailed }) => hasFailed,
    run: ({ engine }) => engine.retryAll(),
  },
  {
    name: 'pause-uploads',
    label: 'uploads.pause-all',
    group: 'uploads',
    icon: Pause,
    keys: ['Alt+P'],
    when: ({ isActive }) => isActive,
    run: ({ engine }) => engine.pauseAll(),
  },
  {
    name: 'resume-uploads',
    label: 'uploads.resume-all',
    group: 'uploads',
    icon: Play,
    keys: ['Alt+P'],
    when: ({ isPaused }) => isPaused,
    run: ({ engine }) => engine.resumeAll(),
  },
  {
    name: 'cancel-uploads',
    label: 'uploads.cancel-all',
    group: 'uploads',
    icon: X,
    when: ({ isActive, isPaused }) => isActive || isPaused,
    run: ({ askCancel }) => askCancel(),
  },
  {
    name: 'clear-uploads',
    label: 'uploads.clear',
    group: 'uploads',
    icon: Eraser,
    when: ({ isActive, isPaused, hasFailed, isLong }) => !isActive && !isPaused && hasFailed && isLong,
    run: ({ engine }) => engine.clear(),
  },
]
