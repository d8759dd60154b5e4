export { actorOf, addFolder, replacedBy, stepOf, type Actor, type Change } from './new-steps.ts'
export { createSteps, type BookStep, type NewStep, type ReviseStep, type Steps } from './steps.ts'
export type { Step } from './step.ts'
export { hasStepsOf, promisedBytes, recycleIdsUnderWay } from './steps.store.ts'
