export { Bar } from './bar.tsx'
export { LimitWarning } from './limit-warning.tsx'
export { ClientPackages } from './packages.tsx'
export { StartClientDialog } from './start-client.dialog.tsx'
