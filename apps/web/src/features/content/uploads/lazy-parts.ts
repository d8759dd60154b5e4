import { lazyModule, lazyPart, lazyWindow } from '../../../lib/lazy.tsx'

/** What is shown of uploads comes with the first of them. */
const parts = lazyModule(() => import('./upload-parts.ts'), 'uploads')

export const Announcer = lazyPart(parts, (module) => module.Announcer)
export const UploadPanel = lazyPart(parts, (module) => module.UploadPanel)
export const UploadRows = lazyPart(parts, (module) => module.UploadRows)
export const CancelAllConfirm = lazyWindow(parts, (module) => module.CancelAllConfirm)
export const DiscardConfirm = lazyWindow(parts, (module) => module.DiscardConfirm)
