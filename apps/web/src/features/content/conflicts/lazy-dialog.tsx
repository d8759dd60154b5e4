import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import type { Question } from './use-conflicts.ts'

const dialog = lazyModule(() => import('./conflict.dialog.tsx'), 'uploads')

const Window = lazyWindow(dialog, (module) => module.ConflictDialog)

/** A closed question, or one that could not be shown, leaves everything as it is. */
export function ConflictDialog(question: Question) {
  return <Window {...question} onClose={() => question.answer(undefined)} />
}
