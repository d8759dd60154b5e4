import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

// Most sites lack nothing, so nobody waits for it.
const limits = lazyModule(() => import('./limit-screen.tsx'))

export const LimitScreen = lazyPart(limits, (module) => module.LimitScreen)
export const LimitBox = lazyPart(limits, (module) => module.LimitBox)
