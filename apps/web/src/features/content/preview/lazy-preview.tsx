import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'

const code = lazyModule(() => import('./preview.tsx'), 'previews')

/** The viewer arrives with the first file that is opened. */
export const Preview = lazyWindow(code, (module) => module.Preview)
