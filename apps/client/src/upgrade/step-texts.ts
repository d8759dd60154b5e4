import type { Output } from '@godwit/transfer/cli'
import type { UpgradeStep } from './prepare.ts'

const TEXTS: Readonly<Record<UpgradeStep, (version: string) => string>> = {
  released: (version) => `${version} is signed by its makers.`,
  fetched: (version) => `${version} is here, byte for byte.`,
  unpacked: (version) => `${version} lies beside what runs.`,
  tested: (version) => `${version} starts on this computer.`,
  'on-trial': (version) => `${version} takes over.`,
  confirmed: (version) => `${version} runs in the background.`,
  'rolled-back': (version) => `It did not reach a server: ${version} runs again, in the background.`,
}

/** Says what an upgrade has reached. */
export function stepReporter(output: Output): (step: UpgradeStep, version: string) => void {
  return (step, version) => output.emit('upgrade', { step, version }, TEXTS[step](version))
}
