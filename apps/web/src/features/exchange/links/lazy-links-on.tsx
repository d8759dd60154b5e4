import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const part = lazyModule(() => import('./links-on.tsx'), 'links')

export const LinksOn = lazyPart(part, (module) => module.LinksOn)
