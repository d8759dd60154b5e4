import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import type { PreflightProps } from './preflight.dialog.tsx'

const dialog = lazyModule(() => import('./preflight.dialog.tsx'), 'uploads')

const Window = lazyWindow(dialog, (module) => module.PreflightDialog)

/** A closed question, or one that could not be shown, leaves everything as it is. */
export function PreflightDialog(question: PreflightProps) {
  return <Window {...question} onClose={() => question.answer(undefined)} />
}
