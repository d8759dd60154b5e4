import { CircleHelp } from 'lucide-react'
import type { Action } from '../../../lib/actions.tsx'
import type { Feature } from '../../../lib/feature.ts'

export interface ShellContext {
  readonly showHelp: () => void
}

export const SHELL_ACTIONS: ReadonlyArray<Action<ShellContext>> = [
  {
    name: 'help',
    label: 'action.help',
    group: 'general',
    icon: CircleHelp,
    keys: ['?', 'F1'],
    run: ({ showHelp }) => showHelp(),
  },
]

export const feature: Feature = { pages: [], menu: [], actions: SHELL_ACTIONS }
