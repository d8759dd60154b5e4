import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

/** Fetched by the few who need it: most people are signed in without. */
export const FactorSetUp = lazyPart(
  lazyModule(() => import('./factor-set-up.tsx'), 'identity'),
  (module) => module.FactorSetUp,
)
export { setUpTicket } from './set-up-ticket.ts'
