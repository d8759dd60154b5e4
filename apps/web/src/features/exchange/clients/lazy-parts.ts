import { lazyModule, lazyPart, lazyWindow } from '../../../lib/lazy.tsx'

/** What is shown of a client comes once there is something to say about it. */
const parts = lazyModule(() => import('./client-parts.ts'), 'transfers')

export const ClientPackages = lazyPart(parts, (module) => module.ClientPackages)
export const FailedUpgrade = lazyPart(parts, (module) => module.FailedUpgrade)
export const HandOverWindow = lazyWindow(parts, (module) => module.HandOverWindow)
export const LimitWarning = lazyWindow(parts, (module) => module.LimitWarning)
export const StartClientDialog = lazyWindow(parts, (module) => module.StartClientDialog)
