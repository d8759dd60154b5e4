import { lazy, Suspense } from 'react'
import type { ConfirmProps, DialogProps, DrawerProps } from './dialog-parts.tsx'

const load = () => import('./dialog-parts.tsx')
const LazyDialog = lazy(async () => ({ default: (await load()).Dialog }))
const LazyDrawer = lazy(async () => ({ default: (await load()).Drawer }))
const LazyConfirm = lazy(async () => ({ default: (await load()).Confirm }))

/** Dialogs arrive with the first one that opens, or when the page is idle. */
export function preloadDialogs(): void {
  void load()
}

export function Dialog(props: DialogProps) {
  return (
    <Suspense fallback={null}>
      <LazyDialog {...props} />
    </Suspense>
  )
}

/** A question that must be answered: read aloud at once, and a click beside it does not close it. */
export function Confirm(props: ConfirmProps) {
  return (
    <Suspense fallback={null}>
      <LazyConfirm {...props} />
    </Suspense>
  )
}

export function Drawer(props: DrawerProps) {
  return (
    <Suspense fallback={null}>
      <LazyDrawer {...props} />
    </Suspense>
  )
}
