export { HandOverWindow } from './hand-over.window.tsx'
export { LimitWarning } from './limit-warning.tsx'
export { ClientPackages } from './packages.tsx'
export { StartClientDialog } from './start-client.dialog.tsx'
