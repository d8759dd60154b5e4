import { lazy, Suspense } from 'react'
import type { TooLargeDialogProps } from './too-large.dialog.tsx'

const LazyDialog = lazy(async () => ({ default: (await import('./too-large.dialog.tsx')).TooLargeDialog }))

export function TooLargeDialog(props: TooLargeDialogProps) {
  return (
    <Suspense fallback={null}>
      <LazyDialog {...props} />
    </Suspense>
  )
}
