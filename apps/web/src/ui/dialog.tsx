import { lazyModule, lazyWindow } from '../lib/lazy.tsx'

const parts = lazyModule(() => import('./dialog-parts.tsx'))

/** Dialogs arrive with the first one that opens, or when the page is idle. */
export const preloadDialogs = parts.prefetch

export const Dialog = lazyWindow(parts, (module) => module.Dialog)

/** A question that must be answered: read aloud at once, and a click beside it does not close it. */
export const Confirm = lazyWindow(parts, (module) => module.Confirm)

export const Drawer = lazyWindow(parts, (module) => module.Drawer)
