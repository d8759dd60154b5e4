export { RecoveryButtons, RecoveryList } from './recovery-list.tsx'
export { Scan, type Secret } from './scan.tsx'
