import { lazy, Suspense } from 'react'
import type { Question } from './use-conflicts.ts'

const LazyDialog = lazy(async () => ({ default: (await import('./conflict.dialog.tsx')).ConflictDialog }))

export function ConflictDialog(question: Question) {
  return (
    <Suspense fallback={null}>
      <LazyDialog {...question} />
    </Suspense>
  )
}
