import { lazyModule, lazyPart, lazyWindow } from '../../../lib/lazy.tsx'

/** What is shown of uploads comes with the first of them, or when the page is idle: an upload may begin while the line is dead. */
const parts = lazyModule(() => import('./upload-parts.ts'), 'uploads')

export const preloadUploadParts = parts.prefetch

export const Announcer = lazyPart(parts, (module) => module.Announcer)
export const UploadPanel = lazyPart(parts, (module) => module.UploadPanel)
export const TransferRows = lazyPart(parts, (module) => module.TransferRows)
export const UploadRows = lazyPart(parts, (module) => module.UploadRows)
export const CancelAllConfirm = lazyWindow(parts, (module) => module.CancelAllConfirm)
export const DiscardConfirm = lazyWindow(parts, (module) => module.DiscardConfirm)
